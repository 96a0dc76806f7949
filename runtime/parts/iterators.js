// The built-in iterators, mended for `for await` and Array.fromAsync().
'use strict';

{
  const { defineProperty } = this;
  const { getPrototypeOf } = Reflect;
  const { iterator } = Symbol;

  // JavaScriptCore 2.50 never settles `for await` and Array.fromAsync over an
  // iterator without a `return` method when a promise in it rejects; the built-in
  // iterators have none. Giving them one costs nothing else: it does what leaving
  // a loop early does without it.
  const closeIterator = {
    return(value) {
      return { value, done: true };
    },
  };
  const descriptor = {
    __proto__: null,
    value: closeIterator.return,
    writable: true,
    enumerable: false,
    configurable: true,
  };
  defineProperty(getPrototypeOf([][iterator]()), 'return', descriptor);
  defineProperty(getPrototypeOf(new Map()[iterator]()), 'return', descriptor);
  defineProperty(getPrototypeOf(new Set()[iterator]()), 'return', descriptor);
}
