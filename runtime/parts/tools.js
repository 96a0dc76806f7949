// Providers: the globals whose methods are tools. Installed before a program that is
// given some.
'use strict';

{
  const { native, encode, append, decode, defineProperty, create, StringOf } = this;
  const { freeze, hasOwn } = Object;
  const { isArray } = Array;
  const { stringify } = JSON;
  const { toStringTag } = Symbol;
  const ErrorOf = Error;
  const RangeErrorOf = RangeError;
  const PromiseOf = Promise;
  const ProxyOf = Proxy;
  const hasInstance = this.uncurry(Function.prototype[Symbol.hasInstance]);
  const toLocaleStringOf = Object.prototype.toLocaleString;
  const valueOfObject = Object.prototype.valueOf;
  const toStringOfObject = Object.prototype.toString;

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
      if (all[i] === undefined) native.append('null');
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

  ({
    install(target, provider) {
      define(target, provider, makeProvider(provider), true);
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
  });
}
