// Exceptions and rejections that the program did not catch, as events of the global
// object: the HTML standard, 8.1.4.6 and 8.1.4.7. Evaluated when the program names one
// of these globals or listens for one of these events; before that the core logs.
import { any, dictionary, DOMString, unsignedLong, USVString } from './lib/webidl.js';

const { primordials, descriptor, exposeClass, requireArguments, isObject, core, texts } = internals;
const { apply, defineProperty, getOwnPropertyDescriptor, uncurryThis } = primordials;
const { Event, fire, handlerAttribute, stateOf } = internals.use('events');
const TypeErrorOf = TypeError;
const PromiseOf = Promise;
const PromisePrototype = Promise.prototype;
const { setTimeout } = core.part('timers').timing;
const global = globalThis;

const errorInit = dictionary([
  ['colno', unsignedLong, 0],
  ['error', any, undefined],
  ['filename', USVString, ''],
  ['lineno', unsignedLong, 0],
  ['message', DOMString, ''],
]);

export class ErrorEvent extends Event {
  #init;

  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'ErrorEvent');
    super(type, eventInitDict);
    this.#init = errorInit(eventInitDict, 'ErrorEvent: the options');
  }
  get message() {
    return this.#init.message;
  }
  get filename() {
    return this.#init.filename;
  }
  get lineno() {
    return this.#init.lineno;
  }
  get colno() {
    return this.#init.colno;
  }
  get error() {
    return this.#init.error;
  }
}
exposeClass(ErrorEvent, 'ErrorEvent');

// A promise type of WebIDL: any value becomes a promise.
const toPromise = PromiseOf.resolve;
const promise = (value) => apply(toPromise, PromiseOf, [value]);

const rejectionInit = dictionary([
  ['promise', promise, undefined, true],
  ['reason', any, undefined],
]);

export class PromiseRejectionEvent extends Event {
  #init;

  constructor(type, eventInitDict) {
    requireArguments(arguments.length, 2, 'PromiseRejectionEvent');
    super(type, eventInitDict);
    this.#init = rejectionInit(eventInitDict, 'PromiseRejectionEvent: the options');
  }
  get promise() {
    return this.#init.promise;
  }
  get reason() {
    return this.#init.reason;
  }
}
exposeClass(PromiseRejectionEvent, 'PromiseRejectionEvent');

// ---- reporting ------------------------------------------------------------------------

const ownValue = (object, key) => {
  const property = getOwnPropertyDescriptor(object, key);
  return property === undefined ? undefined : property.value;
};

// Where the engine says that an Error was made.
const positionOf = (thrown) => {
  if (!isObject(thrown)) return { __proto__: null };
  try {
    const line = ownValue(thrown, 'line');
    const column = ownValue(thrown, 'column');
    const file = ownValue(thrown, 'sourceURL');
    return {
      __proto__: null,
      lineno: typeof line === 'number' ? line : 0,
      colno: typeof column === 'number' ? column : 0,
      filename: typeof file === 'string' ? file : '',
    };
  } catch {
    return { __proto__: null }; // a proxy of the program's
  }
};

let isReporting = false;

// True when a handler has dealt with it.
const onError = (thrown) => {
  if (isReporting) return false;
  isReporting = true;
  try {
    const init = positionOf(thrown);
    init.cancelable = true;
    init.error = thrown;
    init.message = texts.UNCAUGHT + core.messageOf(thrown);
    return !fire(global, new ErrorEvent('error', init));
  } finally {
    isReporting = false;
  }
};

// Reported, and not known to be handled since: promise to reason.
const reported = new WeakMap();
const setReported = uncurryThis(WeakMap.prototype.set);
const isReported = uncurryThis(WeakMap.prototype.has);
const reasonOf = uncurryThis(WeakMap.prototype.get);
const forget = uncurryThis(WeakMap.prototype.delete);

const onRejection = (promise, reason) => {
  const event = new PromiseRejectionEvent('unhandledrejection', { __proto__: null, cancelable: true, promise, reason });
  const isCanceled = !fire(global, event);
  setReported(reported, promise, reason);
  return isCanceled;
};

const tellHandled = (promise) => {
  const reason = reasonOf(reported, promise);
  forget(reported, promise);
  setTimeout(() => fire(global, new PromiseRejectionEvent('rejectionhandled', { __proto__: null, promise, reason })), 0);
};

// The engine does not say that a promise is handled late, so for a program that wants
// to know, then() looks. It does not see an `await`.
let isWatching = false;

const watch = () => {
  if (isWatching) return;
  isWatching = true;
  const original = PromisePrototype.then;
  const { then } = {
    then(onFulfilled, onRejected) {
      if (isObject(this) && isReported(reported, this)) tellHandled(this);
      return apply(original, this, [onFulfilled, onRejected]);
    },
  };
  defineProperty(PromisePrototype, 'then', descriptor(then, false));
};

// The program listens for events of this type.
export const expect = (type) => {
  if (type === 'rejectionhandled') watch();
};

core.reporting.onError = onError;
core.reporting.onRejection = onRejection;

export const reportError = {
  reportError(e) {
    requireArguments(arguments.length, 1, 'reportError');
    core.report(e);
  },
}.reportError;

// ---- event handlers of the global object ------------------------------------------------

const handlers = { __proto__: null };

const globalHandlers = (receiver) => {
  if (receiver !== undefined && receiver !== null && receiver !== global) {
    throw new TypeErrorOf('The receiver is not the global object');
  }
  return handlers;
};

// onerror alone takes the parts of the event, and cancels by returning true.
const runOnError = (handler, receiver, event) => {
  if (!isErrorEvent(event)) return apply(handler, receiver, [event]) === false;
  const { message, filename, lineno, colno, error } = event;
  return apply(handler, receiver, [message, filename, lineno, colno, error]) === true;
};

const messageGetter = getOwnPropertyDescriptor(ErrorEvent.prototype, 'message').get;
const isErrorEvent = (event) => {
  try {
    apply(messageGetter, event, []);
    return stateOf(event).type === 'error';
  } catch {
    return false;
  }
};

export const onerror = handlerAttribute('error', globalHandlers, runOnError);
export const onunhandledrejection = handlerAttribute('unhandledrejection', globalHandlers);
export const onrejectionhandled = handlerAttribute('rejectionhandled', (receiver) => {
  expect('rejectionhandled');
  return globalHandlers(receiver);
});
