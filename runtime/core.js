// The core of every isolate: console, timers, providers, the codec, and the
// run itself. Evaluated in a fresh realm before any program, so what it captures
// at the top is the engine's own; everything after that assumes that a program
// has replaced every global, prototype method and accessor it can reach.
//
// The rules that follow from it: no property is read from an object that inherits
// from a reachable prototype unless it is known to be its own; no for-of, spread
// or array destructuring; functions are called through apply() or uncurried;
// objects made for a look-up, and property descriptors, have no prototype.
// Awaiting is safe: it does not read `then` of a native promise.
//
// Takes `native` (the functions of src/worker/natives.c), `texts` (sentences of
// src/tables/messages.def) and `failures` (numbers of the failure kinds); gives the
// hooks that src/worker/isolate.c calls.
'use strict';

{
  const { native, texts, failures } = globalThis.codemode;
  delete globalThis.codemode;

  const global = globalThis;
  const apply = Reflect.apply;
  const { getPrototypeOf, defineProperty } = Reflect;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { create, freeze, keys } = Object;
  const { isArray } = Array;
  const hasOwn = Object.hasOwn;
  const { stringify, parse } = JSON;
  const { isView } = ArrayBuffer;
  const StringOf = String;
  const ErrorOf = Error;
  const TypeErrorOf = TypeError;
  const RangeErrorOf = RangeError;
  const PromiseOf = Promise;
  const ProxyOf = Proxy;
  const BufferOf = ArrayBuffer;
  const toWellFormed = uncurry(String.prototype.toWellFormed);
  const indexOf = uncurry(String.prototype.indexOf);
  const toLocaleStringOf = Object.prototype.toLocaleString;
  const valueOfObject = Object.prototype.valueOf;
  const toStringOfObject = Object.prototype.toString;
  const hasInstance = uncurry(Function.prototype[Symbol.hasInstance]);
  const then = uncurry(Promise.prototype.then);
  const resolved = Promise.resolve();
  const { toStringTag, iterator } = Symbol;

  const ENVELOPE = '__codemode_binary_v1__';
  // A text above this leaves the isolate in pieces: runtime/rare.js.
  const PIECE = 65536;

  // ---- definitions ---------------------------------------------------------

  const define = (target, key, value, enumerable) =>
    defineProperty(target, key, {
      __proto__: null,
      value,
      writable: true,
      enumerable,
      configurable: true,
    });

  // String() for what came out of JSON: an object there is shown as its JSON text,
  // and runs nothing of the program's.
  const toText = (value) => (typeof value === 'object' ? stringify(value) : StringOf(value));

  const isError = (value) => hasInstance(ErrorOf, value);

  // Without making a string: there may be no memory for one.
  const isOutOfMemory = (thrown) => {
    if (!hasInstance(RangeErrorOf, thrown)) return false;
    try {
      return thrown.message === 'Out of memory';
    } catch {
      return false; // a getter of the program's
    }
  };

  // The text of a thrown value: an Error's message, else String(value). Both may
  // run code of the program's, which may throw in turn.
  const messageOf = (thrown) => {
    try {
      return toWellFormed(StringOf(isError(thrown) ? thrown.message : thrown));
    } catch {
      return 'The program threw a value that cannot be converted to a string.';
    }
  };

  const stackOf = (thrown) => {
    try {
      const stack = isError(thrown) ? thrown.stack : undefined;
      return typeof stack === 'string' ? toWellFormed(stack) : '';
    } catch {
      return '';
    }
  };

  // ---- the codec -----------------------------------------------------------

  // The functions of runtime/rare.js, in their own realm. What they throw is that
  // realm's error for want of memory or stack, and must not reach the program.
  let rareFunctions;

  const rare = (name, first, second) => {
    try {
      if (rareFunctions === undefined) rareFunctions = native.rare();
      return rareFunctions[name](first, second);
    } catch {
      throw new RangeErrorOf('Out of memory');
    }
  };

  // Tells our refusal from what a toJSON() or getter of the program's throws.
  let refusal;

  const refuse = (message) => {
    refusal = new TypeErrorOf(message);
    throw refusal;
  };

  // What the call of encode() that is running sets aside.
  let aside;

  const asideOf = () => {
    if (aside === undefined) aside = rare('newAside');
    return aside;
  };

  // The replacer that every value passes through after its toJSON().
  const encodeOne = (key, value) => {
    switch (typeof value) {
      case 'object':
        if (value === null || !(isView(value) || hasInstance(BufferOf, value))) return value;
        return rare('setBytesAside', asideOf(), value);
      case 'string':
        return value.length > PIECE ? rare('setAside', asideOf(), value) : value;
      case 'bigint':
        return refuse(texts.BIGINT);
      default:
        return value;
    }
  };

  const explain = (value) => {
    const sentence = rare('explain', value);
    if (sentence !== undefined) refuse(sentence);
  };

  // The JSON text of `value` as append() takes it; its text is undefined when
  // there is none (undefined, a function, a symbol). Throws what toJSON() and
  // getters throw, and the serializer's own sentences. Those of the program may
  // call a tool or log, so no frame is written meanwhile, and calls may nest.
  const encode = (value) => {
    const outer = aside;
    aside = undefined;
    try {
      const text = stringify(value, encodeOne);
      return { __proto__: null, text, aside };
    } catch (thrown) {
      if (thrown !== refusal && hasInstance(TypeErrorOf, thrown)) explain(value);
      throw thrown;
    } finally {
      aside = outer;
    }
  };

  const append = (encoded) => {
    if (encoded.aside === undefined && encoded.text.length <= PIECE) native.append(encoded.text);
    else rare('append', encoded.text, encoded.aside);
  };

  // The reviver for texts that contain an envelope. What only looks like one
  // stays the object that it is.
  const decodeOne = (key, value) => {
    if (typeof value !== 'object' || value === null || isArray(value)) return value;
    if (!hasOwn(value, ENVELOPE) || !hasOwn(value, 'data') || keys(value).length !== 2) return value;
    const kind = value[ENVELOPE];
    const bytes = rare('decode', kind, value.data);
    return bytes === undefined ? value : native.adopt(bytes, kind === 'ArrayBuffer');
  };

  const decode = (text) => (indexOf(text, ENVELOPE) < 0 ? parse(text) : parse(text, decodeOne));

  // ---- console -------------------------------------------------------------

  const LEVELS = { __proto__: null, log: 0, warn: 1, error: 2 };

  const write = (level, args) => {
    let text = '';
    for (let i = 0; i < args.length; i++) text += (i === 0 ? '' : ' ') + StringOf(args[i]);
    native.log(level, toWellFormed(text));
  };

  // Set by runtime/surface/report.js: true when the program has dealt with it.
  const reporting = { __proto__: null, onError: undefined, onRejection: undefined };

  const reportUncaught = (thrown) => {
    if (reporting.onError !== undefined && reporting.onError(thrown)) return;
    native.log(LEVELS.error, texts.UNCAUGHT + messageOf(thrown));
  };

  // What WebIDL does with a string argument that nothing else is done with.
  const convert = (label) => `${label}`;

  // A literal gives its methods the attributes that WebIDL wants, and is much
  // cheaper than defining them one by one in every isolate.
  const console = {
    __proto__: {},
    log(...data) {
      write(LEVELS.log, data);
    },
    warn(...data) {
      write(LEVELS.warn, data);
    },
    error(...data) {
      write(LEVELS.error, data);
    },
    assert() {},
    clear() {},
    count(label = 'default') {
      convert(label);
    },
    countReset(label = 'default') {
      convert(label);
    },
    debug() {},
    dir() {},
    dirxml() {},
    group() {},
    groupCollapsed() {},
    groupEnd() {},
    info() {},
    profile() {},
    profileEnd() {},
    table() {},
    time(label = 'default') {
      convert(label);
    },
    timeEnd(label = 'default') {
      convert(label);
    },
    timeLog(label = 'default') {
      convert(label);
    },
    timeStamp() {},
    trace() {},
  };
  defineProperty(console, toStringTag, { __proto__: null, value: 'console', configurable: true });

  // ---- timers --------------------------------------------------------------

  const timers = create(null);
  let lastTimer = 0;

  const startTimer = (name, handler, timeout, args, repeat) => {
    if (handler === undefined) throw new TypeErrorOf(`${name} takes a function as its first argument`);
    if (typeof handler !== 'function') handler = `${handler}`;
    let delay = timeout | 0;
    if (delay < 0) delay = 0;
    if (repeat && delay < 1) delay = 1;
    const id = ++lastTimer;
    timers[id] = { __proto__: null, handler, args, repeat: repeat ? delay : -1 };
    native.startTimer(id, delay);
    return id;
  };

  const stopTimer = (id) => {
    const number = +id;
    if (!(number in timers)) return;
    delete timers[number];
    native.stopTimer(number);
  };

  const fireTimer = (id) => {
    const timer = timers[id];
    if (timer === undefined) return;
    if (timer.repeat < 0) delete timers[id];
    else native.startTimer(id, timer.repeat);
    try {
      if (typeof timer.handler === 'string') native.evaluate(timer.handler);
      else apply(timer.handler, global, timer.args);
    } catch (thrown) {
      reportUncaught(thrown);
    }
  };

  const timing = {
    setTimeout(handler, timeout = 0, ...args) {
      return startTimer('setTimeout', handler, timeout, args, false);
    },
    setInterval(handler, timeout = 0, ...args) {
      return startTimer('setInterval', handler, timeout, args, true);
    },
    clearTimeout(id = 0) {
      stopTimer(id);
    },
    clearInterval(id = 0) {
      stopTimer(id);
    },
    queueMicrotask(callback) {
      if (typeof callback !== 'function') throw new TypeErrorOf('queueMicrotask takes a function');
      then(resolved, () => {
        try {
          callback();
        } catch (thrown) {
          reportUncaught(thrown);
        }
      });
    },
  };

  // ---- random --------------------------------------------------------------

  // The engine seeds Math.random() from a state that workers of one zygote have
  // in common, so it is replaced: the generator sfc32, seeded by the kernel on
  // first use in each isolate.
  let a = 0;
  let b = 0;
  let c = 0;
  let counter = 0;

  const next32 = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };

  const random = {
    random() {
      if (counter === 0) {
        a = native.seed();
        b = native.seed();
        c = native.seed();
        counter = 1;
        for (let i = 0; i < 12; i++) next32();
      }
      return ((next32() >>> 5) * 67108864 + (next32() >>> 6)) / 9007199254740992;
    },
  };

  // ---- providers -----------------------------------------------------------

  const calls = create(null);

  // The Error of a call is made where the program made the call, so that its
  // stack names that line; what went wrong is filled in when it is known.
  const rejectCall = (call, error) => {
    const { site } = call;
    const fields = typeof error === 'object' ? error : { __proto__: null, message: error };
    define(site, 'message', hasOwn(fields, 'message') ? toText(fields.message) : '', false);
    if (hasOwn(fields, 'name')) define(site, 'name', toText(fields.name), false);
    if (hasOwn(fields, 'code')) define(site, 'code', fields.code, true);
    if (hasOwn(fields, 'data')) define(site, 'data', fields.data, true);
    call.reject(site);
  };

  const settleCall = (call, text) => {
    let answer;
    try {
      answer = decode(text);
    } catch (thrown) {
      if (hasInstance(RangeErrorOf, thrown)) {
        call.reject(thrown); // no memory for it
        return;
      }
      answer = undefined;
    }
    if (typeof answer !== 'object' || answer === null || isArray(answer)) {
      rejectCall(call, native.notJson(call.provider, call.tool));
    } else if (hasOwn(answer, 'error') && answer.error !== null) {
      rejectCall(call, answer.error);
    } else {
      call.resolve(hasOwn(answer, 'result') ? answer.result : undefined);
    }
  };

  const encodeArgs = (args) => {
    const all = create(null);
    for (let i = 0; i < args.length; i++) all[i] = encode(args[i]);
    return all;
  };

  const appendArgs = (all, count) => {
    native.append('[');
    for (let i = 0; i < count; i++) {
      if (i > 0) native.append(',');
      if (all[i].text === undefined) native.append('null');
      else append(all[i]);
    }
    native.append(']');
  };

  const startCall = (call, args) => {
    try {
      const all = encodeArgs(args);
      native.begin();
      appendArgs(all, args.length);
    } catch (thrown) {
      call.reject(thrown);
      return;
    }
    const id = native.call(call.provider, call.tool);
    if (typeof id === 'string') rejectCall(call, id);
    else calls[id] = call;
  };

  const callTool = (provider, tool, args) => {
    const call = { __proto__: null, provider, tool, site: new ErrorOf(), resolve: null, reject: null };
    const promise = new PromiseOf((resolve, reject) => {
      call.resolve = resolve;
      call.reject = reject;
    });
    startCall(call, args);
    return promise;
  };

  // What a conversion of the provider itself asks for is not a tool.
  const conversions = {
    __proto__: null,
    then: undefined,
    toJSON: undefined,
    toString: toStringOfObject,
    toLocaleString: toLocaleStringOf,
    valueOf: valueOfObject,
  };

  const makeProvider = (provider) => {
    const tools = create(null);
    const tag = `Provider ${provider}`;
    const get = (target, key) => {
      if (typeof key === 'symbol') return key === toStringTag ? tag : undefined;
      if (key in conversions) return conversions[key];
      if (!(key in tools)) {
        const tool = (...args) => callTool(provider, key, args);
        defineProperty(tool, 'name', { __proto__: null, value: key, configurable: true });
        tools[key] = tool;
      }
      return tools[key];
    };
    const refuseChange = () => false;
    return new ProxyOf(freeze(create(null)), {
      __proto__: null,
      get,
      has: (target, key) => typeof key === 'string' && !(key in conversions),
      set: refuseChange,
      defineProperty: refuseChange,
      deleteProperty: refuseChange,
    });
  };

  // ---- the global object ---------------------------------------------------

  // Assigning keeps the attributes of what the engine has under the same name.
  global.console = console;
  global.setTimeout = timing.setTimeout;
  global.setInterval = timing.setInterval;
  global.clearTimeout = timing.clearTimeout;
  global.clearInterval = timing.clearInterval;
  global.queueMicrotask = timing.queueMicrotask;
  Math.random = random.random;
  // They would block the only thread there is, and there is no shared memory.
  delete Atomics.wait;
  delete Atomics.waitAsync;

  class Navigator {
    get userAgent() {
      return texts.USER_AGENT;
    }
  }
  global.navigator = create(Navigator.prototype);

  const absence = async () => {
    throw new ErrorOf(texts.CACHES);
  };
  global.caches = {
    __proto__: {
      match: (request) => absence(request),
      has: (name) => absence(name),
      open: (name) => absence(name),
      delete: (name) => absence(name),
      keys: () => absence(),
    },
  };
  defineProperty(getPrototypeOf(global.caches), toStringTag, { __proto__: null, value: 'CacheStorage', configurable: true });

  // JavaScriptCore 2.50 never settles `for await` and Array.fromAsync over an
  // iterator without a `return` method when a promise in it rejects; the built-in
  // iterators have none. Giving them one costs nothing else: it does what leaving
  // a loop early does without it.
  const closeIterator = {
    return(value) {
      return { value, done: true };
    },
  };
  define(getPrototypeOf([][iterator]()), 'return', closeIterator.return, false);
  define(getPrototypeOf(new Map()[iterator]()), 'return', closeIterator.return, false);
  define(getPrototypeOf(new Set()[iterator]()), 'return', closeIterator.return, false);

  // ---- the run -------------------------------------------------------------

  const succeed = (value) => {
    let has;
    try {
      const encoded = encode(value);
      has = encoded.text !== undefined;
      native.begin();
      if (has) append(encoded);
    } catch (thrown) {
      fail(failures.RESULT, thrown);
      return;
    }
    native.done(failures.NONE, has);
  };

  const fail = (kind, thrown) => {
    const why = isOutOfMemory(thrown) ? failures.MEMORY : kind;
    native.done(why, false, messageOf(thrown), stackOf(thrown));
  };

  // Opened by begin(), when C knows the promise that drive() has returned.
  let openGate;

  const drive = async (program) => {
    await new PromiseOf((resolve) => {
      openGate = resolve;
    });
    let value;
    try {
      value = await program();
    } catch (thrown) {
      fail(failures.THROWN, thrown);
      return;
    }
    succeed(value);
  };

  const kindOf = (value) => (value === null ? 'null' : `a value of type ${typeof value}`);

  ({
    install(provider) {
      define(global, provider, makeProvider(provider), true);
    },
    run(program) {
      if (typeof program === 'function') return drive(program);
      native.done(failures.SYNTAX, false, native.notAFunction(kindOf(program)), '');
    },
    begin() {
      openGate();
    },
    thrown(thrown) {
      fail(failures.THROWN, thrown);
    },
    answer(id, text) {
      const call = calls[id];
      delete calls[id];
      settleCall(call, text);
    },
    reject(id, message) {
      const call = calls[id];
      delete calls[id];
      rejectCall(call, message);
    },
    timer: fireTimer,
    // for runtime/surface
    timing,
    reporting,
    report: reportUncaught,
    messageOf,
    rejected: native.rejected,
    rejection(promise, reason) {
      if (reporting.onRejection !== undefined && reporting.onRejection(promise, reason)) return;
      native.log(LEVELS.error, texts.REJECTION + messageOf(reason));
    },
  });
}
