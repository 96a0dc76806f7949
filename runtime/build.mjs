// build.mjs OUT.c DEPFILE: writes what isolates evaluate as C strings.
//
// runtime/*.js and runtime/parts/*.js become runtime_NAME, without comments and long
// names: how long the engine reads the core is part of the cost of every isolate.
//
// Each runtime/surface/*.js is bundled into one script, a row of surface_texts. It is
// a block, evaluated with `internals` as its `this` (the engine parses a function
// twice), and what it evaluates to is what the module exports. Fails when a row of
// src/tables/globals.def names what no chunk exports.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindIntrinsics, intrinsicNames } from './intrinsics.mjs';
import { shorten } from './shorten.mjs';
import { packageFile, streamsPackage } from './streams_package.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const surface = path.join(here, 'surface');
const table = path.join(here, '../src/tables/globals.def');
const [out, depfile] = process.argv.slice(2);

const stop = (sentence) => {
  console.error(`runtime/build.mjs: ${sentence}`);
  process.exit(1);
};

const esbuild = await import('esbuild').catch(() => stop('esbuild is missing: run "npm ci" in runtime/'));

const names = fs
  .readdirSync(surface)
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -3))
  .sort();

if (names.length > 64) stop('there are more chunks than CHUNKS_MAX of src/worker/surface.c');

// The bundle in a block: its variables, which esbuild has made `var` at the top level
// only, are the block's, and the export list that it leaves at the end is an object.
const asBlock = (name, text) => {
  const [, body, list = ''] = /^([\s\S]*?)(?:export\s*\{([^{}]*)\};?)?\s*$/.exec(text);
  const pairs = list
    .split(',')
    .filter((item) => item.trim() !== '')
    .map((item) => /^\s*(\S+)(?:\s+as\s+(\S+))?\s*$/.exec(item))
    .map(([, local, exported = local]) => `${exported}:${local}`);
  if (/^export\b/m.test(body)) stop(`the exports of ${name} were not understood`);
  const block = `"use strict";{const internals=this;\n${body.replace(/^var /gm, 'let ')}\ninternals.exports={__proto__:null,${pairs.join(',')}}}`;
  const { code } = esbuild.transformSync(block, { target, charset: 'ascii', minify: true, legalComments: 'none' });
  return code;
};

const quoted = (text) =>
  text
    .match(/[\s\S]{1,2000}/g)
    .map((piece) => `"${piece.replace(/[\\"?]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`)
    .join('\n    ');

const tableText = fs.readFileSync(table, 'utf8');
const rows = [...tableText.matchAll(/^CM_LAZY\((\w+), (\w+), (\w+)\)/gm)];

// What a chunk names without declaring it is what another chunk exports, not what
// the program may have put in its place.
const define = Object.fromEntries(
  rows.filter(([, , , kind]) => kind !== 'ATTRIBUTE').map(([, name, chunk]) => [name, `internals.chunks.${chunk}.${name}`]),
);

const target = 'es2024';
const bundle = await esbuild.build({
  entryPoints: names.map((name) => path.join(surface, `${name}.js`)),
  bundle: true,
  write: false,
  outdir: '/',
  format: 'esm',
  target,
  charset: 'ascii',
  minifySyntax: true,
  define,
  plugins: [streamsPackage(esbuild, path.join(surface, 'lib/language.js'), stop)],
  legalComments: 'none',
  metafile: true,
  absWorkingDir: here,
  logLevel: 'warning',
});

const exportsOf = Object.fromEntries(
  Object.entries(bundle.metafile.outputs).map(([file, output]) => [path.basename(file, '.js'), output.exports]),
);
for (const [, name, chunk] of rows) {
  if (!exportsOf[chunk]?.includes(name)) stop(`runtime/surface/${chunk}.js does not export ${name} (globals.def)`);
}

const scriptFiles = [here, path.join(here, 'parts')].flatMap((folder) =>
  fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(folder, file)),
);

// Not minifySyntax: the value of a script is that of its last statement.
const scripts = scriptFiles.map((file) => {
  const name = path.basename(file, '.js');
  const { code } = esbuild.transformSync(fs.readFileSync(file, 'utf8'), {
    charset: 'ascii',
    legalComments: 'none',
    minifyIdentifiers: true,
    minifyWhitespace: true,
    target: 'es2024',
  });
  return `extern const char runtime_${name}[];\nconst char runtime_${name}[] =\n    ${quoted(code)};\n`;
});

// What chunks take of the language, by number. base.js is there before any program
// that could replace it.
const intrinsics = [];
const numberOf = (path) => {
  const intrinsic = path.replace(/^call /, '');
  if (!intrinsics.includes(intrinsic)) intrinsics.push(intrinsic);
  return intrinsics.indexOf(intrinsic);
};
const known = intrinsicNames(tableText);
const isGlobal = (name) => rows.some(([, row]) => row === name);
const bound = (name, text) =>
  name === 'base'
    ? shorten(text, isGlobal)
    : bindIntrinsics(text, known, numberOf, isGlobal, (sentence) => stop(`runtime/surface/${name}.js ${sentence}`));

const texts = bundle.outputFiles.map((file) => {
  const name = path.basename(file.path, '.js');
  const text = asBlock(name, bound(name, file.text));
  if (/[^\t\n\x20-\x7e]/.test(text)) stop(`${name} holds a character that is not ASCII`);
  return `  { "${name}",\n    ${quoted(text)} },\n`;
});
fs.writeFileSync(
  out,
  `${scripts.join('')}
struct surface_text { const char *name; const char *text; };
extern const struct surface_text surface_texts[];
const struct surface_text surface_texts[] = {
${texts.join('')}  { 0, 0 },
};
extern const char *const surface_intrinsics[];
const char *const surface_intrinsics[] = { ${intrinsics.map((intrinsic) => `"${intrinsic}"`).join(', ')} };
extern const unsigned long surface_intrinsic_count;
const unsigned long surface_intrinsic_count = ${intrinsics.length};
`,
);
const inputs = [
  table,
  packageFile,
  ...['intrinsics.mjs', 'shorten.mjs', 'streams_package.mjs', 'streams_parts.mjs', 'syntax.mjs'].map((file) => path.join(here, file)),
  ...scriptFiles,
  path.join(here, 'parts'),
  ...Object.keys(bundle.metafile.inputs).filter((file) => !file.startsWith('streams:')).map((file) => path.resolve(here, file)),
  surface,
];
fs.writeFileSync(depfile, `${out}: ${inputs.map((file) => file.replaceAll(' ', '\\ ')).join(' ')}\n`);
