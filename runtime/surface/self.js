// self: the HTML standard. What the program assigns takes its place ([Replaceable]).
const { primordials, descriptor } = internals;
const { defineProperty, getOwnPropertyDescriptor } = primordials;
const global = globalThis;

export const self = getOwnPropertyDescriptor(
  {
    get self() {
      return global;
    },
    set self(value) {
      defineProperty(global, 'self', descriptor(value, true));
    },
  },
  'self',
);
