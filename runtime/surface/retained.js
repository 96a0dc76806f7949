// Retained executions: a program's value that takes requests, kept and called.
// What comes and goes is plain data; src/worker/natives_retained.c carries it.
import { newList } from './lib/text.js';

const { native, core, primordials, use, isObject } = internals;
const { apply, create, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = primordials;
const { retain, reply, fail } = native.retained;
const { incoming, outgoing } = use('fetch');
const global = globalThis;

let target;
const handlers = create(null);

// A prototype that is not the program's: the class of a global, or one without a
// name (of iterators, generators).
const isBuiltIn = (prototype) => {
  const maker = getOwnPropertyDescriptor(prototype, 'constructor');
  if (maker === undefined) return false;
  if (typeof maker.value !== 'function') return true;
  const found = getOwnPropertyDescriptor(global, maker.value.name);
  return found !== undefined && found.value === maker.value;
};

// The methods of an object: its own, and those of the program's classes.
const collect = (value) => {
  const names = newList();
  for (let at = value; at !== null && (at === value || !isBuiltIn(at)); at = getPrototypeOf(at)) {
    const keys = ownKeys(at);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (typeof key !== 'string' || key === 'constructor' || key in handlers) continue;
      const method = getOwnPropertyDescriptor(at, key).value;
      if (typeof method !== 'function') continue;
      handlers[key] = method;
      names[names.length] = key;
    }
  }
  return names;
};

// Whether the program's value takes requests: the isolate then stays.
export const keep = (value) => {
  if (typeof value === 'function') {
    handlers.default = value;
    const names = newList();
    names[0] = 'default';
    return retain(names);
  }
  if (!isObject(value)) return false;
  target = value;
  const names = collect(value);
  return names.length > 0 && retain(names);
};

// One call of a handler; reply() or fail() ends it.
export const invoke = async (invocation, handle, url, method, headers, body) => {
  try {
    const value = await apply(handlers[handle], target, [incoming(url, method, headers, body)]);
    const response = await outgoing(handle, value);
    reply(invocation, response.status, response.statusText, response.headers, response.body);
  } catch (thrown) {
    fail(invocation, core.messageOf(thrown), core.stackOf(thrown), core.isOutOfMemory(thrown));
  }
};
