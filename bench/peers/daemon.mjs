/** codemode-executor serve, and the package that connects: one WebSocket carries every program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { connect } from '@supolka/cloudflare-codemode-executor';

import { residentMb, sleeps } from './family.mjs';
import { quantile, summary } from './samples.mjs';

/** Workers above the idle ones go after 10 s; then what is left is the daemon at rest. */
const SETTLE_MS = 12_000;

const daemon = spawn(process.env.CODEMODE_EXECUTOR, ['serve'], {
  env: {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    WORKERS_MAX: '1100', // for a thousand that wait, and others beside them
    QUEUE_TIMEOUT_MS: '600000',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

process.on('exit', () => daemon.kill('SIGKILL'));

/** The port of callers, which the daemon announces when it listens. */
async function listening() {
  for await (const line of createInterface({ input: daemon.stdout })) {
    const { msg, listener, port } = JSON.parse(line);

    if (msg === 'listening' && listener !== 'admin') return port;
  }
  throw new Error('the daemon ended before it listened');
}

const executor = await connect(`ws://127.0.0.1:${await listening()}`);

daemon.stdout.resume(); // its further lines are for nobody

/**
 * Until no worker is starting, as the measurements of the library wait. Asked over the same
 * connection, which is then as awake as that of a host that has something to do.
 */
export async function rest() {
  let workers;

  do ({ workers } = await executor.stats());
  while (workers.starting > 0);
}

export async function run(code, dispatch) {
  const tools = dispatch && {
    providers: [{ name: 'store', tools: ['call'] }],
    dispatch: async (_provider, _tool, args) =>
      JSON.stringify({ result: await dispatch(...JSON.parse(args)) }),
  };
  const { result, error } = await executor.execute({ code, ...tools });

  if (error !== undefined) throw new Error(error);
  return result;
}

export async function close() {
  await executor.dispose();
  daemon.kill();
  await once(daemon, 'exit');
}

async function latencies(count) {
  const samples = [];

  for (let i = 0; i < count; i++) {
    await rest();
    const began = performance.now();

    await run('async () => 6 * 7');
    samples.push(performance.now() - began);
  }
  return quantile(samples, 0.5);
}

/** `width` runs that wait for a tool: what they all hold, and how long another one takes meanwhile. */
async function crowd({ code, count, width }) {
  const releases = [];
  const full = Promise.withResolvers();
  const dispatch = () =>
    new Promise((resolve) => {
      releases.push(() => resolve(1));
      if (releases.length === width) full.resolve();
    });

  await run(code, async () => 1);
  const idle = await latencies(count);
  const runs = Promise.all(Array.from({ length: width }, () => run(code, dispatch)));

  await Promise.race([full.promise, runs]);
  await sleep(1000);
  const meanwhile = await latencies(count);
  const memory = residentMb(daemon.pid);

  releases.forEach((release) => release());
  await runs;
  return [
    { part: 'memory', value: memory, n: width },
    { part: 'idle', value: idle, n: count },
    { part: 'meanwhile', value: meanwhile, n: count },
  ];
}

/** The daemon at rest after some programs: resident megabytes, and how often anything of it wakes. */
async function idle({ code, count }) {
  for (let i = 0; i < 20; i++) await run(code);
  await executor.dispose();
  await sleep(SETTLE_MS);
  const memory = residentMb(daemon.pid);
  const before = sleeps(daemon.pid);

  await sleep(count * 1000);
  return [
    { part: 'memory', value: memory, n: 1 },
    { part: 'wakeups', value: (sleeps(daemon.pid) - before) / count, n: count },
  ];
}

/** Milliseconds of a call that is answered at once, one after another. */
async function answer({ count }) {
  const samples = [];

  for (let i = 0; i < count; i++) {
    const began = performance.now();

    await executor.stats();
    samples.push(performance.now() - began);
  }
  return summary(samples);
}

/** Methods that only a daemon has. */
export const methods = { answer, crowd, idle };
