// The core of every isolate: the codec and the run itself. Evaluated in a fresh
// realm before any program, so what it captures at the top is the engine's own;
// everything after that assumes that a program has replaced every global, prototype
// method and accessor it can reach.
//
// What a program can do without is in runtime/parts.
//
// The rules that follow from it: no property is read from an object that inherits
// from a reachable prototype unless it is known to be its own; no for-of, spread
// or array destructuring; functions are called through apply() or uncurried;
// objects made for a look-up, and property descriptors, have no prototype.
// Awaiting is safe: it does not read `then` of a native promise.
//
// `this` is `native` (the functions of src/worker/natives.c), `texts` (sentences of
// src/tables/messages.def) and `failures` (numbers of the failure kinds). Gives the
// hooks that src/worker/isolate.c calls, and what the parts and runtime/surface use.
'use strict';

{
  const { native, texts, failures } = this;

  const { apply, defineProperty } = Reflect;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { create, hasOwn, keys } = Object;
  const { isArray } = Array;
  const { stringify, parse } = JSON;
  const { isView } = ArrayBuffer;
  const StringOf = String;
  const ErrorOf = Error;
  const TypeErrorOf = TypeError;
  const RangeErrorOf = RangeError;
  const BufferOf = ArrayBuffer;
  const toWellFormed = uncurry(String.prototype.toWellFormed);
  const indexOf = uncurry(String.prototype.indexOf);
  const hasInstance = uncurry(Function.prototype[Symbol.hasInstance]);

  const ENVELOPE = '__codemode_binary_v1__';
  // A text above this leaves the isolate in pieces: runtime/rare.js.
  const PIECE = 65536;

  // ---- what was thrown ------------------------------------------------------

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

  // The JSON text of `value`; with what was set aside, or when it has to leave in
  // pieces, an object that append() takes; undefined when there is none (undefined, a
  // function, a symbol). Throws what toJSON() and getters throw, and the serializer's
  // own sentences. Those of the program may call a tool or log, so no frame is written
  // meanwhile, and calls may nest.
  const encode = (value) => {
    const outer = aside;
    aside = undefined;
    try {
      const text = stringify(value, encodeOne);
      if (text === undefined || (aside === undefined && text.length <= PIECE)) return text;
      return { __proto__: null, text, aside };
    } catch (thrown) {
      if (thrown !== refusal && hasInstance(TypeErrorOf, thrown)) explain(value);
      throw thrown;
    } finally {
      aside = outer;
    }
  };

  const append = (encoded) => {
    if (typeof encoded === 'string') native.append(encoded);
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

  // ---- what nobody caught --------------------------------------------------

  const LOG_ERROR = 2; // a level of native.log()

  // Set by runtime/surface/report.js: true when the program has dealt with it.
  const reporting = { __proto__: null, onError: undefined, onRejection: undefined };

  const report = (thrown) => {
    if (reporting.onError !== undefined && reporting.onError(thrown)) return;
    native.log(LOG_ERROR, texts.UNCAUGHT + messageOf(thrown));
  };

  // ---- the run -------------------------------------------------------------

  const fail = (kind, thrown) => {
    const why = isOutOfMemory(thrown) ? failures.MEMORY : kind;
    native.done(why, false, messageOf(thrown), stackOf(thrown));
  };

  // What the value has of the program's own may throw when it is looked at.
  const isKept = (keep, value) => {
    try {
      return keep(value);
    } catch (thrown) {
      fail(failures.RESULT, thrown);
      return true;
    }
  };

  const succeed = (value) => {
    let encoded;
    try {
      encoded = encode(value);
      native.begin();
      if (typeof encoded === 'string') native.append(encoded);
      else if (encoded !== undefined) append(encoded);
    } catch (thrown) {
      fail(failures.RESULT, thrown);
      return;
    }
    native.done(failures.NONE, encoded !== undefined);
  };

  // `keep` is what keeps the isolate of a value that takes requests; undefined when
  // the host did not ask for that.
  const drive = async (program, keep) => {
    let value;
    try {
      value = await program();
    } catch (thrown) {
      fail(failures.THROWN, thrown);
      return;
    }
    if (keep === undefined || !isKept(keep, value)) succeed(value);
  };

  const kindOf = (value) => (value === null ? 'null' : `a value of type ${typeof value}`);

  ({
    run(program, keep) {
      // C knows the promise before its rejection could be reported to it: that
      // happens when this call is over.
      if (typeof program === 'function') native.driving(drive(program, keep));
      else native.done(failures.SYNTAX, false, native.notAFunction(kindOf(program)), '');
    },
    thrown(thrown) {
      fail(failures.THROWN, thrown);
    },
    rejected: native.rejected,
    rejection(promise, reason) {
      if (reporting.onRejection !== undefined && reporting.onRejection(promise, reason)) return;
      native.log(LOG_ERROR, texts.REJECTION + messageOf(reason));
    },
    // for runtime/parts and runtime/surface
    native,
    texts,
    part: native.part,
    reporting,
    report,
    messageOf,
    stackOf,
    isOutOfMemory,
    encode,
    append,
    decode,
    apply,
    defineProperty,
    create,
    uncurry,
    StringOf,
    TypeErrorOf,
    toWellFormed,
  });
}
