// DOMException: the WebIDL standard, 2.8.
import { DOMString } from './lib/webidl.js';

const { primordials, descriptor, exposeClass, exposeConstants, registerCloneable, isObject } = internals;
const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf, create, ownKeys } = primordials;
const { construct, deleteProperty } = Reflect;
const ErrorOf = Error;

const names = {
  IndexSizeError: ['INDEX_SIZE_ERR', 1],
  '': ['DOMSTRING_SIZE_ERR', 2],
  HierarchyRequestError: ['HIERARCHY_REQUEST_ERR', 3],
  WrongDocumentError: ['WRONG_DOCUMENT_ERR', 4],
  InvalidCharacterError: ['INVALID_CHARACTER_ERR', 5],
  ' ': ['NO_DATA_ALLOWED_ERR', 6],
  NoModificationAllowedError: ['NO_MODIFICATION_ALLOWED_ERR', 7],
  NotFoundError: ['NOT_FOUND_ERR', 8],
  NotSupportedError: ['NOT_SUPPORTED_ERR', 9],
  InUseAttributeError: ['INUSE_ATTRIBUTE_ERR', 10],
  InvalidStateError: ['INVALID_STATE_ERR', 11],
  SyntaxError: ['SYNTAX_ERR', 12],
  InvalidModificationError: ['INVALID_MODIFICATION_ERR', 13],
  NamespaceError: ['NAMESPACE_ERR', 14],
  InvalidAccessError: ['INVALID_ACCESS_ERR', 15],
  '  ': ['VALIDATION_ERR', 16],
  TypeMismatchError: ['TYPE_MISMATCH_ERR', 17],
  SecurityError: ['SECURITY_ERR', 18],
  NetworkError: ['NETWORK_ERR', 19],
  AbortError: ['ABORT_ERR', 20],
  URLMismatchError: ['URL_MISMATCH_ERR', 21],
  QuotaExceededError: ['QUOTA_EXCEEDED_ERR', 22],
  TimeoutError: ['TIMEOUT_ERR', 23],
  InvalidNodeTypeError: ['INVALID_NODE_TYPE_ERR', 24],
  DataCloneError: ['DATA_CLONE_ERR', 25],
};

const codes = create(null);
const constants = create(null);
const allNames = ownKeys(names);
for (let i = 0; i < allNames.length; i++) {
  const { 0: constant, 1: code } = names[allNames[i]];
  constants[constant] = code;
  if (allNames[i] > '!') codes[allNames[i]] = code;
}

export let isDOMException;
let stateOf;

// Puts the private field on an Error that exists: a class that extends Error would
// have the constructor Error as its prototype, which WebIDL does not want.
class State extends function (error) {
  return error;
} {
  #state;

  constructor(error, state) {
    super(error);
    this.#state = state;
  }
  static {
    stateOf = (error) => error.#state;
    isDOMException = (value) => isObject(value) && #state in value;
  }
}

const own = ['line', 'column', 'sourceURL'];

export class DOMException {
  constructor(message = '', name = 'Error') {
    const state = {
      __proto__: null,
      message: DOMString(message, 'DOMException: the message'),
      name: DOMString(name, 'DOMException: the name'),
    };
    const error = construct(ErrorOf, [], new.target);
    for (let i = 0; i < own.length; i++) deleteProperty(error, own[i]);
    return new State(error, state);
  }
  get name() {
    return stateOf(this).name;
  }
  get message() {
    return stateOf(this).message;
  }
  get code() {
    const { name } = stateOf(this);
    return name in codes ? codes[name] : 0;
  }
}
exposeClass(DOMException, 'DOMException');
exposeConstants(DOMException, constants);
setPrototypeOf(DOMException.prototype, ErrorOf.prototype);

registerCloneable(isDOMException, (value) => {
  const { message, name } = stateOf(value);
  const copy = new DOMException(message, name);
  const stack = getOwnPropertyDescriptor(value, 'stack');
  if (stack !== undefined && typeof stack.value === 'string') defineProperty(copy, 'stack', descriptor(stack.value, false));
  return copy;
});
