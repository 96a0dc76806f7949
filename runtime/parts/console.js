// console. See runtime/core.js for the rules; a part is evaluated like it, with
// `this` being what the core gives.
'use strict';

{
  const { native, defineProperty, StringOf, toWellFormed } = this;

  const LEVELS = { __proto__: null, log: 0, warn: 1, error: 2 };

  const write = (level, args) => {
    let text = '';
    for (let i = 0; i < args.length; i++) text += (i === 0 ? '' : ' ') + StringOf(args[i]);
    native.log(level, toWellFormed(text));
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
  defineProperty(console, Symbol.toStringTag, { __proto__: null, value: 'console', configurable: true });

  // Assigning keeps the attributes of what the engine has under the same name.
  globalThis.console = console;
}
