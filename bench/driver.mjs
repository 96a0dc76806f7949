/**
 * Measures every row for every peer in one run, the peers by turns, several rounds; of the rounds it
 * keeps the median. Prints one JSON line a row and peer, then a table. Figures are reported, never
 * asserted: the exit code is 1 only when something could not be measured.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { BENCH, measure, peers } from './peers.mjs';
import { table, writeDocs } from './report.mjs';
import { OURS, rows } from './rows.mjs';

const ROUNDS = 3;
const USAGE = `usage: bench/run [--quick] [--only ROW]... [--peer PEER]... [--out FILE] [--write-docs]

  --quick        few samples, one round: shows that everything runs, not how fast
  --only ROW     this row only (may be given several times)
  --peer PEER    this peer only (may be given several times)
  --out FILE     the JSON lines go to FILE instead of standard output
  --write-docs   write the tables of a whole run into docs/bench.md

  rows:  ${rows.map(({ row }) => row).join(' ')}
  peers: ${Object.keys(peers).join(' ')}
`;

function parse() {
  const known = {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: rows.map(({ row }) => row) },
    peer: { type: 'string', multiple: true, default: Object.keys(peers) },
    out: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  };
  const { values } = parseArgs({ options: known });
  const unknown = [
    ...values.only.filter((name) => !rows.some(({ row }) => row === name)),
    ...values.peer.filter((name) => !(name in peers)),
  ];

  if (values['write-docs'] && (values.quick || values.only.length < rows.length)) {
    throw new Error('--write-docs takes a whole run, without --quick and --only');
  }
  if (unknown.length > 0) throw new Error(`there is no row or peer called ${unknown.join(', ')}`);
  return values;
}

const options = parseOrExit();
const results = new Map();
let failed = false;

function parseOrExit() {
  try {
    const values = parse();

    if (!values.help) return values;
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`bench/run: ${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function fail(what, error) {
  process.stderr.write(`bench/run: ${what}: ${error.message}\n`);
  failed = true;
}

/** The peers that could be made ready. */
function prepare() {
  return options.peer.filter((peer) => {
    try {
      peers[peer].prepare();
      return true;
    } catch (error) {
      return fail(peer, error);
    }
  });
}

const at = (row, peer = OURS) => results.get(`${row} ${peer}`)?.median;

/** Adds what one round printed; the median of the rounds is what counts. */
function add(row, peer, printed) {
  for (const { part, ...measured } of printed) {
    const name = part ? `${row.row}_${part}` : row.row;
    const entry = results.get(`${name} ${peer}`) ?? { name, peer, unit: row.units?.[part] ?? row.unit, rounds: [] };

    for (const key of ['value', 'p50', 'p99']) {
      if (!(key in measured)) continue;
      measured[key] /= row.per ?? 1;
      if (row.megabytes) measured[key] = (row.megabytes * 1000) / measured[key];
    }
    entry.rounds.push(measured);
    entry.rounds.sort((a, b) => a.value - b.value);
    entry.median = entry.rounds[Math.floor((entry.rounds.length - 1) / 2)];
    results.set(`${name} ${peer}`, entry);
  }
}

function measureRow(row, names) {
  const rounds = options.quick ? 1 : (row.rounds ?? ROUNDS);
  const measured = names.filter((peer) => row.peers.includes(peer));

  for (let round = 0; round < rounds; round++) {
    for (const peer of measured) {
      process.stderr.write(`${row.row} (${round + 1}/${rounds}) ${peer}\n`);
      try {
        add(row, peer, measure(peer, row, options.quick));
      } catch (error) {
        fail(`${row.row} of ${peer}`, error);
      }
    }
  }
  checkSums(row, measured);
}

/** A kernel that computes something else on one engine is not the same work. */
function checkSums(row, names) {
  const sums = new Set(names.map((peer) => at(row.row, peer)?.check).filter(Number.isFinite));

  if (sums.size > 1) fail(row.row, new Error(`the peers compute ${[...sums].join(' and ')}`));
}

function emit() {
  const text = [...results.values()]
    .map(({ name, peer, unit, median, rounds }) => {
      const values = rounds.map(({ value }) => value);

      return `${JSON.stringify({ row: name, peer, unit, ...median, rounds: values })}\n`;
    })
    .join('');

  if (options.out) writeFileSync(options.out, text);
  else process.stdout.write(text);
}

const ready = prepare();

for (const row of rows.filter(({ row }) => options.only.includes(row))) measureRow(row, ready);
emit();
process.stdout.write(table(at));
if (options.quick)
  process.stdout.write('\nA quick run: too few samples for these to be figures.\n');
if (options['write-docs']) writeDocs(join(BENCH, '..', 'docs', 'bench.md'), at);
process.exitCode = failed ? 1 : 0;
