// web-streams-polyfill as runtime/surface can use it: the package calls methods of
// arrays, promises and buffers, reads properties of views and signals, and hands out
// property descriptors, all of which a program can change. Each row of `edits` puts a
// function of runtime/surface/lib/language.js in the place of such a use; what the
// package merely names is bound by intrinsics.mjs. A row that does not fit the text as
// often as it says ends the build: then the package has changed, and its new text has to
// be read.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { streamsParts } from './streams_parts.mjs';

export const packageFile = fileURLToPath(new URL('node_modules/web-streams-polyfill/dist/ponyfill.mjs', import.meta.url));

const IMPORTED = ['all', 'apply', 'bytesIn', 'define', 'defineAll', 'fill', 'hasOwn', 'isAborted', 'isDetached', 'isSignal', 'newList',
  'newPromise', 'newSignal', 'offAbort', 'onAbort', 'reasonOf', 'rejected', 'resolved', 'signalAbort', 'then', 'transfer', 'viewOf'];

// [how often, what, by what]
const edits = [
  // promises
  [1, 'i=Promise.resolve.bind(n),a=Promise.prototype.then,s=Promise.reject.bind(n),l=i', 'i=$resolved,s=$rejected,l=i'],
  [1, 'return new n(e)', 'return $newPromise(e)'],
  [1, 'const n=Promise,', 'const '],
  [1, 'return a.call(e,t,r)', 'return $then(e,t,r)'],
  [2, 'return Promise.resolve(', 'return l('],
  [1, 'Promise.all(a.map(e=>e()))', '$all(a)'],
  [1, /let y=e=>\{if\("function"==typeof queueMicrotask\).*?return y\(e\)\};/g, 'const y=e=>{$then(c(void 0),e)};'],
  [1, 'Function.prototype.apply.call(e,t,r)', '$apply(e,t,r)'],
  // lists
  [2, '_elements:[]', '_elements:$newList()'],
  [1, 't._elements.push(e)', 't._elements[t._elements.length]=e'],
  [1, 'function Qe(e){const t=[];', 'function Qe(e){const t=$newList();'],
  [1, 't.push(r))}return t}', 't[t.length]=r)}return t}'],
  [1, 'const t=[];for(;t.length<lt(r);)t.push(He(e));', 'const t=$newList();for(;t.length<lt(r);)t[t.length]=He(e);'],
  [1, 'a=[];o||a.push(', 'a=$newList();o||(a[a.length]='],
  [1, ',n||a.push(', ',n||(a[a.length]='],
  [1, 'function le(e){return e.slice()}', 'function le(e){return e}'],
  // objects
  [14, 'Object.prototype.hasOwnProperty.call(', '$hasOwn('],
  [14, 'Object.defineProperties(', '$defineAll('],
  [17, 'Object.defineProperty(', '$define('],
  [1, /const _e=null!==.*?"@@asyncIterator";/g, 'const _e=Symbol.asyncIterator;'],
  [1, /const dr="undefined"!=typeof globalThis.*?const fr=.*?(?=function hr\()/g, 'function fr(m,n){return internals.newDOMException(m,n)}'],
  // what is not given is a dictionary without members
  [3, '(e,t={}){', '(e,t={__proto__:null}){'],
  [2, '{constructor(e={},t={}){', '{constructor(e={__proto__:null},t={__proto__:null}){'],
  [1, '(e={},t={},r={})', '(e={__proto__:null},t={__proto__:null},r={__proto__:null})'],
  // buffers and views
  [1, 'new Uint8Array(e).set(new Uint8Array(r,o,n),t)', '$fill(new Uint8Array(e),new Uint8Array(r,o,n),t)'],
  [1, /let ce=e=>\(ce=.*?,de\(e\)\);/g, 'const ce=$transfer,de=$isDetached;'],
  [1, 'if(e.slice)return e.slice(t,r);', ''],
  [2, '0===e.buffer.byteLength', '0===$bytesIn(e.buffer)'],
  [1, 't.buffer.byteLength', '$bytesIn(t.buffer)'],
  [1, 'bufferByteLength:c.byteLength', 'bufferByteLength:$bytesIn(c)'],
  [1, 'this._view.buffer', '$viewOf(this._view).buffer'],
  [1, 'if(de(e.buffer))throw', 'if(de($viewOf(e).buffer))throw'],
  [1, 'if(0===e.byteLength)throw', 'e=$viewOf(e);if(0===e.byteLength)throw'],
  [1, 'if(0===e.byteLength)return', 'e=$viewOf(e);if(0===e.byteLength)return'],
  [1, '{buffer:o,byteOffset:n,byteLength:i}=t;', '{buffer:o,byteOffset:n,byteLength:i}=$viewOf(t);'],
  [1, '{const n=e._controlledReadableByteStream,i=t.constructor', '{t=$viewOf(t);const n=e._controlledReadableByteStream,i=t.constructor'],
  [1, 'function tt(e,t){', 'function tt(e,t){t=$viewOf(t);'],
  [1, 'function Te(e){', 'function Te(e){e=$viewOf(e);'],
  // signals
  [1, /if\("object"!=typeof e\|\|null===e\)return!1;try\{return"boolean"==typeof e\.aborted\}catch\(e\)\{return!1\}/g, 'return $isSignal(e)'],
  [1, 'void 0!==i.reason?i.reason:new fr("Aborted","AbortError")', '$reasonOf(i)'],
  [1, 'i.aborted)return', '$isAborted(i))return'],
  [1, 'i.addEventListener("abort",S)', '$onAbort(i,S)'],
  [1, 'i.removeEventListener("abort",S)', '$offAbort(i,S)'],
  [1, 'function(){if("function"==typeof AbortController)return new AbortController}()', '$newSignal()'],
  [1, 'return this._abortController.signal', 'return this._abortController'],
  [1, /null===\(r=e\._writableStreamController\._abortController\)\|\|void 0===r\|\|r\.abort\(t\)/g, '$signalAbort(e._writableStreamController._abortController,t)'],
];

const edited = (text, stop) => {
  for (const [times, what, by] of edits) {
    const found = typeof what === 'string' ? text.split(what).length - 1 : [...text.matchAll(what)].length;
    if (found !== times) stop(`web-streams-polyfill has "${what}" ${found} times, not ${times}: see runtime/streams_package.mjs`);
    text = text.replaceAll(what, () => by);
  }
  return text;
};

/** The plugin for esbuild; `language` is the path of language.js. web-streams-polyfill/PART is a module of its own. */
export const streamsPackage = (esbuild, language, stop) => {
  const head = `import {${IMPORTED.map((name) => `${name} as $${name}`)}} from ${JSON.stringify(language)};\n`;
  const { code } = esbuild.transformSync(head + edited(fs.readFileSync(packageFile, 'utf8'), stop), { format: 'esm', legalComments: 'none' });
  const parts = streamsParts(code, stop);
  return {
    name: 'web-streams-polyfill',
    setup(build) {
      build.onResolve({ filter: /^web-streams-polyfill\// }, ({ path }) => ({ path: path.split('/')[1], namespace: 'streams' }));
      build.onLoad({ filter: /.*/, namespace: 'streams' }, ({ path }) => ({ contents: parts[path], resolveDir: '/' }));
    },
  };
};
