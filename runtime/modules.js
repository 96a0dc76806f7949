// Links and evaluates the modules of one run. Evaluated by the zygote in the realm of
// the programs to come; the rules at the head of core.js hold here too.
//
// `this` has `modules` (src/worker/natives_modules.c) beside what the core is given:
// the entries as runtime/compiler left them, the program as the last. The evaluation
// of ES modules follows the algorithms of ECMA-262, 16.2.1, and keeps their names
// where it can.
'use strict';

{
  const { native: core, modules: native, failures } = this;

  const apply = Reflect.apply;
  const { defineProperty, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { create, entries, seal, hasOwn, is } = Object;
  const parse = JSON.parse;
  const ErrorOf = Error;
  const SyntaxErrorOf = SyntaxError;
  const TypeErrorOf = TypeError;
  const PromiseOf = Promise;
  const ProxyOf = Proxy;
  const sort = uncurry(Array.prototype.sort);
  const slice = uncurry(String.prototype.slice);
  const indexOf = uncurry(String.prototype.indexOf);
  const lastIndexOf = uncurry(String.prototype.lastIndexOf);
  const startsWith = uncurry(String.prototype.startsWith);
  const isEnumerable = uncurry(Object.prototype.propertyIsEnumerable);
  const hasInstance = uncurry(Function.prototype[Symbol.hasInstance]);
  const generatorPrototype = Object.getPrototypeOf(function* () {}).prototype;
  const next = uncurry(generatorPrototype.next);
  const throwInto = uncurry(generatorPrototype.throw);
  const addTo = uncurry(WeakSet.prototype.add);
  const isIn = uncurry(WeakSet.prototype.has);
  const { toStringTag } = Symbol;

  const URL_PREFIX = 'codemode:/';

  // The status of an ES module.
  const LINKED = 0;
  const EVALUATING = 1;
  const EVALUATING_ASYNC = 2;
  const EVALUATED = 3;

  // Of the order in which modules began to wait: it never waited; it no longer does.
  const NONE = 0;
  const DONE = -1;

  // An array that no setter on a prototype gets in the way of.
  const newList = () => ({ __proto__: null, length: 0 });
  const push = (list, value) => {
    list[list.length++] = value;
  };

  // ---- errors ----------------------------------------------------------------

  // Those that say what is wrong with the module graph: failure `module`.
  const ours = new WeakSet();

  const moduleError = (Kind, message) => {
    const error = new Kind(message);
    addTo(ours, error);
    return error;
  };

  const isOurs = (thrown) => typeof thrown === 'object' && thrown !== null && isIn(ours, thrown);

  // ---- the map ---------------------------------------------------------------

  let records; // by specifier
  let recordsByPath; // by specifier, without the "./" that it starts with

  const newRecord = (index, name, kind) => ({
    __proto__: null,
    index,
    name,
    kind,
    namespace: undefined,
    failed: undefined, // { error }: what its evaluation threw
    // ES modules and the program
    meta: undefined,
    requested: undefined, // records, in the order of meta.requests
    imports: undefined, // where its code reads its imports
    getters: undefined, // of its local exports
    run: undefined, // evaluates it
    linked: false,
    late: undefined, // imports from modules that have no exports before they have run
    required: undefined, // what require() gives of it
    status: LINKED,
    hasAwait: false,
    position: 0, // on the stack of evaluate()
    ancestor: 0, // the lowest position that its cycle reaches
    cycleRoot: undefined,
    pending: 0, // modules that it waits for
    parents: undefined, // modules that wait for it
    order: NONE,
    waiting: undefined, // { promise, resolve, reject } of whoever imports it
    // the others
    value: undefined, // the default export
    hasValue: false,
    module: undefined, // of CommonJS, from when it begins to run
    exported: undefined, // the names of its exports, once it has run
  });

  const isCode = (record) => record.kind === 'esm' || record.kind === 'program';

  // "a/./b/../c" is "a/c"; what leads out at the top stays there.
  const normalize = (path) => {
    const steps = newList();
    for (let at = 0; at <= path.length; ) {
      const found = indexOf(path, '/', at);
      const end = found < 0 ? path.length : found;
      const step = slice(path, at, end);
      if (step === '..') steps.length -= steps.length > 0;
      else if (step !== '.') push(steps, step);
      at = end + 1;
    }
    let text = '';
    for (let i = 0; i < steps.length; i++) text += (i === 0 ? '' : '/') + steps[i];
    return text;
  };

  const isRelative = (specifier) => startsWith(specifier, './') || startsWith(specifier, '../');

  const lookUp = (specifier, referrer) => {
    if (isRelative(specifier)) {
      const path = normalize(slice(referrer, 0, lastIndexOf(referrer, '/') + 1) + specifier);
      return records[path] ?? recordsByPath[path] ?? records[specifier];
    }
    const name = startsWith(specifier, URL_PREFIX) ? slice(specifier, URL_PREFIX.length) : specifier;
    return records[specifier] ?? records[name] ?? recordsByPath[name];
  };

  const NAMES_SHOWN = 100;

  const unknown = (specifier) => {
    const count = native.count() - 1; // without the program
    let names = '';
    for (let i = 0; i < count && i < NAMES_SHOWN; i++) names += (i === 0 ? '' : ', ') + native.name(i);
    if (count > NAMES_SHOWN) names += ` and ${count - NAMES_SHOWN} more`;
    return native.sentence(count === 0 ? 'MAP_EMPTY' : 'UNKNOWN', specifier, names);
  };

  const kindsOfType = { __proto__: null, json: 'json', text: 'text', bytes: 'data' };

  const resolve = (specifier, type, referrer) => {
    const record = specifier === 'program.js' ? undefined : lookUp(specifier, referrer);
    if (record === undefined || record.kind === 'program') throw moduleError(ErrorOf, unknown(specifier));
    if (type !== null && kindsOfType[type] !== record.kind)
      throw moduleError(TypeErrorOf, native.sentence('TYPE', record.name, type));
    return record;
  };

  // ---- loading ---------------------------------------------------------------

  const metaOf = (record) => {
    const meta = parse(native.meta(record.index));
    if (meta.error === undefined) return meta;
    const { message, line, column, typeScript } = meta.error;
    const place = line > 0 ? ` [${record.name}:${line}:${column}]` : ` [${record.name}]`;
    const hint = typeScript ? `. ${native.sentence('TYPESCRIPT')}` : '';
    throw moduleError(SyntaxErrorOf, message + hint + place);
  };

  // Finds what it imports, and what that imports.
  const load = (record) => {
    if (!isCode(record) || record.requested !== undefined) return;
    const requested = newList();
    record.meta ??= metaOf(record);
    const { requests } = record.meta;
    for (let i = 0; i < requests.length; i++) push(requested, resolve(requests[i][0], requests[i][1], record.name));
    record.requested = requested;
    try {
      for (let i = 0; i < requested.length; i++) load(requested[i]);
    } catch (error) {
      record.requested = undefined; // the next import of it fails the same way
      throw error;
    }
  };

  // The function that the module was compiled to. The engine is the last to judge
  // the text.
  const codeOf = (record) => {
    if (record.kind === 'cjs') metaOf(record);
    try {
      return native.code(record.index);
    } catch (error) {
      if (!hasInstance(SyntaxErrorOf, error)) throw error;
      throw moduleError(SyntaxErrorOf, `${error.message} [${record.name}:${error.line}]`);
    }
  };

  // An `await` of the module is a `yield` of its generator, so that what stands
  // before the first one runs at once.
  const driveGenerator = async (generator) => {
    let step = next(generator);
    while (!step.done) {
      let value;
      let threw = false;
      try {
        value = await step.value;
      } catch (error) {
        value = error;
        threw = true;
      }
      step = threw ? throwInto(generator, value) : next(generator, value);
    }
  };

  const newMeta = (record) => ({ __proto__: null, url: URL_PREFIX + record.name });

  const startGenerator = (record, generator) => {
    record.getters = next(generator).value;
    record.hasAwait = record.meta.kind === 'await';
    record.run = record.hasAwait ? () => driveGenerator(generator) : () => next(generator);
  };

  const startAsync = (record, start) => {
    let open;
    const gate = new PromiseOf((resolveGate) => {
      open = resolveGate;
    });
    const ended = start((getters) => {
      record.getters = getters;
      return gate;
    });
    record.hasAwait = true;
    record.run = () => {
      open();
      return ended;
    };
  };

  // Runs the head of each module: afterwards its functions are there, and the rest
  // waits in record.run.
  const instantiate = (record) => {
    if (!isCode(record) || record.getters !== undefined) return;
    const code = codeOf(record);
    const imports = create(null);
    const importing = importFrom(record);
    record.imports = imports;
    record.getters = create(null);
    if (record.kind === 'program')
      record.run = () => {
        record.value = code(imports, importing, newMeta(record));
      };
    else if (record.meta.kind === 'async')
      startAsync(record, (ready) => apply(code, undefined, [imports, importing, newMeta(record), ready]));
    else startGenerator(record, apply(code, undefined, [imports, importing, newMeta(record)]));
    if (record.meta.namesDefault)
      defineProperty(getterOf(record, 'default')(), 'name', { __proto__: null, value: 'default', configurable: true });
    for (let i = 0; i < record.requested.length; i++) instantiate(record.requested[i]);
  };

  const getterOf = (record, name) => getOwnPropertyDescriptor(record.getters, name).get;

  // ---- linking ---------------------------------------------------------------

  // What an export is: found in `record` under `name`, read by get().
  const binding = (record, name, get) => ({ __proto__: null, record, name, get, late: false });

  const AMBIGUOUS = binding();

  const resolveInCommon = (record, name) => {
    if (name === 'default') return binding(record, name, () => record.module?.exports);
    if (record.exported !== undefined && !hasOwn(record.exported, name)) return undefined;
    const found = binding(record, name, () => record.module?.exports?.[name]);
    found.late = record.exported === undefined;
    return found;
  };

  const resolveInStars = (record, name, seen) => {
    const { stars } = record.meta;
    let found;
    let late;
    for (let i = 0; i < stars.length; i++) {
      const one = resolveExport(record.requested[stars[i]], name, seen);
      if (one === AMBIGUOUS) return AMBIGUOUS;
      if (one === undefined) continue;
      if (one.late) late ??= one;
      else if (found === undefined) found = one;
      else if (found.record !== one.record || found.name !== one.name) return AMBIGUOUS;
    }
    return found ?? late;
  };

  // undefined: there is no such export.
  const resolveExport = (record, name, seen) => {
    if (record.kind === 'cjs') return resolveInCommon(record, name);
    if (!isCode(record)) return name === 'default' ? binding(record, name, () => record.value) : undefined;
    for (let at = seen; at !== undefined; at = at.next) if (at.record === record && at.name === name) return undefined;
    if (hasOwn(record.getters, name)) return binding(record, name, getterOf(record, name));
    const path = { __proto__: null, record, name, next: seen };
    const { indirect } = record.meta;
    for (let i = 0; i < indirect.length; i++)
      if (indirect[i][0] === name) return resolveImport(record, indirect[i][1], indirect[i][2], path);
    return name === 'default' ? undefined : resolveInStars(record, name, path);
  };

  // The export `name` (null: the namespace) of a module that `record` requests.
  const resolveImport = (record, request, name, seen) => {
    const from = record.requested[request];
    return name === null ? binding(from, null, () => namespaceOf(from)) : resolveExport(from, name, seen);
  };

  const resolveOrThrow = (record, request, name) => {
    const found = resolveImport(record, request, name, undefined);
    const from = record.requested[request].name;
    if (found === undefined) throw moduleError(SyntaxErrorOf, native.sentence('MISSING', from, name));
    if (found === AMBIGUOUS) throw moduleError(SyntaxErrorOf, native.sentence('AMBIGUOUS', from, name));
    return found;
  };

  const defineGetter = (on, name, get) =>
    defineProperty(on, name, { __proto__: null, get, enumerable: true, configurable: true });

  const link = (record) => {
    if (!isCode(record) || record.linked) return;
    const { imports, indirect } = record.meta;
    const late = newList();
    record.linked = true;
    try {
      for (let i = 0; i < record.requested.length; i++) link(record.requested[i]);
      for (let i = 0; i < indirect.length; i++) resolveOrThrow(record, indirect[i][1], indirect[i][2]);
      for (let i = 0; i < imports.length; i++) {
        const found = resolveOrThrow(record, imports[i][1], imports[i][2]);
        if (found.late) push(late, imports[i]);
        defineGetter(record.imports, imports[i][0], found.get);
      }
    } catch (error) {
      record.linked = false;
      throw error;
    }
    record.late = late;
  };

  // What a CommonJS module exports is known once it has run.
  const linkLate = (record) => {
    for (let i = 0; i < record.late.length; i++) {
      const late = record.late[i];
      defineGetter(record.imports, late[0], resolveOrThrow(record, late[1], late[2]).get);
    }
  };

  // ---- namespaces ------------------------------------------------------------

  // The names that a CommonJS module exports beside `default`.
  const keysOf = (value) => {
    const names = create(null);
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return names;
    const all = ownKeys(value);
    for (let i = 0; i < all.length; i++)
      if (typeof all[i] === 'string' && all[i] !== 'default' && isEnumerable(value, all[i])) names[all[i]] = true;
    return names;
  };

  const addNames = (names, from) => {
    const all = ownKeys(from);
    for (let i = 0; i < all.length; i++) names[all[i]] = true;
  };

  const isOnPath = (record, path) => {
    for (let at = path; at !== undefined; at = at.next) if (at.record === record) return true;
    return false;
  };

  const collectNames = (record, names, seen) => {
    if (isOnPath(record, seen)) return;
    if (!isCode(record)) {
      if (record.kind === 'cjs') addNames(names, record.exported ?? keysOf(record.module?.exports));
      names.default = true;
      return;
    }
    const path = { __proto__: null, record, next: seen };
    const { indirect, stars } = record.meta;
    for (let i = 0; i < stars.length; i++) {
      const starred = create(null);
      collectNames(record.requested[stars[i]], starred, path);
      delete starred.default;
      addNames(names, starred);
    }
    addNames(names, record.getters);
    for (let i = 0; i < indirect.length; i++) names[indirect[i][0]] = true;
  };

  // Whether all names are known: those of CommonJS modules are when they have run.
  const isComplete = (record, seen) => {
    if (isOnPath(record, seen)) return true;
    if (!isCode(record)) return record.kind !== 'cjs' || record.exported !== undefined;
    const path = { __proto__: null, record, next: seen };
    const { stars } = record.meta;
    for (let i = 0; i < stars.length; i++) if (!isComplete(record.requested[stars[i]], path)) return false;
    return true;
  };

  // The exotic object: a proxy of one that has the same keys with the attributes
  // that they have to have. `exported` has a getter for each of `names`.
  const newNamespace = (exported, names) => {
    const target = create(null);
    for (let i = 0; i < names.length; i++) target[names[i]] = undefined;
    defineProperty(target, toStringTag, { __proto__: null, value: 'Module' });
    seal(target); // which leaves them writable
    const isExport = (key) => typeof key === 'string' && hasOwn(exported, key);
    const describe = (of, key) => {
      const own = getOwnPropertyDescriptor(target, key);
      if (isExport(key)) own.value = exported[key];
      return own;
    };
    const agrees = (wanted, own, attribute) => !hasOwn(wanted, attribute) || is(wanted[attribute], own[attribute]);
    return new ProxyOf(target, {
      __proto__: null,
      get: (of, key) => (isExport(key) ? exported[key] : target[key]),
      getOwnPropertyDescriptor: describe,
      set: () => false,
      defineProperty(of, key, wanted) {
        const own = describe(of, key);
        if (own === undefined || hasOwn(wanted, 'get') || hasOwn(wanted, 'set')) return false;
        return (
          agrees(wanted, own, 'configurable') &&
          agrees(wanted, own, 'enumerable') &&
          agrees(wanted, own, 'writable') &&
          agrees(wanted, own, 'value')
        );
      },
      setPrototypeOf: (of, prototype) => prototype === null,
    });
  };

  // `flag`: a further export that is true, where there is none of its name.
  const namespaceWith = (record, flag) => {
    const names = create(null);
    const exported = create(null);
    collectNames(record, names, undefined);
    const all = ownKeys(names);
    for (let i = 0; i < all.length; i++) {
      const found = resolveExport(record, all[i], undefined);
      if (found !== undefined && found !== AMBIGUOUS) defineGetter(exported, all[i], found.get);
    }
    if (flag !== undefined && !hasOwn(names, flag)) defineGetter(exported, flag, () => true);
    return newNamespace(exported, sort(ownKeys(exported)));
  };

  // Most modules export nothing but their own: then the getters are there.
  const exportsOwn = ({ kind, meta }) => kind === 'esm' && meta.indirect.length === 0 && meta.stars.length === 0;

  const namespaceOf = (record) => {
    if (record.namespace !== undefined) return record.namespace;
    const namespace = exportsOwn(record)
      ? newNamespace(record.getters, sort(ownKeys(record.getters)))
      : namespaceWith(record, undefined);
    if (isComplete(record, undefined)) record.namespace = namespace;
    return namespace;
  };

  // ---- CommonJS, JSON, text and data -------------------------------------------

  const runCommon = (record) => {
    if (record.module !== undefined) return; // it is in the middle of it
    const code = codeOf(record);
    const module = { exports: {}, id: record.name };
    const require = (specifier) => requireFrom(record, specifier);
    record.module = module;
    apply(code, module.exports, [module.exports, require, module, importFrom(record)]);
    record.exported = keysOf(module.exports);
    record.hasValue = true;
  };

  const parseJson = (record) => {
    try {
      return parse(native.text(record.index));
    } catch (error) {
      throw moduleError(SyntaxErrorOf, `${error.message} [${record.name}]`);
    }
  };

  const makeValue = (record) => {
    if (record.kind === 'json') record.value = parseJson(record);
    else record.value = record.kind === 'text' ? native.text(record.index) : native.bytes(record.index);
    record.hasValue = true;
  };

  const evaluateValue = (record) => {
    if (record.failed !== undefined) throw record.failed.error;
    if (record.hasValue) return;
    try {
      if (record.kind === 'cjs') runCommon(record);
      else makeValue(record);
    } catch (error) {
      record.failed = { __proto__: null, error };
      throw error;
    }
  };

  const awaits = (record, seen) => {
    if (!isCode(record) || record.status === EVALUATED || isOnPath(record, seen)) return false;
    const path = { __proto__: null, record, next: seen };
    let found = record.hasAwait;
    for (let i = 0; i < record.requested.length && !found; i++) found = awaits(record.requested[i], path);
    return found;
  };

  // What require() gives of an ES module: its namespace, in which __esModule tells
  // compiled code that `default` is an export like others.
  const requiredOf = (record) => {
    const whole = resolveExport(record, 'module.exports', undefined);
    if (whole !== undefined && whole !== AMBIGUOUS) return whole.get();
    if (resolveExport(record, 'default', undefined) === undefined) return namespaceOf(record);
    record.required ??= namespaceWith(record, '__esModule');
    return record.required;
  };

  const requireFrom = (referrer, specifier) => {
    if (typeof specifier !== 'string') throw new TypeErrorOf(native.sentence('REQUIRE'));
    const record = resolve(specifier, null, referrer.name);
    prepare(record);
    if (!isCode(record)) {
      evaluateValue(record);
      return record.kind === 'cjs' ? record.module.exports : record.value;
    }
    if (awaits(record, undefined)) throw moduleError(ErrorOf, native.sentence('REQUIRE_AWAIT', record.name));
    evaluate(record);
    return requiredOf(record);
  };

  // ---- evaluation --------------------------------------------------------------

  const prepare = (record) => {
    load(record);
    instantiate(record);
    link(record);
  };

  const execute = (record) => {
    linkLate(record);
    return record.run();
  };

  let lastOrder = NONE;

  const evaluateRequested = (record, requested, stack) => {
    innerEvaluate(requested, stack);
    if (!isCode(requested)) return;
    let target = requested;
    if (requested.status === EVALUATING) {
      if (requested.ancestor < record.ancestor) record.ancestor = requested.ancestor;
    } else {
      target = requested.cycleRoot;
      if (target.failed !== undefined) throw target.failed.error;
    }
    if (target.order > NONE) {
      record.pending++;
      push(target.parents, record);
    }
  };

  const innerEvaluate = (record, stack) => {
    if (!isCode(record)) {
      evaluateValue(record);
      return;
    }
    if (record.failed !== undefined) throw record.failed.error;
    if (record.status !== LINKED) return;
    record.status = EVALUATING;
    record.position = stack.length;
    record.ancestor = stack.length;
    record.parents = newList();
    push(stack, record);
    for (let i = 0; i < record.requested.length; i++) evaluateRequested(record, record.requested[i], stack);
    if (record.pending > 0 || record.hasAwait) {
      record.order = ++lastOrder;
      if (record.pending === 0) executeAsync(record);
    } else {
      execute(record);
    }
    while (record.ancestor === record.position && stack.length > record.position) {
      const member = stack[--stack.length];
      member.status = member.order === NONE ? EVALUATED : EVALUATING_ASYNC;
      member.cycleRoot = record;
    }
  };

  // Evaluates what can be evaluated at once; throws what that threw.
  const evaluate = (record) => {
    const stack = newList();
    try {
      innerEvaluate(record, stack);
    } catch (error) {
      for (let i = 0; i < stack.length; i++) {
        stack[i].status = EVALUATED;
        stack[i].failed ??= { __proto__: null, error };
      }
      throw error;
    }
  };

  const executeAsync = async (record) => {
    try {
      await execute(record);
    } catch (error) {
      reject(record, error);
      return;
    }
    fulfill(record);
  };

  const settle = (record) => {
    record.order = DONE;
    record.status = EVALUATED;
    if (record.waiting === undefined) return;
    if (record.failed === undefined) record.waiting.resolve();
    else record.waiting.reject(record.failed.error);
  };

  const reject = (record, error) => {
    if (record.status === EVALUATED) return;
    record.failed = { __proto__: null, error };
    record.status = EVALUATED;
    for (let i = 0; i < record.parents.length; i++) reject(record.parents[i], error);
    settle(record);
  };

  const gatherReady = (record, ready) => {
    for (let i = 0; i < record.parents.length; i++) {
      const parent = record.parents[i];
      if (parent.failed !== undefined || parent.cycleRoot?.failed !== undefined) continue;
      if (--parent.pending > 0) continue;
      push(ready, parent);
      if (!parent.hasAwait) gatherReady(parent, ready);
    }
  };

  const fulfillParent = (parent) => {
    if (parent.status === EVALUATED) return;
    if (parent.hasAwait) {
      executeAsync(parent);
      return;
    }
    try {
      execute(parent);
    } catch (error) {
      reject(parent, error);
      return;
    }
    settle(parent);
  };

  const fulfill = (record) => {
    if (record.status === EVALUATED) return;
    const ready = newList();
    settle(record);
    gatherReady(record, ready);
    sort(ready, (a, b) => a.order - b.order);
    for (let i = 0; i < ready.length; i++) fulfillParent(ready[i]);
  };

  // Settles when the module has been evaluated, with its error where it has one.
  const evaluated = async (record) => {
    const root = record.cycleRoot ?? record;
    if (root.status === EVALUATED) {
      if (root.failed !== undefined) throw root.failed.error;
      return;
    }
    if (root.waiting === undefined) {
      const waiting = { __proto__: null, promise: undefined, resolve: undefined, reject: undefined };
      waiting.promise = new PromiseOf((resolveIt, rejectIt) => {
        waiting.resolve = resolveIt;
        waiting.reject = rejectIt;
      });
      root.waiting = waiting;
    }
    await root.waiting.promise;
  };

  const evaluateWhole = async (record) => {
    if (!isCode(record)) {
      evaluateValue(record);
      return;
    }
    evaluate(record);
    await evaluated(record);
  };

  // ---- import() ----------------------------------------------------------------

  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  // The type that the second argument of import() asks for; null: none.
  const typeIn = (options) => {
    if (options === undefined) return null;
    if (!isObject(options)) throw new TypeErrorOf(native.sentence('OPTIONS'));
    const attributes = options.with;
    if (attributes === undefined) return null;
    if (!isObject(attributes)) throw new TypeErrorOf(native.sentence('OPTIONS'));
    const all = entries(attributes);
    for (let i = 0; i < all.length; i++)
      if (typeof all[i][1] !== 'string') throw new TypeErrorOf(native.sentence('OPTIONS'));
    for (let i = 0; i < all.length; i++)
      if (all[i][0] !== 'type') throw new TypeErrorOf(native.sentence('ATTRIBUTE', all[i][0]));
    return all.length === 0 ? null : all[0][1];
  };

  const importFrom = (referrer) => async (specifier, options) => {
    const name = `${specifier}`;
    const record = resolve(name, typeIn(options), referrer.name);
    prepare(record);
    await undefined; // never in the middle of another evaluation
    await evaluateWhole(record);
    return namespaceOf(record);
  };

  // ---- the program -------------------------------------------------------------

  const readMap = () => {
    records = create(null);
    recordsByPath = create(null);
    for (let i = 0; i < native.count(); i++) {
      const name = native.name(i);
      const record = newRecord(i, name, native.kind(i));
      records[name] = record;
      if (startsWith(name, './')) recordsByPath[slice(name, 2)] ??= record;
    }
  };

  const kindOf = (value) => (value === null ? 'null' : `a value of type ${typeof value}`);

  // What the core runs in the place of the program; before it with a map of ours.
  (async () => {
    readMap();
    const record = records['program.js'];
    try {
      prepare(record);
      await evaluateWhole(record);
      const program = record.value;
      if (typeof program === 'function') return await program();
      core.done(failures.SYNTAX, false, core.notAFunction(kindOf(program)), '');
    } catch (thrown) {
      if (isOurs(thrown)) core.done(failures.MODULE, false, thrown.message, thrown.stack);
      throw thrown;
    }
    return undefined;
  });
}
