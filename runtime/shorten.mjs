// What the engine need not read of a bundled chunk.
//
// shorten(text, isGlobal) gives the text without top-level variables that nothing uses, with
// numbers in the place of constants, and with top-level functions that are only ever called as `function`: the engine reads the
// parameters of an arrow twice, because it cannot know what they are. isGlobal(name) tells
// what a program gets, where the difference would show.
import { parse } from 'acorn';
import { childrenOf, isKey, withEdits } from './syntax.mjs';

const syntax = { ecmaVersion: 'latest', sourceType: 'module' };

// To read a property of what chunks share with one another has no effect.
const isPure = (node) =>
  ['Identifier', 'Literal', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type) ||
  (node.type === 'MemberExpression' && !node.computed && isPure(node.object));

// How often each name is mentioned, wherever: two variables of one name count as one.
const mentionsIn = (tree) => {
  const mentions = new Map();
  const note = (name, isCall) => {
    const found = mentions.get(name) ?? { all: 0, calls: 0 };
    mentions.set(name, { all: found.all + 1, calls: found.calls + (isCall ? 1 : 0) });
  };
  const visit = (node) => {
    for (const child of childrenOf(node)) {
      if (isKey(node, child)) continue;
      if (child.type === 'Identifier') note(child.name, node.type === 'CallExpression' && child === node.callee);
      visit(child);
    }
  };
  visit(tree);
  return mentions;
};

const listOf = (items, text) => items.map(({ start, end }) => text.slice(start, end)).join(', ');

const withoutUnused = (text) => {
  const tree = parse(text, syntax);
  const mentions = mentionsIn(tree);
  const isUsed = ({ name }) => mentions.get(name).all > 1;
  const edits = [];
  const keeps = (declarator) => {
    if (declarator.init === null || !isPure(declarator.init)) return true;
    if (declarator.id.type === 'Identifier') return isUsed(declarator.id);
    const { properties } = declarator.id;
    const used = properties.filter(({ value }) => value.type !== 'Identifier' || isUsed(value));
    if (used.length === 0) return false;
    if (used.length < properties.length) edits.push({ ...declarator.id, by: `{ ${listOf(used, text)} }` });
    return true;
  };
  for (const statement of tree.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    const before = edits.length;
    const kept = statement.declarations.filter(keeps);
    if (kept.length === statement.declarations.length) continue;
    edits.length = before; // the rest is for the next round
    edits.push({ ...statement, by: kept.length === 0 ? '' : `${statement.kind} ${listOf(kept, text)};` });
  }
  return edits.length === 0 ? text : withoutUnused(withEdits(text, edits));
};

// A constant that is a number is that number.
const withNumbers = (text) => {
  const tree = parse(text, syntax);
  const numbers = new Map();
  for (const statement of tree.body) {
    for (const { id, init } of statement.declarations ?? []) {
      if (/^[A-Z][A-Z_]+$/.test(id.name) && typeof init?.value === 'number') numbers.set(id.name, { id, raw: init.raw });
    }
  }
  const edits = [];
  const visit = (node) => {
    for (const child of childrenOf(node)) {
      if (isKey(node, child) || node.type === 'ExportSpecifier') continue;
      const number = child.type === 'Identifier' ? numbers.get(child.name) : undefined;
      if (number === undefined || number.id === child) visit(child);
      else edits.push({ ...child, by: node.shorthand ? `${child.name}: ${number.raw}` : number.raw });
    }
  };
  visit(tree);
  return withEdits(text, edits);
};

const bindsThis = (node) =>
  node.type === 'ThisExpression' || node.type === 'MetaProperty' || node.name === 'arguments' ||
  [...childrenOf(node)].some(bindsThis);

const withFunctions = (text, isGlobal) => {
  const tree = parse(text, syntax);
  const mentions = mentionsIn(tree);
  const exported = new Map();
  for (const { type, specifiers } of tree.body) {
    if (type === 'ExportNamedDeclaration') for (const { local, exported: to } of specifiers) exported.set(local.name, to.name);
  }
  const isCalled = (name) => {
    const { all, calls } = mentions.get(name);
    const exports = !exported.has(name) ? 0 : exported.get(name) === name ? 2 : 1;
    return all === calls + exports + 1 && !isGlobal(exported.get(name));
  };
  const asFunction = ({ id, init }) => {
    const body = text.slice(init.body.start, init.body.end);
    // The parentheses around an expression are not part of its node.
    const block = init.expression ? `{ return (${body}); }` : body;
    return `${init.async ? 'async ' : ''}function ${id.name}(${listOf(init.params, text)}) ${block}\n`;
  };
  const isPlain = ({ id, init }) => init?.type === 'ArrowFunctionExpression' && isCalled(id.name) && !bindsThis(init);
  const edits = [];
  for (const statement of tree.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    const functions = statement.declarations.filter(isPlain);
    const others = statement.declarations.filter((declarator) => !isPlain(declarator));
    if (functions.length === 0) continue;
    const rest = others.length === 0 ? '' : `${statement.kind} ${listOf(others, text)};`;
    edits.push({ ...statement, by: functions.map(asFunction).join('') + rest });
  }
  return withEdits(text, edits);
};

export const shorten = (text, isGlobal) => withFunctions(withoutUnused(withNumbers(text)), isGlobal);
