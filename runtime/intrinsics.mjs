// What a chunk takes of the language, out of the reach of programs.
//
// bindIntrinsics(text, known, numberOf, isGlobal, stop) gives the text of a bundled module
// in which every mention of what the language has is a constant that is set at its
// beginning: `Map`, `uncurryThis(Map.prototype.get)`, `getter(Map.prototype, 'size')`,
// `const { floor } = Math`. So a chunk needs no care at its top level, and its functions
// may name a class. What nothing uses goes (shorten.mjs). numberOf(path) numbers what is
// taken; the worker has it by number (src/worker/surface.c), as it was before the program.
// `stop` says what cannot be bound.
import { parse } from 'acorn';
import { childrenOf, isKey, withEdits } from './syntax.mjs';
import { shorten } from './shorten.mjs';

// Not objects of the language, or the program's to replace.
const notBound = new Set(['undefined', 'NaN', 'Infinity', 'eval', 'console', 'navigator', 'caches', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask']);

/** The names of the language in globals.def. */
export const intrinsicNames = (table) =>
  new Set(['TypedArray', ...[...table.matchAll(/^CM_GLOBAL\((\w+), 1\)/gm)].map(([, name]) => name).filter((name) => !notBound.has(name))]);

const rootPath = (name) => (name === 'TypedArray' ? 'Uint8Array.__proto__' : name === 'globalThis' ? '' : name);

export const bindIntrinsics = (text, known, numberOf, isGlobal, stop) => {
  const edits = [];
  const constants = new Map();
  const isRoot = (node) => node.type === 'Identifier' && known.has(node.name);

  const constantOf = (path) => {
    if (!constants.has(path)) constants.set(path, `$${constants.size}`);
    return constants.get(path);
  };
  const replace = (node, by) => edits.push({ start: node.start, end: node.end, by });

  // "get" of `.get` and `['get']`, "@iterator" of `[Symbol.iterator]`.
  const keyOf = (key, computed) => {
    if (!computed) return key.name;
    if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
    if (key.type === 'MemberExpression' && !key.computed && key.object.name === 'Symbol') return `@${key.property.name}`;
    return undefined;
  };

  // The path of `Map.prototype.get`, `Math.floor`; undefined where it is none, or one
  // to a prototype, which nobody can replace in its class.
  const pathOf = (node) => {
    if (node.type !== 'MemberExpression') return undefined;
    const key = keyOf(node.property, node.computed);
    if (key === undefined || key === 'prototype') return undefined;
    if (isRoot(node.object)) return `${rootPath(node.object.name)}.${key}`;
    const owner = prototypeOf(node.object);
    return owner === undefined ? undefined : `${owner}.${key}`;
  };
  const prototypeOf = (node) =>
    node.type === 'MemberExpression' && !node.computed && node.property.name === 'prototype' && isRoot(node.object)
      ? `${rootPath(node.object.name)}.prototype`
      : undefined;

  // What is called with its `this` as the first argument: "get Map.prototype.size",
  // "call Map.prototype.get".
  const functionPath = (node) => {
    if (node.type !== 'CallExpression') return undefined;
    const name = node.callee.name?.replace(/\d+$/, '');
    if (name === 'uncurryThis') return pathOf(node.arguments[0])?.replace(/^/, 'call ');
    if (name !== 'getter') return undefined;
    const owner = prototypeOf(node.arguments[0]);
    const key = keyOf(node.arguments[1], true);
    return owner === undefined || key === undefined ? undefined : `get ${owner}.${key}`;
  };

  const special = {
    ForOfStatement: (node) => !node.await && stop('uses for-of, which asks the iterators of arrays'),
    ArrayPattern: () => stop('takes an array apart by a pattern, which asks its iterator'),
    // const { floor } = Math
    VariableDeclarator(node) {
      if (node.init === null || !isRoot(node.init) || node.id.type !== 'ObjectPattern') return false;
      const members = node.id.properties.map(({ key, value }) => `${value.name} = ${constantOf(`${rootPath(node.init.name)}.${key.name}`)}`);
      replace(node, members.join(', '));
      return true;
    },
    Property(node) {
      if (!node.shorthand || !isRoot(node.value)) return false;
      replace(node, `${node.key.name}: ${constantOf(rootPath(node.key.name))}`);
      return true;
    },
  };

  const visit = (node) => {
    const path = functionPath(node) ?? pathOf(node);
    if (path !== undefined) replace(node, constantOf(path));
    else if (isRoot(node)) replace(node, constantOf(rootPath(node.name)));
    else if (special[node.type]?.(node) !== true) {
      for (const child of childrenOf(node)) {
        if (!isKey(node, child)) visit(child);
      }
    }
  };
  visit(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }));

  const body = shorten(withEdits(text, edits), isGlobal);
  // A number, or ~number of a function that is uncurried.
  const taken = [...constants].filter(([, constant]) => new RegExp(`\\${constant}\\b`).test(body));
  if (taken.length === 0) return body;
  const numbers = taken.map(([path]) => (/^(get|call) /.test(path) ? ~numberOf(path) : numberOf(path)));
  const pattern = taken.map(([, constant], i) => `${i}: ${constant}`);
  return `const { ${pattern.join(', ')} } = internals.intrinsics(${numbers.join(', ')});\n${body}`;
};
