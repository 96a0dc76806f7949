// Timers and queueMicrotask().
'use strict';

{
  const { native, report, apply, create, TypeErrorOf } = this;
  const global = globalThis;

  const timers = create(null);
  let lastTimer = 0;

  const startTimer = (name, handler, timeout, args, repeat) => {
    if (handler === undefined) throw new TypeErrorOf(`${name} takes a function as its first argument`);
    if (typeof handler !== 'function') handler = `${handler}`;
    let delay = timeout | 0;
    if (delay < 0) delay = 0;
    if (repeat && delay < 1) delay = 1;
    const id = ++lastTimer;
    timers[id] = { __proto__: null, handler, args, repeat: repeat ? delay : -1 };
    native.startTimer(id, delay);
    return id;
  };

  const stopTimer = (id) => {
    const number = +id;
    if (!(number in timers)) return;
    delete timers[number];
    native.stopTimer(number);
  };

  const fireTimer = (id) => {
    const timer = timers[id];
    if (timer === undefined) return;
    if (timer.repeat < 0) delete timers[id];
    else native.startTimer(id, timer.repeat);
    try {
      if (typeof timer.handler === 'string') native.evaluate(timer.handler);
      else apply(timer.handler, global, timer.args);
    } catch (thrown) {
      report(thrown);
    }
  };

  const callSoon = async (callback) => {
    await undefined;
    try {
      callback();
    } catch (thrown) {
      report(thrown);
    }
  };

  const timing = {
    setTimeout(handler, timeout = 0, ...args) {
      return startTimer('setTimeout', handler, timeout, args, false);
    },
    setInterval(handler, timeout = 0, ...args) {
      return startTimer('setInterval', handler, timeout, args, true);
    },
    clearTimeout(id = 0) {
      stopTimer(id);
    },
    clearInterval(id = 0) {
      stopTimer(id);
    },
    queueMicrotask(callback) {
      if (typeof callback !== 'function') throw new TypeErrorOf('queueMicrotask takes a function');
      callSoon(callback);
    },
  };

  global.setTimeout = timing.setTimeout;
  global.setInterval = timing.setInterval;
  global.clearTimeout = timing.clearTimeout;
  global.clearInterval = timing.clearInterval;
  global.queueMicrotask = timing.queueMicrotask;

  ({ timer: fireTimer, timing });
}
