/** Who is measured: how each one is made ready, and the command that measures one method of it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DAEMON, ENGINE, OURS, SOCKET, WORKERD } from './rows.mjs';

export const BENCH = dirname(fileURLToPath(import.meta.url));

const ROOT = dirname(BENCH);
const BUILD = process.env.BENCH_BUILD ?? join(ROOT, 'build-bench');
const MODULES = join(BENCH, 'node_modules');
const NODE = join(MODULES, `node-linux-${process.arch}`, 'bin', 'node');

/** Runs a preparatory command; its output goes to standard error, that of rows alone to output. */
function must(command, ...args) {
  mustIn(BENCH, command, ...args);
}

function mustIn(cwd, command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });

  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? 'failed'}`);
}

/** The packages of a lock file, unless they are there. No package's script is run. */
function installIn(directory) {
  const installed = statSync(join(directory, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  const locked = statSync(join(directory, 'package-lock.json'));

  if (!(installed?.mtimeMs >= locked.mtimeMs)) mustIn(directory, 'npm', 'ci');
}

/** A build of its own: optimised and without sanitizers, whatever else is configured. */
function build() {
  installIn(join(ROOT, 'runtime'));
  if (!existsSync(join(BUILD, 'build.ninja'))) {
    must('meson', 'setup', BUILD, ROOT, '--buildtype=release', '-Dbench=true');
  }
  must('ninja', '-C', BUILD, 'bench/bench_codemode', 'bench/bench_engine', 'bench/bench_echo', 'src/codemode-worker', 'src/codemode-executor');
}

function install() {
  installIn(BENCH);
  if (!existsSync(NODE)) throw new Error(`no Node.js 24 for ${process.arch} among the packages`);
}

/** The packages of this repository, and with them workerd, which their tests need, too. */
function installWorkspace() {
  install();
  installIn(ROOT);
}

function buildDaemon() {
  build();
  installWorkspace();
}

const inNode = (module, prepare = install) => ({
  prepare,
  command: [NODE, '--no-node-snapshot', 'peers/measure.mjs', module],
});

export const peers = {
  [OURS]: { prepare: build, command: [join(BUILD, 'bench', 'bench_codemode')] },
  [ENGINE]: { prepare: build, command: [join(BUILD, 'bench', 'bench_engine')] },
  'isolated-vm': inNode('isolated_vm'),
  'quickjs-emscripten': inNode('quickjs'),
  [DAEMON]: inNode('daemon', buildDaemon),
  [WORKERD]: inNode('workerd', installWorkspace),
  [SOCKET]: inNode('socket', buildDaemon),
};

const env = {
  ...process.env,
  CODEMODE_EXECUTOR: join(BUILD, 'src', 'codemode-executor'),
  BENCH_ECHO: join(BUILD, 'bench', 'bench_echo'),
};

/** Kilobytes of the script of each chunk, as it is embedded in the worker. */
function sizes(parts) {
  const embedded = readFileSync(join(BUILD, 'src', 'runtime.c'), 'utf8');

  return parts.map((part) => {
    const [, literals] = new RegExp(`\\{ "${part}",\\n((?: {4}".*"\\n?)+)`).exec(embedded);
    return { part, value: literals.replace(/^ {4}"|"$/gm, '').replaceAll('\n', '').length / 1024 };
  });
}

/** One measurement in a process of its own: the objects that it printed. */
export function measure(peer, row, quick) {
  if (row.method === 'sizes') return sizes(row.parts);
  const [command, ...args] = peers[peer].command;
  const count = (quick ? row.quick : row.count) ?? 1;

  args.push(row.method, row.file, row.baseline ?? '-', String(count), String(row.width ?? 1));
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    cwd: BENCH,
    env,
    encoding: 'utf8',
    timeout: 600_000,
  });

  if (status !== 0) throw new Error(error?.message ?? (stderr.trim() || `ended by ${signal}`));
  return stdout.trim().split('\n').map(JSON.parse);
}
