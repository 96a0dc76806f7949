// build.mjs ENTRY.js OUT.js: bundles an entry of this folder into one script whose
// value is its exports.
import { build } from 'esbuild';

const [entry, out] = process.argv.slice(2);

await build({
  entryPoints: [entry],
  outfile: out,
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
  logLevel: 'warning',
});
