/**
 * What is measured: one row each. `method` is a method of bench.c and peers/measure.mjs, `count` and
 * `width` its arguments; `quick` replaces `count` in a run with --quick. `better` says which way is up.
 * A row with `parts` prints one line a part; one with `per` shows the method's figures divided by it.
 * One with `megabytes` shows how many of them pass in a second. `peers` are those that it is measured for.
 */

export const OURS = 'codemode-executor';
export const DAEMON = 'codemode-executor serve';
/** JavaScriptCore without any of ours: what a fresh VM for each program leaves to reach. */
export const ENGINE = 'JavaScriptCore alone';
export const ISOLATED_VM = 'isolated-vm';
export const QUICKJS = 'quickjs-emscripten';
export const WORKERD = 'workerd';
/** An echo: what is left when a connection is all there is. */
export const SOCKET = 'WebSocket alone';

/** Driven inside the host's process. */
const EMBEDDED = [OURS, ISOLATED_VM, QUICKJS];

/** These and what is driven over a connection. */
const ALL = [...EMBEDDED, DAEMON, WORKERD];

/** Programs a second with `width` of them in flight. */
const throughput = (width, peers = [...EMBEDDED, ENGINE]) => ({
  row: `throughput_${width}`,
  title: `Trivial programs a second, ${width} in flight`,
  unit: '1/s',
  better: 'more',
  method: 'throughput',
  file: 'programs/trivial.js',
  count: 1200,
  quick: 60,
  width,
  peers,
});

/** A compute kernel: the same text for all, timed inside the isolate. */
const kernel = (name, title) => ({
  row: `kernel_${name}`,
  title: `Kernel: ${title}`,
  unit: 'ms',
  better: 'less',
  method: 'kernel',
  file: `kernels/${name}.js`,
  count: 5,
  quick: 1,
  peers: EMBEDDED,
});

/** What a program that names it waits longer than one that does not, the two by turns. */
const touch = (name, title) => ({
  row: `touch_${name}`,
  title: `First touch: ${title}`,
  unit: 'ms',
  better: 'less',
  method: 'difference',
  file: `programs/touch/${name}.js`,
  baseline: 'programs/trivial.js',
  count: 30,
  quick: 5,
  peers: [OURS],
});

/** As touch(), timed by a program that hides the name until it runs. */
const inside = (name, title) => ({
  ...kernel(name, title),
  row: `inside_${name}`,
  title: `First touch, inside the run: ${title}`,
  file: `programs/inside/${name}.js`,
  count: 20,
  peers: [OURS],
});

/** 10 MB through a function of C, timed inside the isolate. */
const bulk = (name, title) => ({
  ...kernel(name, title),
  row: `bulk_${name}`,
  title: `10 MB: ${title}`,
  unit: 'MB/s',
  better: 'more',
  megabytes: 10,
  file: `kernels/bulk/${name}.js`,
  peers: [OURS],
});

export const rows = [
  {
    row: 'latency',
    title: 'Trivial program, idle executor',
    unit: 'ms',
    better: 'less',
    method: 'latency',
    file: 'programs/trivial.js',
    count: 300,
    quick: 30,
    peers: [...ALL, SOCKET],
  },
  {
    row: 'rested',
    title: 'Trivial program after 25 ms in which nothing ran',
    unit: 'ms',
    better: 'less',
    method: 'rested',
    file: 'programs/trivial.js',
    count: 100,
    quick: 10,
    peers: [ISOLATED_VM, DAEMON, WORKERD, SOCKET],
  },
  {
    row: 'answer',
    title: 'Call that runs no program',
    unit: 'ms',
    better: 'less',
    method: 'answer',
    file: 'programs/trivial.js',
    count: 2000,
    quick: 30,
    peers: [DAEMON],
  },
  throughput(1),
  throughput(2),
  throughput(4),
  throughput(8, [...ALL, ENGINE]),
  {
    row: 'waiting',
    title: 'Memory of a run that waits for a tool, 100 at once',
    unit: 'MB',
    better: 'less',
    method: 'waiting',
    file: 'programs/wait.js',
    width: 100,
    peers: EMBEDDED,
  },
  {
    row: 'calls',
    title: 'Tool-call round trip, 2,000 in a row',
    unit: 'µs',
    better: 'less',
    method: 'calls',
    file: 'programs/calls.js',
    peers: [...EMBEDDED, DAEMON, SOCKET],
  },
  {
    row: 'argument',
    title: 'Tool call with 1 MB of text',
    unit: 'ms',
    better: 'less',
    method: 'calls',
    per: 1000,
    file: 'programs/argument.js',
    peers: [...EMBEDDED, DAEMON],
  },
  {
    row: 'result_text',
    title: 'Result of 1 MB of text',
    unit: 'ms',
    better: 'less',
    method: 'difference',
    file: 'programs/text.js',
    baseline: 'programs/text_kept.js',
    count: 50,
    quick: 3,
    peers: ALL,
  },
  {
    row: 'result_16mb',
    title: 'Result of 16 MB of text',
    unit: 'ms',
    better: 'less',
    method: 'difference',
    file: 'programs/text_16mb.js',
    baseline: 'programs/text_16mb_kept.js',
    count: 8,
    quick: 2,
    peers: ALL,
  },
  {
    row: 'result_objects',
    title: 'Result of 1 MB of objects',
    unit: 'ms',
    better: 'less',
    method: 'difference',
    file: 'programs/records.js',
    baseline: 'programs/records_kept.js',
    count: 20,
    quick: 3,
    peers: ALL,
  },
  kernel('recursion', 'recursion'),
  kernel('objects', 'objects'),
  kernel('sort', 'sort'),
  kernel('json', 'JSON'),
  kernel('map', 'Map and Set'),
  kernel('regexp', 'regular expression'),
  bulk('decode', 'TextDecoder'),
  bulk('encode', 'TextEncoder'),
  bulk('base64', 'atob'),
  bulk('digest', 'SHA-256'),
  bulk('gunzip', 'gunzip'),
  touch('performance', 'performance, and what every other one needs'),
  touch('events', 'EventTarget'),
  touch('abort', 'AbortSignal'),
  touch('url', 'URL'),
  touch('urlpattern', 'URLPattern'),
  touch('fetch', 'fetch, Headers, Request, Response'),
  touch('streams', 'ReadableStream'),
  touch('crypto', 'crypto.subtle'),
  touch('encoding', 'TextDecoder'),
  touch('clone', 'structuredClone'),
  touch('messaging', 'MessageChannel'),
  touch('all', 'the global object'),
  inside('url', 'URL'),
  inside('fetch', 'fetch, Headers, Request, Response'),
  inside('streams', 'ReadableStream'),
  inside('crypto', 'crypto.subtle'),
  {
    row: 'fetch',
    title: 'Small local response',
    unit: 'ms',
    better: 'less',
    method: 'fetch',
    file: 'programs/fetch.js',
    parts: ['curl', 'first', 'next'],
    count: 100,
    quick: 10,
    peers: [OURS],
  },
  {
    row: 'imports',
    title: 'Three cached modules of 20 KB',
    unit: 'ms',
    better: 'less',
    method: 'imports',
    file: 'programs/imports.js',
    baseline: 'programs/trivial.js',
    count: 40,
    quick: 5,
    peers: [OURS],
  },
  {
    row: 'cold',
    title: 'Compiling 25 new modules, 500 KB',
    unit: 'ms',
    better: 'less',
    method: 'cold',
    file: 'programs/imports_all.js',
    count: 7,
    quick: 1,
    peers: [OURS],
  },
  {
    row: 'cold_values',
    title: 'The same, with exports of values',
    unit: 'ms',
    better: 'less',
    method: 'cold_values',
    file: 'programs/imports_all.js',
    count: 7,
    quick: 1,
    peers: [OURS],
  },
  {
    row: 'cold_imports',
    title: 'The same, with imports that are used',
    unit: 'ms',
    better: 'less',
    method: 'cold_imports',
    file: 'programs/imports_all.js',
    count: 7,
    quick: 1,
    peers: [OURS],
  },
  {
    row: 'cold_typescript',
    title: 'The same, in TypeScript',
    unit: 'ms',
    better: 'less',
    method: 'cold_typescript',
    file: 'programs/imports_all_ts.js',
    count: 7,
    quick: 1,
    peers: [OURS],
  },
  {
    row: 'invoke',
    title: 'Retained handler, 10,000 calls',
    unit: 'ms',
    units: { growth: 'MB' },
    better: 'less',
    method: 'invoke',
    file: 'programs/retained.js',
    parts: ['latency', 'growth'],
    count: 10_000,
    quick: 300,
    peers: [OURS],
  },
  {
    row: 'size',
    title: 'Script of a chunk',
    unit: 'KB',
    better: 'less',
    method: 'sizes',
    parts: ['base', 'events', 'abort', 'url', 'url_pattern', 'fetch', 'streams', 'crypto', 'encoding', 'clone', 'messaging'],
    peers: [OURS],
  },
  {
    row: 'host_cpu',
    title: "Host's own CPU for a trivial run",
    unit: 'µs',
    better: 'less',
    method: 'cpu',
    file: 'programs/trivial.js',
    count: 2000,
    quick: 60,
    peers: [OURS],
  },
  {
    row: 'endurance',
    title: 'Growth over 20,000 runs with a call and a log line',
    unit: '%',
    better: 'less',
    method: 'endurance',
    file: 'programs/one_call.js',
    parts: ['descriptors', 'processes', 'memory'],
    count: 20_000,
    quick: 400,
    width: 2,
    rounds: 1,
    peers: [OURS],
  },
  {
    row: 'crowd',
    title: '1,000 runs wait for a tool',
    unit: 'ms',
    units: { memory: 'MB' },
    better: 'less',
    method: 'crowd',
    file: 'programs/wait.js',
    parts: ['memory', 'idle', 'meanwhile'],
    count: 100,
    quick: 10,
    width: 1000,
    rounds: 1,
    peers: [DAEMON],
  },
  {
    row: 'idle',
    title: 'Daemon at rest',
    unit: 'MB',
    units: { wakeups: '1/s' },
    better: 'less',
    method: 'idle',
    file: 'programs/trivial.js',
    parts: ['memory', 'wakeups'],
    count: 10,
    quick: 2,
    rounds: 1,
    peers: [DAEMON],
  },
];

const WIDTHS = [1, 2, 4, 8];

/** Figures to reach. `at(row, peer)` is a result or undefined; undefined makes no statement. */
export const targets = [
  {
    text: 'Trivial program: p50 at most 0.3 ms',
    value: (at) => at('latency')?.p50,
    reached: (ms) => ms <= 0.3,
  },
  {
    text: "Trivial program: p50 at least 10 times lower than isolated-vm's",
    value: (at) => at('latency', 'isolated-vm')?.p50 / at('latency')?.p50,
    reached: (ratio) => ratio >= 10,
  },
  {
    text: 'Four in flight: at least 1,000 programs a second',
    value: (at) => at('throughput_4')?.value,
    reached: (rate) => rate >= 1000,
  },
  {
    text: "Four in flight: at least 4 times isolated-vm's best",
    value: (at) =>
      at('throughput_4')?.value /
      Math.max(...WIDTHS.map((width) => at(`throughput_${width}`, 'isolated-vm')?.value)),
    reached: (ratio) => ratio >= 4,
  },
  {
    text: 'Waiting run: at most 1.5 MB',
    value: (at) => at('waiting')?.value,
    reached: (mb) => mb <= 1.5,
  },
  {
    text: 'Tool-call round trip: at most 60 µs',
    value: (at) => at('calls')?.value,
    reached: (us) => us <= 60,
  },
  {
    text: "Host's own CPU for a run: at most 60 µs",
    value: (at) => at('host_cpu')?.value,
    reached: (us) => us <= 60,
  },
  ...[
    ['url', 1.5],
    ['fetch', 2],
    ['streams', 3],
    ['crypto', 2],
  ].map(([name, bound]) => ({
    text: `First touch of ${name}: at most ${bound} ms`,
    value: (at) => at(`touch_${name}`)?.value,
    reached: (ms) => ms <= bound,
  })),
  ...['decode', 'encode', 'base64', 'digest', 'gunzip'].map((name) => ({
    text: `10 MB through ${name}: at least 200 MB/s`,
    value: (at) => at(`bulk_${name}`)?.value,
    reached: (rate) => rate >= 200,
  })),
  ...[
    ['url', 1.5],
    ['fetch', 2],
    ['streams', 3],
    ['crypto', 2],
  ].map(([name, bound]) => ({
    text: `First touch of ${name}, inside the run: at most ${bound} ms`,
    value: (at) => at(`inside_${name}`)?.value,
    reached: (ms) => ms <= bound,
  })),
  {
    text: 'fetch of a small local response: at most 1 ms over curl',
    value: (at) => at('fetch_next')?.value - at('fetch_curl')?.value,
    reached: (ms) => ms <= 1,
  },
  {
    text: 'Three cached modules of 20 KB: at most 2 ms',
    value: (at) => at('imports')?.value,
    reached: (ms) => ms <= 2,
  },
  {
    text: 'Compiling 500 KB of new modules: at most 150 ms',
    value: (at) => at('cold')?.value,
    reached: (ms) => ms <= 150,
  },
  {
    text: 'The same of modules that export values: at most 150 ms',
    value: (at) => at('cold_values')?.value,
    reached: (ms) => ms <= 150,
  },
  {
    text: 'The same of modules that import: at most 150 ms',
    value: (at) => at('cold_imports')?.value,
    reached: (ms) => ms <= 150,
  },
  {
    text: 'Retained handler: p50 of a call at most 0.25 ms',
    value: (at) => at('invoke_latency')?.p50,
    reached: (ms) => ms <= 0.25,
  },
  {
    text: 'Retained handler: at most 1 MB more in the second half of 10,000 calls',
    value: (at) => at('invoke_growth')?.value,
    reached: (mb) => mb <= 1,
  },
  {
    text: 'Daemon, trivial program: p50 at most 0.7 ms',
    value: (at) => at('latency', DAEMON)?.p50,
    reached: (ms) => ms <= 0.7,
  },
  {
    text: "Daemon, trivial program: p50 at least 10 times lower than workerd's",
    value: (at) => at('latency', WORKERD)?.p50 / at('latency', DAEMON)?.p50,
    reached: (ratio) => ratio >= 10,
  },
  {
    text: 'Daemon, eight in flight: at least 800 programs a second',
    value: (at) => at('throughput_8', DAEMON)?.value,
    reached: (rate) => rate >= 800,
  },
  {
    text: 'Daemon, tool-call round trip: at most 200 µs',
    value: (at) => at('calls', DAEMON)?.value,
    reached: (us) => us <= 200,
  },
  {
    text: 'Daemon, 1,000 waiting runs: at most 1,500 MB in all',
    value: (at) => at('crowd_memory', DAEMON)?.value,
    reached: (mb) => mb <= 1500,
  },
  {
    text: 'Daemon, another program beside 1,000 waiting runs: at most twice its idle latency',
    value: (at) => at('crowd_meanwhile', DAEMON)?.value / at('crowd_idle', DAEMON)?.value,
    reached: (ratio) => ratio <= 2,
  },
  {
    text: 'Daemon at rest: under 40 MB',
    value: (at) => at('idle_memory', DAEMON)?.value,
    reached: (mb) => mb < 40,
  },
  {
    text: 'Daemon at rest: at most one wake-up a second',
    value: (at) => at('idle_wakeups', DAEMON)?.value,
    reached: (rate) => rate <= 1,
  },
  ...['descriptors', 'processes', 'memory'].map((part) => ({
    text: `20,000 runs: at most 5 % growth of ${part}`,
    value: (at) => at(`endurance_${part}`)?.value,
    reached: (percent) => percent <= 5,
  })),
];
