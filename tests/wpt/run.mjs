#!/usr/bin/env node
// The web-platform-tests of ../shared/wpt against the built executor.
//
// run.mjs [--update] [RUNNER ARGUMENT...]: fails when a subtest fails that expected.json does
// not list, or passes that it lists, or a rate is below its target. Arguments for the
// runner (--group, --filter) leave the rest of the list alone. --update writes what it
// found into the list; what is new there gets the reason "?", which is refused.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const suite = path.join(process.env.CM_SHARED ?? path.join(root, '../shared'), 'wpt');
const executor = process.env.CODEMODE_EXECUTOR ?? path.join(root, 'build/src/codemode-executor');
const listFile = path.join(here, 'expected.json');
const args = process.argv.slice(2);
const update = args[0] === '--update';
if (update) args.shift();

// Percent of subtests that pass: in each group, and over all.
const GROUP_TARGET = 95;
const TARGET = 98.5;
const LIMIT_S = 60;

if (!fs.existsSync(suite)) {
  console.log(`skipped: the web-platform-tests are read from ${suite}, which is not there`);
  process.exit(process.env.CM_MUST_WORK === '1' ? 1 : 0);
}

const runSuite = () => {
  const out = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'cm-wpt-')), 'results.json');
  const command = `'${executor}' run - --json --no-network --memory 512 --timeout ${LIMIT_S * 1000 - 1000}`;
  const all = ['--exec', command, '--limit', String(LIMIT_S), '--json', out, '--jobs', String(os.cpus().length), ...args];
  const done = spawnSync(process.execPath, [path.join(fs.realpathSync(suite), 'run-node.mjs'), ...all], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  if (done.status !== 0) throw new Error(`the runner ended with status ${done.status}`);
  const results = JSON.parse(fs.readFileSync(out, 'utf8'));
  fs.rmSync(path.dirname(out), { recursive: true });
  return results;
};

// What failed in one test file: names of subtests, and what never got a name.
const failuresOf = (test) => {
  const names = test.fails.map((fail) => fail.name);
  if (test.harness !== null) names.push('(harness)');
  if (test.count < test.total) names.push('(not registered)');
  return names;
};

// expected.json: { reasons: { WORD: sentence }, groups: { GROUP: WORD }, tests: { ID: { WORD: [name ...] } } }
const list = JSON.parse(fs.readFileSync(listFile, 'utf8'));

const reasonsOf = (id) =>
  new Map(Object.entries(list.tests[id] ?? {}).flatMap(([reason, names]) => names.map((name) => [name, reason])));

const { tests, groups, all } = runSuite();
const problems = [];
for (const test of tests) {
  const known = reasonsOf(test.id);
  const found = new Set(failuresOf(test));
  for (const name of found) {
    if (!known.has(name)) {
      const message = test.fails.find((fail) => fail.name === name)?.message ?? test.harness ?? '';
      problems.push(`fails and is not listed: ${test.id}: ${name}: ${message}`);
    }
  }
  for (const name of known.keys()) if (!found.has(name)) problems.push(`is listed and passes: ${test.id}: ${name}`);
  if (!update) continue;
  delete list.tests[test.id];
  for (const name of found) ((list.tests[test.id] ??= {})[known.get(name) ?? '?'] ??= []).push(name);
}
if (update) {
  list.tests = Object.fromEntries(Object.entries(list.tests).sort(([a], [b]) => (a < b ? -1 : 1)));
  fs.writeFileSync(listFile, `${JSON.stringify(list, null, 1)}\n`);
}

for (const [id, byReason] of Object.entries(list.tests)) {
  for (const reason of Object.keys(byReason)) {
    if (!(reason in list.reasons)) problems.push(`has no reason that is explained: ${id}: ${reason}`);
  }
}
const rate = ({ pass, total }) => (100 * pass) / total;
for (const [name, group] of Object.entries(groups)) {
  const isBelow = rate(group) < GROUP_TARGET;
  if (isBelow && !(list.groups[name] in list.reasons)) {
    problems.push(`group ${name}: ${rate(group).toFixed(1)} % passes, the target is ${GROUP_TARGET} %`);
  }
  if (!isBelow && name in list.groups) problems.push(`group ${name} is listed as below the target and is not`);
}
if (args.length === 0 && rate(all) < TARGET) problems.push(`over all ${rate(all).toFixed(2)} %, the target is ${TARGET} %`);

for (const problem of problems) console.log(problem.slice(0, 400));
console.log(`${tests.length} files, ${all.pass} of ${all.total} subtests pass, ${problems.length} surprises`);
process.exit(problems.length === 0 ? 0 : 1);
