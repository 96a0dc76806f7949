// web-streams-polyfill in parts, each a chunk, so that a program reads those that it uses.
//
// streamsParts(text, stop) gives the text of the module of each part. What a part names of
// an `eager` one is taken when the part is evaluated, of any other when it is used. A function
// that several parts name belongs to the one that all of them need, or to `shared`. `text`
// must be esbuild's, in which no inner variable has the name of an outer one.
import { parse } from 'acorn';
import { childrenOf, isKey, withEdits } from './syntax.mjs';

const parts = {
  shared: { chunk: 'streams_shared', eager: [], roots: [] },
  readable: {
    chunk: 'streams',
    eager: ['shared'],
    roots: ['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamDefaultController', 'ge'],
  },
  // rt: SetUpReadableByteStreamController, at: AcquireReadableStreamBYOBReader
  bytes: {
    chunk: 'streams_bytes',
    eager: ['shared', 'readable'],
    roots: ['ReadableByteStreamController', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest', 'rt', 'at'],
  },
  writable: {
    chunk: 'streams_writable',
    eager: ['shared'],
    roots: ['WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter'],
  },
  transform: {
    chunk: 'streams_transform',
    eager: ['shared', 'readable', 'writable'],
    roots: ['TransformStream', 'TransformStreamDefaultController'],
  },
  // hr: ReadableStreamPipeTo
  pipe: { chunk: 'streams_pipe', eager: ['shared', 'readable', 'writable'], roots: ['hr'] },
  // Wr: ReadableStreamTee, Or: ReadableStreamFromIterable
  tee: { chunk: 'streams_tee', eager: ['shared', 'readable'], late: ['bytes'], roots: ['Wr', 'Or'] },
  strategies: { chunk: 'streams_strategies', eager: ['shared'], roots: ['ByteLengthQueuingStrategy', 'CountQueuingStrategy'] },
};
const names = Object.keys(parts);

const namesOf = (node) => (node.type === 'VariableDeclaration' ? node.declarations.map(({ id }) => id.name) : node.id ? [node.id.name] : []);

// The statements of the package, each with the names that it declares and uses.
const itemsOf = (text) => {
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const items = body
    .filter(({ type }) => !/^(Import|Export)/.test(type))
    .map((node) => ({ node, names: namesOf(node), uses: [], part: undefined }));
  const homes = new Map(items.flatMap((item) => item.names.map((name) => [name, item])));
  const visit = (item, node, parent) => {
    if (node.type === 'Identifier' && homes.has(node.name) && homes.get(node.name) !== item) {
      item.uses.push({ name: node.name, node, parent });
    }
    for (const child of childrenOf(node)) if (!isKey(node, child)) visit(item, child, node);
  };
  for (const item of items) visit(item, item.node, undefined);
  return { items, homes, imports: body.filter(({ type }) => type === 'ImportDeclaration') };
};

const needs = (user, name) => user === name || parts[user].eager.includes(name) || parts[user].late?.includes(name);

// The part that all of these need.
const commonOf = (users) =>
  names.find((name) => name !== 'shared' && users.has(name) && [...users].every((user) => needs(user, name))) ??
  names.find((name) => name !== 'shared' && [...users].every((user) => parts[user].eager.includes(name))) ??
  'shared';

const assign = ({ items, homes }, stop) => {
  for (const [name, { roots }] of Object.entries(parts)) {
    for (const root of roots) {
      if (!homes.has(root)) stop(`web-streams-polyfill has no ${root}: see runtime/streams_parts.mjs`);
      homes.get(root).part = name;
    }
  }
  // Object.defineProperties(WritableStream.prototype, ...) goes where the class is.
  const isStatement = (item) => item.names.length === 0;
  for (const item of items.filter(isStatement)) item.part = item.uses.map(({ name }) => homes.get(name).part).find(Boolean);
  const users = new Map(items.map((item) => [item, new Set()]));
  const reach = (item, part) => {
    for (const { name } of item.uses) {
      const used = homes.get(name);
      if (used.part !== undefined || users.get(used).has(part)) continue;
      users.get(used).add(part);
      reach(used, part);
    }
  };
  for (const item of items) if (item.part !== undefined) reach(item, item.part);
  for (const item of items) if (users.get(item).size > 0) item.part = commonOf(users.get(item));
  for (const item of items.filter(isStatement)) item.part ??= item.uses.map(({ name }) => homes.get(name).part).find((part) => part !== 'shared');
};

export const streamsParts = (text, stop) => {
  const found = itemsOf(text);
  const { items, homes, imports } = found;
  assign(found, stop);
  const taken = Object.fromEntries(names.map((name) => [name, new Set()]));
  const given = Object.fromEntries(names.map((name) => [name, new Set(parts[name].roots)]));
  const edits = [];
  for (const item of items.filter(({ part }) => part !== undefined)) {
    for (const { name, node, parent } of item.uses) {
      const { part } = homes.get(name);
      if (part === item.part) continue;
      given[part].add(name);
      if (parts[item.part].eager.includes(part)) taken[item.part].add(name);
      else {
        const by = `internals.use("${parts[part].chunk}").${name}`;
        edits.push({ ...node, by: parent.type === 'NewExpression' && node === parent.callee ? `(${by})` : by, item });
      }
    }
  }
  const textOf = (item) => {
    const { start } = item.node;
    const own = edits.filter((edit) => edit.item === item).map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    return withEdits(text.slice(start, item.node.end), own);
  };
  const moduleOf = (name) => {
    const heads = parts[name].eager.map((part) => {
      const own = [...taken[name]].filter((one) => homes.get(one).part === part);
      return own.length === 0 ? '' : `const { ${own.join(', ')} } = internals.use("${parts[part].chunk}");`;
    });
    const own = items.filter(({ part }) => part === name).map(textOf);
    return [...imports.map(({ start, end }) => text.slice(start, end)), ...heads, ...own, `export { ${[...given[name]].join(', ')} };`].join('\n');
  };
  return Object.fromEntries(names.map((name) => [name, moduleOf(name)]));
};
