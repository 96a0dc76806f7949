// Event, CustomEvent, EventTarget: the DOM standard, 2. There is no tree: the path
// of an event is its target alone.
import { any, boolean, dictionary, DOMString } from './lib/webidl.js';

const { primordials, exposeClass, exposeConstants, requireArguments, isObject, core, push, use } = internals;
const { apply, defineProperty, getOwnPropertyDescriptor } = primordials;
const TypeErrorOf = TypeError;
const { now } = internals;

const NONE = 0;
const AT_TARGET = 2;

// What the algorithms do with the private fields of an event.
export let stateOf;
export let isEvent;

const eventInit = dictionary([
  ['bubbles', boolean, false],
  ['cancelable', boolean, false],
  ['composed', boolean, false],
]);

class EventState {
  type = '';
  bubbles = false;
  cancelable = false;
  composed = false;
  target = null;
  current = null;
  phase = NONE;
  initialized = true;
  dispatching = false;
  stopped = false;
  stoppedNow = false;
  canceled = false;
  passive = false;
  trusted = false;
  time = now();
}

// Not a class member: each instance has it, and its getter is one for all.
const { get: isTrusted } = getOwnPropertyDescriptor(
  {
    get isTrusted() {
      return stateOf(this).trusted;
    },
  },
  'isTrusted',
);
const isTrustedProperty = { __proto__: null, get: isTrusted, set: undefined, enumerable: true, configurable: false };

export class Event {
  #state = new EventState();

  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'Event');
    const state = this.#state;
    state.type = DOMString(type, 'Event: the type');
    const init = eventInit(eventInitDict, 'Event: the options');
    state.bubbles = init.bubbles;
    state.cancelable = init.cancelable;
    state.composed = init.composed;
    defineProperty(this, 'isTrusted', isTrustedProperty);
  }
  get type() {
    return this.#state.type;
  }
  get target() {
    return this.#state.target;
  }
  get srcElement() {
    return this.#state.target;
  }
  get currentTarget() {
    return this.#state.current;
  }
  composedPath() {
    return this.#state.current === null ? [] : [this.#state.current];
  }
  get eventPhase() {
    return this.#state.phase;
  }
  stopPropagation() {
    this.#state.stopped = true;
  }
  get cancelBubble() {
    return this.#state.stopped;
  }
  set cancelBubble(value) {
    const state = this.#state;
    if (value) state.stopped = true;
  }
  stopImmediatePropagation() {
    const state = this.#state;
    state.stopped = true;
    state.stoppedNow = true;
  }
  get bubbles() {
    return this.#state.bubbles;
  }
  get cancelable() {
    return this.#state.cancelable;
  }
  get returnValue() {
    return !this.#state.canceled;
  }
  set returnValue(value) {
    const state = this.#state;
    if (!value) cancel(state);
  }
  preventDefault() {
    cancel(this.#state);
  }
  get defaultPrevented() {
    return this.#state.canceled;
  }
  get composed() {
    return this.#state.composed;
  }
  get timeStamp() {
    return this.#state.time;
  }
  initEvent(type, bubbles = false, cancelable = false) {
    const state = this.#state;
    requireArguments(arguments.length, 1, 'Event.initEvent');
    type = DOMString(type, 'Event.initEvent: the type');
    initialize(state, type, !!bubbles, !!cancelable);
  }
  static {
    stateOf = (event) => event.#state;
    isEvent = (value) => isObject(value) && #state in value;
  }
}
exposeClass(Event, 'Event');
exposeConstants(Event, { NONE, CAPTURING_PHASE: 1, AT_TARGET, BUBBLING_PHASE: 3 });

const cancel = (state) => {
  if (state.cancelable && !state.passive) state.canceled = true;
};

const initialize = (state, type, bubbles, cancelable) => {
  if (state.dispatching) return false;
  state.initialized = true;
  state.stopped = false;
  state.stoppedNow = false;
  state.canceled = false;
  state.trusted = false;
  state.target = null;
  state.type = type;
  state.bubbles = bubbles;
  state.cancelable = cancelable;
  return true;
};

const customEventInit = dictionary([['detail', any, null]]);

export class CustomEvent extends Event {
  #detail;

  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'CustomEvent');
    super(type, eventInitDict);
    this.#detail = customEventInit(eventInitDict, 'CustomEvent: the options').detail;
  }
  get detail() {
    return this.#detail;
  }
  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    this.#detail;
    requireArguments(arguments.length, 1, 'CustomEvent.initCustomEvent');
    type = DOMString(type, 'CustomEvent.initCustomEvent: the type');
    if (initialize(stateOf(this), type, !!bubbles, !!cancelable)) this.#detail = detail;
  }
}
exposeClass(CustomEvent, 'CustomEvent');

// ---- EventTarget --------------------------------------------------------------------

// The core tells of these only when the chunk is there.
const reportedTypes = { __proto__: null, error: 1, unhandledrejection: 1, rejectionhandled: 1 };

let listenersOf;
export let isEventTarget;

// The global object is an EventTarget whose prototype cannot be changed.
const globalListeners = { __proto__: null };

const thisTarget = (receiver) => {
  const target = receiver === undefined || receiver === null ? globalThis : receiver;
  if (!isEventTarget(target)) throw new TypeErrorOf('The receiver is not an EventTarget');
  return target;
};

const flatten = (options) => (isObject(options) ? !!options.capture : !!options);

const listenerOptions = (options) => {
  const capture = flatten(options);
  if (!isObject(options)) return { __proto__: null, capture, once: false, passive: false, signal: null };
  const once = !!options.once;
  const { passive, signal } = options;
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw new TypeErrorOf('addEventListener: the signal is not an AbortSignal');
  }
  return { __proto__: null, capture, once, passive: !!passive, signal: signal === undefined ? null : signal };
};

// Told by the chunk "abort" when it is evaluated: before that no signal exists.
let abort;
const isAbortSignal = (value) => abort !== undefined && abort.isAbortSignal(value);
export const setAbort = (exported) => {
  abort = exported;
};

const checkCallback = (callback, what) => {
  if (callback === undefined || callback === null || isObject(callback)) return callback ?? null;
  throw new TypeErrorOf(`${what}: the listener is neither a function nor an object`);
};

const find = (list, callback, capture) => {
  for (let i = 0; i < list.length; i++) {
    if (list[i].callback === callback && list[i].capture === capture) return i;
  }
  return -1;
};

// Lists are replaced, never changed: dispatching goes over the one it found.
const without = (list, at) => {
  const rest = [];
  for (let i = 0; i < list.length; i++) if (i !== at) push(rest, list[i]);
  return rest;
};

const removeListener = (lists, type, listener) => {
  const list = lists[type];
  if (list === undefined) return;
  for (let i = 0; i < list.length; i++) {
    if (list[i] !== listener) continue;
    listener.removed = true;
    lists[type] = without(list, i);
    return;
  }
};

// For other chunks: a listener of ours, which no program can remove.
export const addListener = (target, type, callback) => addTo(listenersOf(target), type, makeListener(callback, {}));

const makeListener = (callback, { capture = false, once = false, passive = false }) => ({
  __proto__: null,
  callback,
  capture,
  once,
  passive,
  removed: false,
});

const addTo = (lists, type, listener) => {
  const list = lists[type] ?? [];
  const longer = without(list, -1);
  push(longer, listener);
  lists[type] = longer;
  return listener;
};

export class EventTarget {
  #listeners = { __proto__: null };

  addEventListener(type, callback, options = undefined) {
    const target = thisTarget(this);
    requireArguments(arguments.length, 2, 'addEventListener');
    type = DOMString(type, 'addEventListener: the type');
    callback = checkCallback(callback, 'addEventListener');
    const given = listenerOptions(options);
    if (given.signal !== null && given.signal.aborted) return;
    const lists = listenersOf(target);
    if (target === globalThis && type in reportedTypes) use('report').expect(type);
    if (callback === null || find(lists[type] ?? [], callback, given.capture) >= 0) return;
    const listener = addTo(lists, type, makeListener(callback, given));
    if (given.signal !== null) abort.onAbort(given.signal, () => removeListener(lists, type, listener));
  }
  removeEventListener(type, callback, options = undefined) {
    const target = thisTarget(this);
    requireArguments(arguments.length, 2, 'removeEventListener');
    type = DOMString(type, 'removeEventListener: the type');
    callback = checkCallback(callback, 'removeEventListener');
    const capture = flatten(options);
    const lists = listenersOf(target);
    const list = lists[type] ?? [];
    const at = find(list, callback, capture);
    if (at >= 0) removeListener(lists, type, list[at]);
  }
  dispatchEvent(event) {
    const target = thisTarget(this);
    requireArguments(arguments.length, 1, 'dispatchEvent');
    if (!isEvent(event)) throw new TypeErrorOf('dispatchEvent: its argument is not an Event');
    const state = stateOf(event);
    if (state.dispatching || !state.initialized) {
      throw internals.newDOMException('The event is being dispatched already.', 'InvalidStateError');
    }
    state.trusted = false;
    return dispatch(target, event);
  }
  static {
    listenersOf = (target) => (target === globalThis ? globalListeners : target.#listeners);
    isEventTarget = (value) => value === globalThis || (isObject(value) && #listeners in value);
  }
}
exposeClass(EventTarget, 'EventTarget');
// Its prototype chain cannot say so.
defineProperty(EventTarget, Symbol.hasInstance, {
  __proto__: null,
  value: {
    [Symbol.hasInstance](value) {
      return (this === EventTarget && value === globalThis) || apply(ordinaryHasInstance, this, [value]);
    },
  }[Symbol.hasInstance],
  configurable: true,
});
const ordinaryHasInstance = Function.prototype[Symbol.hasInstance];

export const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;

const call = (listener, target, event) => {
  const { callback } = listener;
  let method = callback;
  let receiver = target;
  if (typeof callback !== 'function') {
    method = callback.handleEvent;
    receiver = callback;
    if (typeof method !== 'function') throw new TypeErrorOf('The listener has no method handleEvent');
  }
  apply(method, receiver, [event]);
};

const invoke = (listener, lists, target, event, state) => {
  if (listener.once) removeListener(lists, state.type, listener);
  state.passive = listener.passive;
  try {
    call(listener, target, event);
  } catch (thrown) {
    core.report(thrown);
  }
  state.passive = false;
};

// Those that capture come first, also at the target.
const invokeAll = (lists, target, event, state, capture) => {
  const list = lists[state.type];
  if (list === undefined) return;
  for (let i = 0; i < list.length && !state.stoppedNow; i++) {
    const listener = list[i];
    if (listener.capture === capture && !listener.removed) invoke(listener, lists, target, event, state);
  }
};

// True unless it was canceled.
export const dispatch = (target, event) => {
  const state = stateOf(event);
  const lists = listenersOf(target);
  state.dispatching = true;
  state.target = target;
  if (!state.stopped) {
    state.phase = AT_TARGET;
    state.current = target;
    invokeAll(lists, target, event, state, true);
    if (!state.stopped) invokeAll(lists, target, event, state, false);
  }
  state.phase = NONE;
  state.current = null;
  state.dispatching = false;
  state.stopped = false;
  state.stoppedNow = false;
  return !state.canceled;
};

// An event of ours.
export const fire = (target, event) => {
  stateOf(event).trusted = true;
  return dispatch(target, event);
};

// ---- event handlers: the HTML standard, 8.1.8.1 ------------------------------------------

// The accessor on `Class.prototype` (or, without a class, its descriptor) for an
// attribute "on" + type. `run(handler, receiver, event)` calls it where it is not
// called with the event alone, and says whether the event is canceled.
export const handlerAttribute = (type, handlersOf, run = runHandler) => {
  const name = `on${type}`;
  const accessor = {
    get [name]() {
      return handlersOf(this)[type]?.value ?? null;
    },
    set [name](value) {
      const handlers = handlersOf(this);
      const target = this ?? globalThis;
      setHandler(handlers, target, type, isObject(value) ? value : null, run);
    },
  };
  const property = getOwnPropertyDescriptor(accessor, name);
  property.enumerable = true;
  return property;
};

const runHandler = (handler, receiver, event) => apply(handler, receiver, [event]) === false;

const setHandler = (handlers, target, type, value, run) => {
  const lists = listenersOf(target);
  const handler = handlers[type];
  if (handler !== undefined) {
    handler.value = value;
    if (value === null) {
      removeListener(lists, type, handler.listener);
      delete handlers[type];
    }
    return;
  }
  if (value === null) return;
  const made = { __proto__: null, value, listener: null };
  const callback = (event) => {
    if (typeof made.value === 'function' && run(made.value, target, event)) cancel(stateOf(event));
  };
  made.listener = addTo(lists, type, makeListener(callback, {}));
  handlers[type] = made;
};
