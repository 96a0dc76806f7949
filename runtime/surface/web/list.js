// Lists of ours, and the iterators of interfaces that are lists of pairs.
const { primordials, descriptor, setName } = internals;
const { defineProperty, setPrototypeOf, getPrototypeOf, apply, uncurryThis } = primordials;
const { iterator, toStringTag } = Symbol;
const IteratorPrototype = getPrototypeOf(getPrototypeOf([][iterator]()));
const ArrayPrototype = Array.prototype;
const TypeErrorOf = TypeError;

const inherit = (array, prototype) => {
  setPrototypeOf(array, prototype);
  return array;
};

// An array without a prototype: a program may have given that one a setter for "0".
export const newList = () => inherit([], null);

export const splice = uncurryThis(Array.prototype.splice);
export const sort = uncurryThis(Array.prototype.sort);

export const listOf = (items) => inherit(items, null);

// What a list of ours becomes when a program gets it.
export const toArray = (list) => inherit(list, ArrayPrototype);

const makeCursor = (name, pairAt) => {
  class Cursor {
    #object;
    #kind;
    #index = 0;

    constructor(object, kind) {
      this.#object = object;
      this.#kind = kind;
    }
    next() {
      const pair = pairAt(this.#object, this.#index);
      if (pair === undefined) return { value: undefined, done: true };
      this.#index++;
      if (this.#kind === 'key') return { value: pair.key, done: false };
      if (this.#kind === 'value') return { value: pair.value, done: false };
      return { value: [pair.key, pair.value], done: false };
    }
  }
  const { prototype } = Cursor;
  delete prototype.constructor;
  setPrototypeOf(prototype, IteratorPrototype);
  defineProperty(prototype, 'next', descriptor(prototype.next, true));
  defineProperty(prototype, toStringTag, descriptor(`${name} Iterator`, false, false));
  return Cursor;
};

// Gives the class the members of `iterable<key, value>`. `pairAt(object, index)` is
// a pair {key, value}, or undefined behind the last; it throws for what is not an
// object of the class.
export const makeIterable = (Class, name, pairAt) => {
  const Cursor = makeCursor(name, pairAt);
  const check = (object) => pairAt(object, 0);
  const members = {
    entries() {
      check(this);
      return new Cursor(this, 'entry');
    },
    keys() {
      check(this);
      return new Cursor(this, 'key');
    },
    values() {
      check(this);
      return new Cursor(this, 'value');
    },
    forEach(callback, thisArg = undefined) {
      check(this);
      if (typeof callback !== 'function') throw new TypeErrorOf(`${name}.forEach: the callback is not a function`);
      for (let i = 0; ; i++) {
        const pair = pairAt(this, i);
        if (pair === undefined) return;
        apply(callback, thisArg, [pair.value, pair.key, this]);
      }
    },
  };
  const { prototype } = Class;
  for (const key of ['entries', 'keys', 'values', 'forEach']) {
    defineProperty(prototype, key, descriptor(setName(members[key], key), true));
  }
  defineProperty(prototype, iterator, descriptor(members.entries, false));
};
