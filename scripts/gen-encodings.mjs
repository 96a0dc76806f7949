#!/usr/bin/env node
// gen-encodings.mjs PACKAGE OUT.c: the labels and indexes of the Encoding Standard as C tables.
//
// They are taken from the npm package @exodus/bytes, which ships them compressed and
// proves them against the standard's own files. PACKAGE is where it is unpacked.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// The package wants methods that Node.js 18, which Debian 12 has, does not.
String.prototype.isWellFormed ??= function isWellFormed() {
  return !/\p{Surrogate}/u.test(this);
};
String.prototype.toWellFormed ??= function toWellFormed() {
  return this.replace(/\p{Surrogate}/gu, '\ufffd');
};

const [from, out] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${from}/fallback/${file}`));
const { default: labels } = await load('encoding.labels.js');
const { getEncoding } = await load('single-byte.js');
const { default: singleBytes } = await load('single-byte.encodings.js');
const { getTable } = await load('multi-byte.table.js');

const HOLE = 0xfffd; // what single-byte indexes have where there is no character
const id = (name) => name.replaceAll('-', '_');
const lines = ['/* Written by scripts/gen-encodings.mjs. */', '#include "worker/encoding.h"', ''];


const index = (name, units) => {
  lines.push(`static const uint16_t ${name}[] = {`);
  for (let i = 0; i < units.length; i += 16) lines.push(`${units.slice(i, i + 16).join(',')},`);
  lines.push('};', `const struct encoding_index encoding_index_${name} = { ${units.length}, ${name} };`, '');
};

// What a single-byte index of the package does not reach stands for itself.
for (const name of Object.keys(singleBytes)) {
  if (labels[name] === undefined) continue; // another name of one that has a row
  const units = getEncoding(name).map((unit) => (unit === HOLE ? 0 : unit));
  while (units.length < 128) units.push(128 + units.length);
  index(id(name), units);
}
for (const name of ['jis0208', 'jis0212', 'euc-kr', 'gb18030']) index(id(name), [...getTable(name)]);

// Characters beyond U+FFFF and pairs of characters have two units there.
const big5 = [...getTable('big5')];
index('big5', big5.map((units) => (units > 0xffff ? units >>> 16 : units)));
index('big5_second', big5.map((units) => (units > 0xffff ? units & 0xffff : 0)));
lines.push('const struct encoding_index encoding_index_none = { 0, NULL };', '');

const ranges = getTable('gb18030-ranges');
lines.push('const struct encoding_range encoding_ranges[] = {');
for (const [pointer, code] of ranges) lines.push(`{ ${pointer}, ${code} },`);
lines.push('};', `const size_t encoding_range_count = ${ranges.length};`, '');

const rows = Object.entries(labels)
  .filter(([name]) => name !== 'replacement')
  .flatMap(([name, more]) => [...new Set([name, ...more])].map((label) => [label, name]))
  .sort(([a], [b]) => (a < b ? -1 : 1));
lines.push('const struct encoding_label encoding_labels[] = {');
for (const [label, name] of rows) lines.push(`{ "${label}", ENCODING_${id(name)} },`);
lines.push('};', `const size_t encoding_label_count = ${rows.length};`, '');
writeFileSync(out, lines.join('\n'));
