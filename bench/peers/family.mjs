/** What /proc says of a process and of everything that it has started. */
import { readFileSync, readdirSync } from 'node:fs';

const numbers = (path) => readdirSync(path).filter((name) => /^\d+$/.test(name)).map(Number);

/** The text of a file of /proc, or '' once the process has ended. */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function field(text, name) {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** Process ids: `root` first. */
export function family(root) {
  const parents = numbers('/proc').map((pid) => [pid, field(read(`/proc/${pid}/status`), 'PPid')]);
  const members = [root];

  for (const member of members) {
    for (const [pid, parent] of parents) if (parent === member) members.push(pid);
  }
  return members;
}

const sum = (numbers) => [...numbers].reduce((total, each) => total + each, 0);

/** Bytes of the files of memory that they have mapped, each whole and once. */
function memoryFileBytes(pids) {
  const sizes = new Map();

  for (const line of pids.flatMap((pid) => read(`/proc/${pid}/maps`).split('\n'))) {
    const [range, , offset, , inode, path] = line.split(/\s+/);

    if (!path?.startsWith('/memfd:')) continue;
    const [start, end] = range.split('-').map((address) => parseInt(address, 16));

    sizes.set(inode, Math.max(sizes.get(inode) ?? 0, parseInt(offset, 16) + end - start));
  }
  return sum(sizes.values());
}

/**
 * Megabytes that are resident; a page that several of them share counts once, and one of a file of
 * memory also where none of them has looked at it.
 */
export function residentMb(root) {
  const pids = family(root);
  const rollups = pids.map((pid) => read(`/proc/${pid}/smaps_rollup`));
  const kib = sum(rollups.map((text) => field(text, 'Pss') - field(text, 'Pss_Shmem')));

  return (kib * 1024 + memoryFileBytes(pids)) / 1e6;
}

/** How often their threads have gone to sleep of their own accord so far. */
export function sleeps(root) {
  const threads = family(root).flatMap((pid) => {
    try {
      return numbers(`/proc/${pid}/task`).map((tid) => `/proc/${pid}/task/${tid}/status`);
    } catch {
      return [];
    }
  });

  return sum(threads.map((path) => field(read(path), 'voluntary_ctxt_switches')));
}
