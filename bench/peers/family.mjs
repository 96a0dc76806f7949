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

/** Megabytes that are resident; a page that several of them share counts once. */
export function residentMb(root) {
  const kib = family(root).map((pid) => field(read(`/proc/${pid}/smaps_rollup`), 'Pss'));

  return (kib.reduce((sum, each) => sum + each, 0) * 1024) / 1e6;
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

  return threads.reduce((sum, path) => sum + field(read(path), 'voluntary_ctxt_switches'), 0);
}
