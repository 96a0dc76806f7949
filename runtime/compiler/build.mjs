// build.mjs OUT.c DEPFILE: writes the two bundles of the compiler as C strings, each a
// script whose value is what its entry exports.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const [out, depfile] = process.argv.slice(2);
const entries = { compiler: 'compile.js', typescript: 'typescript.js' };

const bundle = (entry) =>
  build({
    entryPoints: [path.join(here, entry)],
    write: false,
    bundle: true,
    format: 'iife',
    globalName: 'exports',
    footer: { js: 'exports' },
    // Modules of CommonJS become functions of their own, which the engine optimizes one
    // by one; as one large function their loops take it a third of a second.
    mainFields: ['main'],
    target: 'es2024',
    charset: 'ascii',
    minify: true,
    legalComments: 'none',
    metafile: true,
    absWorkingDir: here,
    logLevel: 'warning',
  });

const quoted = (text) =>
  text
    .match(/[\s\S]{1,2000}/g)
    .map((piece) => `"${piece.replace(/[\\"?]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`)
    .join('\n    ');

const texts = [];
const inputs = [];
for (const [name, entry] of Object.entries(entries)) {
  const { outputFiles, metafile } = await bundle(entry);
  texts.push(`extern const char runtime_${name}[];\nconst char runtime_${name}[] =\n    ${quoted(outputFiles[0].text)};\n`);
  inputs.push(...Object.keys(metafile.inputs).map((file) => path.resolve(here, file)));
}
fs.writeFileSync(out, texts.join(''));
fs.writeFileSync(depfile, `${out}: ${inputs.map((file) => file.replaceAll(' ', '\\ ')).join(' ')}\n`);
