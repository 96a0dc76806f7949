// What a chunk takes of the language, out of the reach of programs.
//
// bindIntrinsics(text, known, numberOf, stop) gives the text of a bundled module in
// which every mention of what the language has is a constant that is set at its
// beginning: `Map`, `Map.prototype.get`, `getter(Map.prototype, 'size')`,
// `const { floor } = Math`. So a chunk needs no care at its top level, and its functions
// may name a class. numberOf(path) numbers what is taken; the worker has it by number
// (src/worker/surface.c), as it was before the program. `stop` says what cannot be bound.
import { parse } from 'acorn';

// Not objects of the language, or the program's to replace.
const notBound = new Set(['undefined', 'NaN', 'Infinity', 'eval', 'console', 'navigator', 'caches', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask']);

/** The names of the language in globals.def. */
export const intrinsicNames = (table) =>
  new Set(['TypedArray', ...[...table.matchAll(/^CM_GLOBAL\((\w+), 1\)/gm)].map(([, name]) => name).filter((name) => !notBound.has(name))]);

const rootPath = (name) => (name === 'TypedArray' ? 'Uint8Array.__proto__' : name === 'globalThis' ? '' : name);

const isNode = (value) => typeof value?.type === 'string';

function* childrenOf(node) {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value;
    else if (Array.isArray(value)) yield* value.filter(isNode);
  }
}

export const bindIntrinsics = (text, known, numberOf, stop) => {
  const edits = [];
  const constants = new Map();
  const isRoot = (node) => node.type === 'Identifier' && known.has(node.name);

  const constantOf = (path) => {
    if (!constants.has(path)) constants.set(path, `$${numberOf(path)}`);
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

  const getterPath = (node) => {
    if (node.type !== 'CallExpression' || !/^getter\d*$/.test(node.callee.name ?? '')) return undefined;
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
      const members = node.id.properties.map(({ key }) => `${key.name}: ${constantOf(`${rootPath(node.init.name)}.${key.name}`)}`);
      replace(node.init, `{ __proto__: null, ${members.join(', ')} }`);
      return true;
    },
    Property(node) {
      if (!node.shorthand || !isRoot(node.value)) return false;
      replace(node, `${node.key.name}: ${constantOf(rootPath(node.key.name))}`);
      return true;
    },
  };
  const keyed = new Set(['Property', 'MethodDefinition', 'PropertyDefinition']);

  const visit = (node) => {
    const path = getterPath(node) ?? pathOf(node);
    if (path !== undefined) replace(node, constantOf(path));
    else if (isRoot(node)) replace(node, constantOf(rootPath(node.name)));
    else if (special[node.type]?.(node) !== true) {
      for (const child of childrenOf(node)) {
        const isName = !node.computed && ((node.type === 'MemberExpression' && child === node.property) || (keyed.has(node.type) && child === node.key));
        if (!isName) visit(child);
      }
    }
  };
  visit(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }));

  edits.sort((a, b) => b.start - a.start);
  for (const { start, end, by } of edits) text = text.slice(0, start) + by + text.slice(end);
  const declared = [...constants].map(([path, constant]) => {
    const value = `$intrinsic(${constant.slice(1)})`;
    return `${constant}=${path.startsWith('get ') ? `$uncurry(${value})` : value}`;
  });
  if (declared.length === 0) return text;
  return `const { intrinsic: $intrinsic, primordials: { uncurryThis: $uncurry } } = internals, ${declared.join(', ')};\n${text}`;
};
