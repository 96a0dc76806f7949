// Bodies of responses that are still coming. What has come of one waits in the worker
// (src/worker/natives_fetch.c), and the server with it, until it is asked for: piece by
// piece through a stream, or all of it at once.
import { closeStream, streams } from './stream.js';
import { lengthOf } from '../lib/text.js';

const { fetchAbort, fetchRead, fetchReadAll } = internals.native;
const PromiseOf = Promise;

const all = { __proto__: null }; // by the numbers of their fetches

export const isComing = (id) => id in all;

// `body` is told the bytes where nobody has asked for them before the last has come.
export const makeComing = (id, body) =>
  (all[id] = {
    __proto__: null,
    id,
    body,
    failed: false,
    reason: undefined,
    controller: undefined, // of its stream
    settle: undefined, // of who waits for all of it
    onEnd: undefined, // called once
  });

const end = (coming) => {
  const { onEnd } = coming;
  delete all[coming.id];
  coming.onEnd = undefined;
  if (onEnd !== undefined) onEnd();
};

export const arrive = (id, bytes, last) => {
  const coming = all[id];
  const { controller, settle } = coming;
  if (last) end(coming);
  if (settle !== undefined) {
    settle.resolve({ __proto__: null, bytes });
  } else if (controller !== undefined) {
    if (lengthOf(bytes) > 0) streams().enqueueBytes(controller, bytes);
    if (last) closeStream(controller);
  } else {
    coming.body.bytes = bytes;
    coming.body.coming = undefined;
  }
};

const failWith = (coming, reason) => {
  const { controller, settle } = coming;
  end(coming);
  coming.failed = true;
  coming.reason = reason;
  if (settle !== undefined) settle.reject(reason);
  else if (controller !== undefined) streams().errorBytes(controller, reason);
};

export const failComing = (id, reason) => failWith(all[id], reason);

// Nobody wants the rest.
const giveUp = (coming) => {
  if (!isComing(coming.id)) return;
  fetchAbort(coming.id);
  end(coming);
};

export const abortComing = (coming, reason) => {
  if (!isComing(coming.id)) return;
  fetchAbort(coming.id);
  failWith(coming, reason);
};

// Calls `onEnd` when nothing more can come.
export const whenEnded = (coming, onEnd) => {
  if (isComing(coming.id)) coming.onEnd = onEnd;
  else onEnd();
};

export const streamOfComing = (coming) => {
  const { enqueueBytes, errorBytes, ReadableStream } = streams();
  const start = (controller) => {
    coming.controller = controller;
    if (coming.failed) errorBytes(controller, coming.reason);
  };
  // Null: arrive() does it.
  const pull = (controller) => {
    const bytes = fetchRead(coming.id);
    if (bytes !== null) enqueueBytes(controller, bytes);
  };
  return new ReadableStream({ __proto__: null, type: 'bytes', start, pull, cancel: () => giveUp(coming) });
};

// {bytes}, as readAll() of a stream.
export const readComing = (coming) =>
  new PromiseOf((resolve, reject) => {
    if (coming.failed) {
      reject(coming.reason);
      return;
    }
    coming.settle = { __proto__: null, resolve, reject };
    fetchReadAll(coming.id);
  });
