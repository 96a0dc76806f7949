/**
 * Measures a peer: node measure.mjs PEER METHOD FILE BASELINE|- COUNT WIDTH
 *
 * The methods are those of bench.c, one by one, so that a row means the same for every peer. Each
 * starts a process of its own and prints one JSON line, or one for each part.
 *
 * A peer exports run(code, dispatch). What else it may export: rest(), awaited before a run that is
 * timed by itself; close(); methods of its own.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { quantile, summary } from './samples.mjs';

process.on('SIGTERM', () => process.exit(1)); // so that a peer's processes end, too

const [peerName, methodName, file, baseline, countText, widthText] = process.argv.slice(2);
const peer = await import(`./${peerName}.mjs`);
const count = Number(countText);
const width = Number(widthText);
const code = readFileSync(file, 'utf8');

const REST_MS = 25;
const WARM_RUNS = 3;

const answer = async () => 1;

async function timed(text, rest = peer.rest) {
  await rest?.();
  const began = performance.now();

  await peer.run(text);
  return performance.now() - began;
}

/** Milliseconds of one run after another, each after a rest. */
async function after(rest) {
  const samples = [];

  await timed(code, rest);
  for (let i = 0; i < count; i++) samples.push(await timed(code, rest));
  return summary(samples);
}

const latency = () => after(peer.rest);

/** The same when all that takes part has slept: caches are others' by then, and processors halted. */
const rested = () => after(() => sleep(REST_MS));

/** Programs a second with `width` of them in flight. */
async function throughput() {
  let left = Math.ceil(count / 10);
  const lane = async () => {
    while (left-- > 0) await peer.run(code);
  };
  const lanes = () => Promise.all(Array.from({ length: width }, lane));

  await lanes();
  left = count;
  const began = performance.now();

  await lanes();
  return { value: count / ((performance.now() - began) / 1000), n: count };
}

/** Megabytes that the process grows by for each of `width` runs that wait for a tool. */
async function waiting() {
  const releases = [];
  let allWait;
  const full = new Promise((resolve) => (allWait = resolve));
  const dispatch = () =>
    new Promise((resolve) => {
      releases.push(() => resolve(1));
      if (releases.length === width) allWait();
    });

  await peer.run(code, answer);
  const before = process.memoryUsage.rss();
  const runs = Array.from({ length: width }, () => peer.run(code, dispatch));

  await full;
  const grown = process.memoryUsage.rss() - before;

  releases.forEach((release) => release());
  await Promise.all(runs);
  return { value: grown / width / 1e6, n: width };
}

/** Microseconds from one call of a program to its next, each answered at once, by a host that has answered some before. */
async function calls() {
  const gaps = [];
  let last = 0;

  for (let i = 0; i < WARM_RUNS; i++) await peer.run(code, answer);
  await peer.run(code, async () => {
    const now = performance.now();

    if (last > 0) gaps.push((now - last) * 1000);
    last = now;
    return 1;
  });
  return { ...summary(gaps), value: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length };
}

/** Milliseconds that a run takes longer than its baseline, the two by turns. */
async function difference() {
  const base = readFileSync(baseline, 'utf8');
  const with_ = [];
  const without = [];

  await timed(code);
  await timed(base);
  for (let i = 0; i < count; i++) {
    without.push(await timed(base));
    with_.push(await timed(code));
  }
  return { value: quantile(with_, 0.5) - quantile(without, 0.5), n: count };
}

/** Milliseconds that a kernel measures itself, each time in a fresh isolate. */
async function kernel() {
  const samples = [];
  let check;

  for (let i = 0; i < count; i++) {
    const [ms, sum] = await peer.run(code);

    samples.push(ms);
    check = sum;
  }
  return { ...summary(samples), check };
}

const methods = { latency, rested, throughput, waiting, calls, difference, kernel, ...peer.methods };
const results = await methods[methodName]({ code, count, width });

await peer.close?.();
for (const result of [results].flat()) console.log(JSON.stringify(result));
