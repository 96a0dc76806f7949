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
  const { getPrototypeOf, getOwnPropertyDescriptor, defineProperty, ownKeys } = Reflect;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { create, freeze } = Object;
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
  const Bytes = Uint8Array;
  const BufferOf = ArrayBuffer;
  const fromBase64 = Uint8Array.fromBase64;
  const toBase64 = uncurry(Uint8Array.prototype.toBase64);
  const toWellFormed = uncurry(String.prototype.toWellFormed);
  const slice = uncurry(String.prototype.slice);
  const indexOf = uncurry(String.prototype.indexOf);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const objectToString = uncurry(Object.prototype.toString);
  const toLocaleStringOf = Object.prototype.toLocaleString;
  const valueOfObject = Object.prototype.valueOf;
  const toStringOfObject = Object.prototype.toString;
  const hasInstance = uncurry(Function.prototype[Symbol.hasInstance]);
  const then = uncurry(Promise.prototype.then);
  const resolved = Promise.resolve();
  const { toStringTag, iterator } = Symbol;

  const TypedArray = getPrototypeOf(Uint8Array);
  const getter = (prototype, key) => uncurry(getOwnPropertyDescriptor(prototype, key).get);
  const typedName = getter(TypedArray.prototype, toStringTag);
  const typedBuffer = getter(TypedArray.prototype, 'buffer');
  const typedOffset = getter(TypedArray.prototype, 'byteOffset');
  const typedLength = getter(TypedArray.prototype, 'byteLength');
  const viewBuffer = getter(DataView.prototype, 'buffer');
  const viewOffset = getter(DataView.prototype, 'byteOffset');
  const viewLength = getter(DataView.prototype, 'byteLength');
  const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');

  const ENVELOPE = '__codemode_binary_v1__';
  // Strings and bytes above this leave the isolate in pieces, so that a large
  // result does not need a multiple of its size while it is encoded.
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

  // What a call of encode() sets aside while the engine stringifies the rest.
  let large = null;
  let largeCount = 0;
  let largeMark = '';

  const setAside = (value) => {
    if (large === null) {
      large = create(null);
      largeMark = 'large-' + native.nonce() + '-';
    }
    large[largeCount] = value;
    return largeMark + largeCount++;
  };

  const bytesOf = (view) =>
    typedName(view) === undefined
      ? new Bytes(viewBuffer(view), viewOffset(view), viewLength(view))
      : new Bytes(typedBuffer(view), typedOffset(view), typedLength(view));

  const envelope = (kind, bytes) =>
    typedLength(bytes) > PIECE
      ? setAside({ __proto__: null, kind, bytes })
      : { __proto__: null, [ENVELOPE]: kind, data: toBase64(bytes) };

  const bufferBytes = (value) => {
    try {
      bufferLength(value);
      return new Bytes(value);
    } catch {
      return undefined; // it only inherits from ArrayBuffer, or is detached
    }
  };

  // Distinguishes our refusal from what a toJSON() or getter of the program's throws.
  let refusal;

  const refuse = (message) => {
    refusal = new TypeErrorOf(message);
    throw refusal;
  };

  // The replacer that every value passes through after its toJSON().
  const encodeOne = (key, value) => {
    if (typeof value === 'object') {
      if (value === null) return value;
      if (isView(value)) {
        return envelope(typedName(value) === 'Uint8Array' ? 'Uint8Array' : 'ArrayBufferView', bytesOf(value));
      }
      if (hasInstance(BufferOf, value)) {
        const bytes = bufferBytes(value);
        if (bytes !== undefined) return envelope('ArrayBuffer', bytes);
      }
      return value;
    }
    if (typeof value === 'string') return value.length > PIECE ? setAside(value) : value;
    if (typeof value === 'bigint') return refuse(texts.BIGINT);
    return value;
  };

  const nameOfConstructor = (object) => {
    const tag = getOwnPropertyDescriptor(object, toStringTag);
    if (tag !== undefined && typeof tag.value === 'string') return tag.value;
    for (let at = getPrototypeOf(object); at !== null; at = getPrototypeOf(at)) {
      const made = getOwnPropertyDescriptor(at, 'constructor');
      if (made === undefined || typeof made.value !== 'function') continue;
      const name = getOwnPropertyDescriptor(made.value, 'name');
      if (name !== undefined && typeof name.value === 'string' && name.value !== '') return name.value;
    }
    return 'Object';
  };

  const keyText = (holder, key) =>
    isArray(holder) ? `index ${key}` : key === '' ? '<anonymous>' : `property '${key}'`;

  const circleText = (path, start, holder, key) => {
    const step = (i) =>
      `\n    |     ${keyText(path[i].holder, path[i].key)} -> object with constructor '${nameOfConstructor(path[i].value)}'`;
    let text = `Converting circular structure to JSON\n    --> starting at object with constructor '${nameOfConstructor(path[start].value)}'`;
    const last = path.length - 1;
    for (let i = start + 1; i <= last; i++) {
      if (i === start + 3 && i < last) {
        text += '\n    |     ...';
        i = last;
      }
      text += step(i);
    }
    return `${text}\n    --- ${keyText(holder, key)} closes the circle`;
  };

  // The engine has refused a value without saying where its circle is: walks it
  // again, keeping the path, and throws the sentence that names it.
  const explainCircle = (value) => {
    const path = create(null);
    path.length = 0;
    stringify(value, function (key, inner) {
      if (typeof inner !== 'object' || inner === null || isView(inner)) return 0;
      while (path.length > 0 && path[path.length - 1].value !== this) path.length--;
      for (let i = 0; i < path.length; i++) {
        if (path[i].value === inner) refuse(circleText(path, i, this, key));
      }
      path[path.length] = { __proto__: null, holder: this, key, value: inner };
      path.length++;
      return inner;
    });
  };

  const appendText = (text) => {
    let at = 0;
    while (text.length - at > PIECE) {
      let end = at + PIECE;
      const unit = charCodeAt(text, end - 1);
      if (unit >= 0xd800 && unit < 0xdc00) end++; // keep surrogate pairs together
      native.append(slice(text, at, end));
      at = end;
    }
    native.append(at === 0 ? text : slice(text, at));
  };

  const appendString = (text) => {
    native.append('"');
    for (let at = 0; at < text.length; ) {
      let end = at + PIECE;
      const unit = end < text.length ? charCodeAt(text, end - 1) : 0;
      if (unit >= 0xd800 && unit < 0xdc00) end++;
      const quoted = stringify(slice(text, at, end));
      native.append(slice(quoted, 1, quoted.length - 1));
      at = end;
    }
    native.append('"');
  };

  const appendBinary = (kind, bytes) => {
    const step = 49152; // divisible by 3: no padding but at the end
    const length = typedLength(bytes);
    native.append(`{"${ENVELOPE}":"${kind}","data":"`);
    for (let at = 0; at < length; at += step) {
      const n = length - at < step ? length - at : step;
      native.append(toBase64(new Bytes(typedBuffer(bytes), typedOffset(bytes) + at, n)));
    }
    native.append('"}');
  };

  // Puts what was set aside where its marks stand in `text`.
  const appendWithLarge = (text, values, mark) => {
    let at = 0;
    for (;;) {
      const found = indexOf(text, `"${mark}`, at);
      if (found < 0) break;
      appendText(slice(text, at, found));
      const end = indexOf(text, '"', found + 1);
      const value = values[slice(text, found + 1 + mark.length, end)];
      if (typeof value === 'string') appendString(value);
      else appendBinary(value.kind, value.bytes);
      at = end + 1;
    }
    appendText(slice(text, at));
  };

  // Appends the JSON text of `value` to the frame that is being written. False
  // when there is none (undefined, a function, a symbol). Throws what toJSON()
  // and getters throw, and the serializer's own sentences.
  const encode = (value) => {
    let text;
    if (typeof value === 'string' && value.length > PIECE) {
      appendString(value);
      return true;
    }
    large = null;
    largeCount = 0;
    try {
      text = stringify(value, encodeOne);
    } catch (thrown) {
      if (thrown !== refusal && hasInstance(TypeErrorOf, thrown)) explainCircle(value);
      throw thrown;
    }
    if (text === undefined) return false;
    const values = large;
    large = null;
    if (values === null) appendText(text);
    else appendWithLarge(text, values, largeMark);
    return true;
  };

  const base64Options = { __proto__: null, alphabet: 'base64', lastChunkHandling: 'strict' };

  const decodeBytes = (data) => {
    try {
      return apply(fromBase64, Bytes, [data, base64Options]);
    } catch {
      return undefined;
    }
  };

  // The reviver for texts that contain an envelope. What only looks like one
  // stays the object that it is.
  const decodeOne = (key, value) => {
    if (typeof value !== 'object' || value === null || isArray(value)) return value;
    if (!hasOwn(value, ENVELOPE) || !hasOwn(value, 'data')) return value;
    const kind = value[ENVELOPE];
    if (kind !== 'Uint8Array' && kind !== 'ArrayBuffer' && kind !== 'ArrayBufferView') return value;
    if (typeof value.data !== 'string' || ownKeys(value).length !== 2) return value;
    const bytes = decodeBytes(value.data);
    if (bytes === undefined) return value;
    return kind === 'ArrayBuffer' ? typedBuffer(bytes) : bytes;
  };

  const decode = (text) => (indexOf(text, ENVELOPE) < 0 ? parse(text) : parse(text, decodeOne));

  // ---- console -------------------------------------------------------------

  const LEVELS = { __proto__: null, log: 0, warn: 1, error: 2 };

  const write = (level, args) => {
    let text = '';
    for (let i = 0; i < args.length; i++) text += (i === 0 ? '' : ' ') + StringOf(args[i]);
    native.log(level, toWellFormed(text));
  };

  const reportUncaught = (thrown) => native.log(LEVELS.error, texts.UNCAUGHT + messageOf(thrown));

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
    count() {},
    countReset() {},
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
    time() {},
    timeEnd() {},
    timeLog() {},
    timeStamp() {},
    trace() {},
  };
  defineProperty(console, toStringTag, { __proto__: null, value: 'console', configurable: true });

  // ---- timers --------------------------------------------------------------

  const timers = create(null);
  let lastTimer = 0;

  const startTimer = (name, handler, timeout, args, repeat) => {
    if (typeof handler !== 'function') throw new TypeErrorOf(`${name} takes a function as its first argument`);
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
      apply(timer.handler, global, timer.args);
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
    } catch {
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

  const appendArgs = (args) => {
    native.append('[');
    for (let i = 0; i < args.length; i++) {
      if (i > 0) native.append(',');
      if (!encode(args[i])) native.append('null');
    }
    native.append(']');
  };

  const startCall = (call, args) => {
    native.begin();
    try {
      appendArgs(args);
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
    native.begin();
    try {
      has = encode(value);
    } catch (thrown) {
      fail(failures.RESULT, thrown);
      return;
    }
    native.done(failures.NONE, has);
  };

  const fail = (kind, thrown) => {
    const message = messageOf(thrown);
    const exhausted = message === 'Out of memory' && hasInstance(RangeErrorOf, thrown);
    native.done(exhausted ? failures.MEMORY : kind, false, message, stackOf(thrown));
  };

  const drive = async (program) => {
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
      if (typeof program === 'function') drive(program);
      else native.done(failures.SYNTAX, false, native.notAFunction(kindOf(program)), '');
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
    rejection(promise, reason) {
      native.log(LEVELS.error, texts.REJECTION + messageOf(reason));
    },
  });
}
