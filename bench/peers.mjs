/** Who is measured: how each one is made ready, and the command that measures one method of it. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { OURS } from './rows.mjs';

export const BENCH = dirname(fileURLToPath(import.meta.url));

const ROOT = dirname(BENCH);
const BUILD = process.env.BENCH_BUILD ?? join(ROOT, 'build-bench');
const MODULES = join(BENCH, 'node_modules');
const NODE = join(MODULES, `node-linux-${process.arch}`, 'bin', 'node');

/** Runs a preparatory command; its output goes to standard error, that of rows alone to output. */
function must(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: BENCH, stdio: ['ignore', 2, 2] });

  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? 'failed'}`);
}

/** A build of its own: optimised and without sanitizers, whatever else is configured. */
function build() {
  if (!existsSync(join(BUILD, 'build.ninja'))) {
    must('meson', 'setup', BUILD, ROOT, '--buildtype=release', '-Dbench=true');
  }
  must('ninja', '-C', BUILD, 'bench/bench_codemode', 'src/codemode-worker');
}

/** The packages of package-lock.json, unless they are there. No package's script is run. */
function install() {
  const installed = statSync(join(MODULES, '.package-lock.json'), { throwIfNoEntry: false });
  const locked = statSync(join(BENCH, 'package-lock.json'));

  if (!(installed?.mtimeMs >= locked.mtimeMs)) must('npm', 'ci');
  if (!existsSync(NODE)) throw new Error(`no Node.js 24 for ${process.arch} among the packages`);
}

const inNode = (module) => ({
  prepare: install,
  command: [NODE, '--no-node-snapshot', 'peers/measure.mjs', module],
});

export const peers = {
  [OURS]: { prepare: build, command: [join(BUILD, 'bench', 'bench_codemode')] },
  'isolated-vm': inNode('isolated_vm'),
  'quickjs-emscripten': inNode('quickjs'),
};

/** One measurement in a process of its own: the objects that it printed. */
export function measure(peer, row, quick) {
  const [command, ...args] = peers[peer].command;
  const count = (quick ? row.quick : row.count) ?? 1;

  args.push(row.method, row.file, row.baseline ?? '-', String(count), String(row.width ?? 1));
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    cwd: BENCH,
    encoding: 'utf8',
    timeout: 600_000,
  });

  if (status !== 0) throw new Error(error?.message ?? (stderr.trim() || `ended by ${signal}`));
  return stdout.trim().split('\n').map(JSON.parse);
}
