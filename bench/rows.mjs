/**
 * What is measured: one row each. `method` is a method of bench.c and peers/measure.mjs, `count` and
 * `width` its arguments; `quick` replaces `count` in a run with --quick. `better` says which way is up.
 * A row with `parts` prints one line a part; one with `per` shows the method's figures divided by it.
 * Rows with `own` are not measured for the peers.
 */

export const OURS = 'codemode-executor';

/** Programs a second with `width` of them in flight. */
const throughput = (width) => ({
  row: `throughput_${width}`,
  title: `Trivial programs a second, ${width} in flight`,
  unit: '1/s',
  better: 'more',
  method: 'throughput',
  file: 'programs/trivial.js',
  count: 2000,
  quick: 60,
  width,
});

/** A compute kernel: the same text for all, timed inside the isolate. */
const kernel = (name, title) => ({
  row: `kernel_${name}`,
  title: `Kernel: ${title}`,
  unit: 'ms',
  better: 'less',
  method: 'kernel',
  file: `kernels/${name}.js`,
  count: 7,
  quick: 1,
});

/** What a program that names it waits longer than one that does not, in a worker that has run before. */
const touch = (name, title) => ({
  row: `touch_${name}`,
  title: `First touch: ${title}`,
  unit: 'ms',
  better: 'less',
  method: 'difference',
  file: `programs/touch/${name}.js`,
  baseline: 'programs/trivial.js',
  count: 100,
  quick: 5,
  own: true,
});

/** 10 MB through a function of C, timed inside the isolate. */
const bulk = (name, title) => ({
  ...kernel(name, title),
  row: `bulk_${name}`,
  title: `10 MB: ${title}`,
  file: `kernels/bulk/${name}.js`,
  own: true,
});

export const rows = [
  {
    row: 'latency',
    title: 'Trivial program, idle executor',
    unit: 'ms',
    better: 'less',
    method: 'latency',
    file: 'programs/trivial.js',
    count: 500,
    quick: 30,
  },
  throughput(1),
  throughput(2),
  throughput(4),
  throughput(8),
  {
    row: 'waiting',
    title: 'Memory of a run that waits for a tool, 100 at once',
    unit: 'MB',
    better: 'less',
    method: 'waiting',
    file: 'programs/wait.js',
    width: 100,
  },
  {
    row: 'calls',
    title: 'Tool-call round trip, 2,000 in a row',
    unit: 'µs',
    better: 'less',
    method: 'calls',
    file: 'programs/calls.js',
  },
  {
    row: 'argument',
    title: 'Tool call with 1 MB of text',
    unit: 'ms',
    better: 'less',
    method: 'calls',
    per: 1000,
    file: 'programs/argument.js',
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
  },
  {
    row: 'result_objects',
    title: 'Result of 1 MB of objects',
    unit: 'ms',
    better: 'less',
    method: 'difference',
    file: 'programs/records.js',
    baseline: 'programs/records_kept.js',
    count: 30,
    quick: 3,
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
  {
    row: 'size',
    title: 'Script of a chunk',
    unit: 'KB',
    better: 'less',
    method: 'sizes',
    parts: ['base', 'events', 'abort', 'url', 'url_pattern', 'fetch', 'streams', 'crypto', 'encoding', 'clone', 'messaging'],
    own: true,
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
    own: true,
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
    own: true,
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
    reached: (ms) => ms <= 50,
  })),
  ...['descriptors', 'processes', 'memory'].map((part) => ({
    text: `20,000 runs: at most 5 % growth of ${part}`,
    value: (at) => at(`endurance_${part}`)?.value,
    reached: (percent) => percent <= 5,
  })),
];
