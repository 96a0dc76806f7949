// MessageChannel, MessagePort, MessageEvent: the HTML standard, 9.4. Both ends are in
// one realm: a message is cloned when it is sent and delivered in a task of its own.
import { any, dictionary, DOMString, nullable, object, sequence, sequenceFrom, USVString } from './lib/webidl.js';

const { primordials, exposeClass, requireArguments, isObject, push, core, registerTransferable } = internals;
const { apply, defineProperty, getOwnPropertyDescriptor } = primordials;
const { freeze } = Object;
const { Event, EventTarget, fire, handlerAttribute, stateOf: eventState } = internals.use('events');
const { clone, transferOptions } = internals.use('clone');
const { setTimeout } = core.part('timers').timing;
const TypeErrorOf = TypeError;
const iterator = Symbol.iterator;

const token = {};
let fieldsOf; // what the functions below do with private fields
let isPort;

const port = (value, what) => {
  if (!isPort(value)) throw new TypeErrorOf(`${what} is not a MessagePort`);
  return value;
};
const ports = sequence(port);
const noPorts = () => [];

// ---- MessageEvent ------------------------------------------------------------------------

const messageEventInit = dictionary([
  ['data', any, null],
  ['lastEventId', DOMString, ''],
  ['origin', USVString, ''],
  ['ports', ports, noPorts],
  ['source', nullable(port), null],
]);

let messageEvent;

export class MessageEvent extends Event {
  #init;

  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'MessageEvent');
    super(type, eventInitDict);
    this.#init = messageEventInit(eventInitDict, 'MessageEvent: the options');
    freeze(this.#init.ports);
  }
  get data() {
    return this.#init.data;
  }
  get origin() {
    return this.#init.origin;
  }
  get lastEventId() {
    return this.#init.lastEventId;
  }
  get source() {
    return this.#init.source;
  }
  get ports() {
    return this.#init.ports;
  }
  initMessageEvent(
    type,
    bubbles = false,
    cancelable = false,
    data = null,
    origin = '',
    lastEventId = '',
    source = null,
    messagePorts = undefined,
  ) {
    this.#init;
    requireArguments(arguments.length, 1, 'MessageEvent.initMessageEvent');
    const what = 'MessageEvent.initMessageEvent: an argument';
    const init = {
      __proto__: null,
      data,
      origin: USVString(origin, what),
      lastEventId: DOMString(lastEventId, what),
      source: nullable(port)(source, what),
      ports: freeze(messagePorts === undefined ? [] : ports(messagePorts, what)),
    };
    const isBeingDispatched = eventState(this).dispatching;
    this.initEvent(type, bubbles, cancelable);
    if (!isBeingDispatched) this.#init = init;
  }
  static {
    // Not through the constructor, which asks the iterator of `ports`.
    messageEvent = ({ data, ports }) => {
      const event = new MessageEvent('message', { __proto__: null, data });
      event.#init.ports = freeze(ports);
      return event;
    };
  }
}
exposeClass(MessageEvent, 'MessageEvent');

// ---- MessagePort ---------------------------------------------------------------------------

// One end of a channel. It is the object's of one port at a time: a transfer gives it
// to another.
const newEnd = () => ({ __proto__: null, other: null, queue: [], port: null, started: false, closed: false });

const entangle = (a, b) => {
  a.other = b;
  b.other = a;
};

const deliver = (end) => {
  if (!end.started || end.queue.length === 0) return;
  const message = end.queue[0];
  const rest = [];
  for (let i = 1; i < end.queue.length; i++) push(rest, end.queue[i]);
  end.queue = rest;
  fire(end.port, messageEvent(message));
};

const schedule = (end) => setTimeout(() => deliver(end), 0);

export class MessagePort extends EventTarget {
  #end; // null when it has been transferred
  #handlers = { __proto__: null };

  constructor() {
    if (arguments[0] !== token) throw new TypeErrorOf('Illegal constructor');
    super();
    this.#end = arguments[1];
    this.#end.port = this;
  }
  postMessage(message, transferOrOptions = undefined) {
    const end = this.#end;
    requireArguments(arguments.length, 1, 'MessagePort.postMessage');
    const transfer = transferOf(transferOrOptions);
    for (let i = 0; i < transfer.length; i++) {
      if (transfer[i] === this) {
        throw internals.newDOMException('A port cannot be sent through itself.', 'DataCloneError');
      }
    }
    const target = end === null ? null : end.other;
    const { value, moved } = clone(message, transfer);
    if (target === null) return;
    // A port whose other end is sent through it has nobody to talk to.
    if (target.port === null || includes(transfer, target.port)) return;
    push(target.queue, { __proto__: null, data: value, ports: portsOf(moved) });
    if (target.started) schedule(target);
  }
  start() {
    const end = this.#end;
    if (end === null || end.started) return;
    end.started = true;
    for (let i = 0; i < end.queue.length; i++) schedule(end);
  }
  close() {
    const end = this.#end;
    if (end === null || end.closed) return;
    const { other } = end;
    end.closed = true;
    end.other = null; // messages that have arrived are still delivered
    if (other === null) return;
    other.other = null;
    setTimeout(() => {
      if (other.port !== null) fire(other.port, new Event('close'));
    }, 0);
  }
  static {
    isPort = (value) => isObject(value) && #end in value;
    fieldsOf = {
      __proto__: null,
      isDetached: (value) => value.#end === null || value.#end.closed,
      handlers: (value) => value.#handlers,
      move: (value) => {
        const end = value.#end;
        value.#end = null;
        end.started = false;
        return new MessagePort(token, end);
      },
    };
  }
}

const includes = (items, value) => {
  for (let i = 0; i < items.length; i++) if (items[i] === value) return true;
  return false;
};

const portsOf = (moved) => {
  const found = [];
  for (let i = 0; i < moved.length; i++) if (isPort(moved[i])) push(found, moved[i]);
  return found;
};

// The overloads: a sequence, or a dictionary that has one.
const transferOf = (value) => {
  const what = 'MessagePort.postMessage: the second argument';
  if (isObject(value)) {
    const method = value[iterator];
    if (method !== undefined && method !== null) {
      return sequenceFrom(value, method, object, what);
    }
  }
  return transferOptions(value, what).transfer;
};

const start = MessagePort.prototype.start;

// Setting onmessage starts the port.
const messageHandler = () => {
  const property = handlerAttribute('message', (value) => fieldsOf.handlers(value));
  const { set } = property;
  const { set: setAndStart } = getOwnPropertyDescriptor(
    {
      set onmessage(value) {
        apply(set, this, [value]);
        apply(start, this, []);
      },
    },
    'onmessage',
  );
  property.set = setAndStart;
  return property;
};

defineProperty(MessagePort.prototype, 'onmessage', messageHandler());
defineProperty(MessagePort.prototype, 'onmessageerror', handlerAttribute('messageerror', (value) => fieldsOf.handlers(value)));
defineProperty(MessagePort.prototype, 'onclose', handlerAttribute('close', (value) => fieldsOf.handlers(value)));
exposeClass(MessagePort, 'MessagePort');

registerTransferable(
  (value) => isPort(value),
  (value) => fieldsOf.isDetached(value),
  (value) => fieldsOf.move(value),
);

export class MessageChannel {
  #port1;
  #port2;

  constructor() {
    const one = newEnd();
    const two = newEnd();
    entangle(one, two);
    this.#port1 = new MessagePort(token, one);
    this.#port2 = new MessagePort(token, two);
  }
  get port1() {
    return this.#port1;
  }
  get port2() {
    return this.#port2;
  }
}
exposeClass(MessageChannel, 'MessageChannel');
