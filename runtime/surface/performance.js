// performance: High Resolution Time. The clock starts with the run.
const { primordials, exposeClass, descriptor, now } = internals;
const { defineProperty, getOwnPropertyDescriptor } = primordials;
const { EventTarget } = internals.use('events');
const TypeErrorOf = TypeError;
const global = globalThis;

const token = {};
const { timeOrigin } = internals.native.realm;
let origin; // asked for in the run: the chunk may be older
const originOf = () => (origin ??= timeOrigin());

export class Performance extends EventTarget {
  #brand = 0;

  constructor() {
    if (arguments[0] !== token) throw new TypeErrorOf('Illegal constructor');
    super();
  }
  now() {
    this.#brand;
    return now();
  }
  get timeOrigin() {
    this.#brand;
    return originOf();
  }
  toJSON() {
    this.#brand;
    return { timeOrigin: originOf() };
  }
}
exposeClass(Performance, 'Performance');

const instance = new Performance(token);

export const performance = getOwnPropertyDescriptor(
  {
    get performance() {
      return instance;
    },
    set performance(value) {
      defineProperty(global, 'performance', descriptor(value, true));
    },
  },
  'performance',
);
