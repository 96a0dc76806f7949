/** Results as text: the table for people, the same in Markdown for docs/bench.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

import { DAEMON, ENGINE, ISOLATED_VM, OURS, QUICKJS, SOCKET, WORKERD, rows, targets } from './rows.mjs';

/** What is compared with what. A row stands in the table of each one that it is measured for. */
const COMPARISONS = [
  { ours: OURS, others: [ISOLATED_VM, QUICKJS, ENGINE] },
  { ours: DAEMON, others: [WORKERD, ISOLATED_VM, SOCKET] },
];

const BEGIN = '<!-- bench:begin (written by bench/run --write-docs) -->';
const END = '<!-- bench:end -->';

/** Three digits that mean something: 0.142, 1.35, 13.9, 1,287. */
function figure(value) {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** Rows with their parts as rows of their own. */
const lines = rows.flatMap((row) =>
  (row.parts ?? [null]).map((part) => ({
    row: part ? `${row.row}_${part}` : row.row,
    title: part ? `${row.title}: ${part}` : row.title,
    unit: row.units?.[part] ?? row.unit,
    peers: row.peers,
    better: row.better,
  })),
);

/**
 * How many times better we are: above 1 in our favour, whichever way the unit goes. A difference that
 * drowned in noise is not above 0 and compares with nothing.
 */
function ratio(line, ours, theirs) {
  if (!(ours?.value > 0 && theirs?.value > 0)) return '-';
  const times = line.better === 'more' ? ours.value / theirs.value : theirs.value / ours.value;

  return `${figure(times)}×`;
}

function cell(result) {
  if (!result) return '-';
  if (result.p99 === undefined) return figure(result.value);
  return `${figure(result.value)} (${figure(result.p99)})`;
}

/** Head and body cells of a comparison; only rows that one of those compared has a result for. */
function comparison({ ours, others }, at) {
  const head = ['row', 'unit', ours, ...others.flatMap((peer) => [peer, 'ours is'])];
  const body = lines
    .filter(({ row, peers }) => peers.includes(ours) && [ours, ...others].some((peer) => at(row, peer)))
    .map((line) => [
      line.title,
      line.unit,
      cell(at(line.row, ours)),
      ...others.flatMap((peer) => [
        cell(at(line.row, peer)),
        ratio(line, at(line.row, ours), at(line.row, peer)),
      ]),
    ]);

  return body.length > 0 ? [head, ...body] : [];
}

const tables = (at) => [...COMPARISONS.map((each) => comparison(each, at)), verdicts(at)];

/** Targets whose figures were measured. */
function verdicts(at) {
  const body = targets
    .map((target) => ({ ...target, value: target.value(at) }))
    .filter(({ value }) => Number.isFinite(value))
    .map(({ text, value, reached }) => [text, figure(value), reached(value) ? 'yes' : 'NO']);

  return body.length > 0 ? [['figure to reach', 'measured', 'reached'], ...body] : [];
}

/** Columns padded to one width each. */
function padded(table) {
  const widths = table[0]?.map((_, i) => Math.max(...table.map((cells) => cells[i].length)));

  return table.map((cells) => cells.map((text, i) => text.padEnd(widths[i])));
}

function plain(table) {
  return padded(table).map((cells) => cells.join('  ').trimEnd());
}

function markdown(table) {
  const [head, ...body] = padded(table).map((cells) => `| ${cells.join(' | ')} |`);

  return head ? [head, head.replaceAll(/[^|]/g, '-'), ...body] : [];
}

function machine() {
  const model = cpus()[0]?.model.trim() ?? process.arch;
  const gigabytes = Math.round(totalmem() / 2 ** 30);

  return `${cpus().length} × ${model}, ${gigabytes} GB, Linux ${release()}`;
}

export function table(at) {
  const parts = [[machine()], ...tables(at).map(plain)];

  return parts
    .filter((part) => part.length > 0)
    .map((part) => `\n${part.join('\n')}\n`)
    .join('');
}

/** Replaces what stands between the markers of the page. */
export function writeDocs(path, at) {
  const page = readFileSync(path, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];

  if (begin < 0 || end < begin) throw new Error(`${path} lacks its markers`);
  const taken = `Taken on ${new Date().toISOString().slice(0, 10)}: ${machine()}.`;
  const text = [[taken], ...tables(at).map(markdown)]
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');

  writeFileSync(path, `${page.slice(0, begin)}${BEGIN}\n\n${text}\n\n${page.slice(end)}`);
}
