// AbortController and AbortSignal: the DOM standard, 3.
import { enforcedUnsignedLongLong, sequence } from './lib/webidl.js';

const { primordials, exposeClass, requireArguments, isObject, core, push } = internals;
const { EventTarget, Event, fire, handlerAttribute, setAbort } = internals.use('events');
const { setTimeout } = core.part('timers').timing;
const TypeErrorOf = TypeError;

const token = {};
const enforcedDelay = enforcedUnsignedLongLong;
const signals = sequence((value, what) => {
  if (!isAbortSignal(value)) throw new TypeErrorOf(`${what} is not an AbortSignal`);
  return value;
});

export let isAbortSignal;
let stateOf;

const make = () => new AbortSignal(token);

export class AbortSignal extends EventTarget {
  #state = {
    __proto__: null,
    aborted: false,
    reason: undefined,
    algorithms: [],
    sources: [], // of a dependent signal
    dependents: [],
    dependent: false,
    handlers: { __proto__: null },
  };

  constructor() {
    if (arguments[0] !== token) throw new TypeErrorOf('Illegal constructor');
    super();
  }
  static abort(reason = undefined) {
    const signal = make();
    const state = stateOf(signal);
    state.aborted = true;
    state.reason = reason === undefined ? newAbortError() : reason;
    return signal;
  }
  static timeout(milliseconds) {
    requireArguments(arguments.length, 1, 'AbortSignal.timeout');
    const delay = enforcedDelay(milliseconds, 'AbortSignal.timeout: the delay');
    const signal = make();
    // A timer goes no further than 31 bits: that is longer than any run.
    if (delay <= 0x7fffffff) {
      setTimeout(() => {
        signalAbort(signal, internals.newDOMException('The operation timed out.', 'TimeoutError'));
      }, delay);
    }
    return signal;
  }
  static any(sources) {
    requireArguments(arguments.length, 1, 'AbortSignal.any');
    return anyOf(signals(sources, 'AbortSignal.any: the signals'));
  }
  get aborted() {
    return this.#state.aborted;
  }
  get reason() {
    return this.#state.reason;
  }
  throwIfAborted() {
    const state = this.#state;
    if (state.aborted) throw state.reason;
  }
  static {
    isAbortSignal = (value) => isObject(value) && #state in value;
    stateOf = (signal) => signal.#state;
  }
}

const newAbortError = () => internals.newDOMException('The operation was aborted.', 'AbortError');

// An abort that `sources` share; also for fetch and streams.
export const anyOf = (sources) => {
  const result = make();
  const state = stateOf(result);
  for (let i = 0; i < sources.length; i++) {
    const source = stateOf(sources[i]);
    if (!source.aborted) continue;
    state.aborted = true;
    state.reason = source.reason;
    return result;
  }
  state.dependent = true;
  for (let i = 0; i < sources.length; i++) {
    const source = stateOf(sources[i]);
    if (!source.dependent) {
      follow(result, sources[i]);
      continue;
    }
    for (let k = 0; k < source.sources.length; k++) follow(result, source.sources[k]);
  }
  return result;
};

const follow = (dependent, source) => {
  const { sources } = stateOf(dependent);
  for (let i = 0; i < sources.length; i++) if (sources[i] === source) return;
  push(sources, source);
  push(stateOf(source).dependents, dependent);
};

// Calls `algorithm` when the signal is aborted, before its event.
export const onAbort = (signal, algorithm) => {
  const state = stateOf(signal);
  if (!state.aborted) push(state.algorithms, algorithm);
};

export const offAbort = (signal, algorithm) => {
  const state = stateOf(signal);
  const rest = [];
  for (let i = 0; i < state.algorithms.length; i++) {
    if (state.algorithms[i] !== algorithm) push(rest, state.algorithms[i]);
  }
  state.algorithms = rest;
};

const runSteps = (signal) => {
  const state = stateOf(signal);
  const { algorithms } = state;
  state.algorithms = [];
  for (let i = 0; i < algorithms.length; i++) algorithms[i]();
  fire(signal, new Event('abort'));
};

export const signalAbort = (signal, reason = newAbortError()) => {
  const state = stateOf(signal);
  if (state.aborted) return;
  state.aborted = true;
  state.reason = reason;
  const following = [];
  for (let i = 0; i < state.dependents.length; i++) {
    const dependent = stateOf(state.dependents[i]);
    if (dependent.aborted) continue;
    dependent.aborted = true;
    dependent.reason = reason;
    push(following, state.dependents[i]);
  }
  state.dependents = [];
  runSteps(signal);
  for (let i = 0; i < following.length; i++) runSteps(following[i]);
};

primordials.defineProperty(
  AbortSignal.prototype,
  'onabort',
  handlerAttribute('abort', (signal) => stateOf(signal).handlers),
);
exposeClass(AbortSignal, 'AbortSignal');

export class AbortController {
  #signal = make();

  get signal() {
    return this.#signal;
  }
  abort(reason = undefined) {
    signalAbort(this.#signal, reason);
  }
}
exposeClass(AbortController, 'AbortController');

export const isAborted = (signal) => stateOf(signal).aborted;
export const reasonOf = (signal) => stateOf(signal).reason;

setAbort({ isAbortSignal, onAbort });

export { make as newSignal };
