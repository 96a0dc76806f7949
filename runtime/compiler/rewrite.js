// Rewrites a program or module to the source of a function that
// runtime/modules.js calls, with every line on its line:
//
//   ES module      function* (imports, import(), import.meta): yields an object with a
//                  getter for each local export once its functions are there, and
//                  evaluates the module when it goes on
//     awaiting     the same, and then yields what it awaits
//     with loops   that await: async function (imports, import(), import.meta, ready),
//                  gives that object to ready() and awaits what that returns
//   program        (imports, import(), import.meta) => the value of its expression
//   CommonJS       function (exports, require, module, import())
//
// An import is read as a property of `imports` each time, which makes it live.
import { Edits } from './edits.js';
import { TextError } from './error.js';
import { parse } from './parse.js';
import { awaitsAtTop, plainModule } from './plain.js';
import { find } from './references.js';

const NEEDS_A_LOOK = /\bimport\b|\bawait\b|\barguments\b|\\u/;

// `base`, or as much more as makes it a name that the text does not have.
const unusedName = (text, base) => {
  let name = base;
  for (let i = 0; text.includes(name); i++) name = base + i;
  return name;
};

const SPACE = '(?:\\s|//.*|/\\*[^]*?\\*/)*';
const DEFAULT_HEAD = new RegExp(`export${SPACE}default`, 'y');
const FUNCTION_HEAD = new RegExp(`(?:async${SPACE})?function(?:${SPACE}\\*)?`, 'y');

// Where what `pattern` matches at `at` ends.
const after = (text, at, pattern) => {
  pattern.lastIndex = at;
  pattern.exec(text);
  return pattern.lastIndex;
};

const nameOf = (node) => (node.type === 'Literal' ? node.value : node.name);

const namesBound = (pattern, names) => {
  switch (pattern?.type) {
    case 'Identifier':
      names.push(pattern.name);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties) namesBound(property.value ?? property.argument, names);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) namesBound(element, names);
      break;
    case 'AssignmentPattern':
      namesBound(pattern.left, names);
      break;
    case 'RestElement':
      namesBound(pattern.argument, names);
      break;
  }
  return names;
};

const namesDeclared = (declaration) =>
  declaration.type === 'VariableDeclaration'
    ? declaration.declarations.flatMap(({ id }) => namesBound(id, []))
    : [declaration.id.name];

class Rewriter {
  #text;
  #edits;
  #names;
  #requests = []; // [specifier, type or null]
  #requestIndex = new Map();
  #imports = new Map(); // local name -> [request, exported name or null: the namespace]
  #locals = []; // [exported name, local name]
  #indirect = []; // [exported name, request, exported name there or null]
  #stars = []; // requests
  #namesDefault = false;
  #closing = -1; // where what `export default` became ends

  constructor(text) {
    this.#text = text;
    this.#edits = new Edits(text);
    this.#names = {
      imports: unusedName(text, '$i'),
      importing: unusedName(text, '$n'),
      meta: unusedName(text, '$t'),
      ready: unusedName(text, '$x'),
      default: unusedName(text, '$d'),
      missing: unusedName(text, 'arguments$'),
    };
  }

  // ---- declarations ----

  #request(node) {
    let type = null;
    for (const { key, value } of node.attributes ?? []) {
      if (nameOf(key) !== 'type') throw this.#error(`Import attribute "${nameOf(key)}" is not supported`, key.start);
      type = value.value;
    }
    const id = `${type}:${node.source.value}`;
    if (!this.#requestIndex.has(id)) {
      this.#requestIndex.set(id, this.#requests.length);
      this.#requests.push([node.source.value, type]);
    }
    return this.#requestIndex.get(id);
  }

  #error(message, at) {
    const before = this.#text.slice(0, at).split(/\r\n?|[\n\u2028\u2029]/);
    return new TextError(message, before.length, before.at(-1).length + 1);
  }

  #import(node) {
    const request = this.#request(node);
    for (const specifier of node.specifiers) {
      const imported = {
        ImportDefaultSpecifier: 'default',
        ImportNamespaceSpecifier: null,
        ImportSpecifier: specifier.imported && nameOf(specifier.imported),
      }[specifier.type];
      this.#imports.set(specifier.local.name, [request, imported]);
    }
  }

  #exportNamed(node) {
    if (node.declaration !== null) {
      this.#edits.blank(node.start, node.declaration.start, ';');
      for (const name of namesDeclared(node.declaration)) this.#locals.push([name, name]);
      return;
    }
    this.#edits.blank(node.start, node.end, ';');
    for (const specifier of node.specifiers) {
      const exported = nameOf(specifier.exported);
      const local = nameOf(specifier.local);
      if (node.source !== null) this.#indirect.push([exported, this.#request(node), local]);
      else this.#locals.push([exported, local]);
    }
    if (node.source !== null) this.#request(node);
  }

  #exportDefault(node) {
    const { declaration } = node;
    if (declaration.id && declaration.type.endsWith('Declaration')) {
      this.#edits.blank(node.start, declaration.start, ';');
      this.#locals.push(['default', declaration.id.name]);
      return;
    }
    this.#locals.push(['default', this.#names.default]);
    if (declaration.type === 'FunctionDeclaration') {
      this.#edits.blank(node.start, declaration.start, ';');
      const head = after(this.#text, declaration.start, FUNCTION_HEAD);
      this.#edits.insert(head, ` ${this.#names.default}`);
      this.#namesDefault = true;
      return;
    }
    const end = this.#text[node.end - 1] === ';' ? node.end - 1 : node.end;
    this.#defaultValue(node.start, after(this.#text, node.start, DEFAULT_HEAD), end);
  }

  // As the value of a property it is named as the standard wants it.
  #defaultValue(start, headEnd, end) {
    this.#edits.blank(start, headEnd);
    this.#edits.insert(headEnd, `const{default:${this.#names.default}}={default:`);
    this.#closing = end;
  }

  #declaration(node, first) {
    switch (node.type) {
      case 'ImportDeclaration':
        this.#import(node);
        this.#edits.blank(node.start, node.end, first);
        break;
      case 'ExportNamedDeclaration':
        this.#exportNamed(node);
        break;
      case 'ExportDefaultDeclaration':
        this.#exportDefault(node);
        break;
      case 'ExportAllDeclaration':
        this.#edits.blank(node.start, node.end, ';');
        if (node.exported === null) this.#stars.push(this.#request(node));
        else this.#indirect.push([nameOf(node.exported), this.#request(node), null]);
        break;
    }
  }

  // An import that is exported again is no export of this module's own.
  #sortExports() {
    const own = [];
    for (const [exported, local] of this.#locals) {
      const imported = this.#imports.get(local);
      if (imported === undefined) own.push([exported, local]);
      else this.#indirect.push([exported, ...imported]);
    }
    this.#locals = own;
  }

  // ---- expressions ----

  #reference({ node, as }) {
    const read = `${this.#names.imports}.${node.name}`;
    const text = {
      value: read,
      callee: `(0,${read})`,
      'callee that starts a statement': `;(0,${read})`,
      shorthand: `${node.name}:${read}`,
    }[as];
    this.#edits.replace(node.start, node.end, text);
  }

  #expressions(found) {
    const { importing, meta, missing } = this.#names;
    for (const reference of found.references) this.#reference(reference);
    for (const node of found.imports) this.#edits.replace(node.start, node.start + 'import'.length, importing);
    for (const node of found.metas) this.#edits.replace(node.start, node.end, meta);
    for (const node of found.argumentsOf) this.#edits.replace(node.start, node.end, missing);
  }

  #find(ast) {
    if (this.#imports.size === 0 && !NEEDS_A_LOOK.test(this.#text)) return find({ body: [] }, this.#text, this.#imports);
    return find(ast, this.#text, this.#imports);
  }

  #hashbang() {
    if (this.#text.startsWith('#!')) this.#edits.replace(0, 2, '//');
  }

  // What is a comment in a script is "less than, not, decrement" in a module.
  #parseModule(kind) {
    if (!this.#text.includes('<!--')) return parse(kind, this.#text);
    return parse(kind, this.#text, ({ start, end, value }) => {
      if (value === '<' && this.#text.startsWith('<!--', start)) this.#edits.insert(end, ' ');
    });
  }

  #result(before, after, kind) {
    const { code, map } = this.#edits.apply(before, after);
    return {
      code,
      map,
      meta: {
        kind,
        requests: this.#requests,
        imports: [...this.#imports].map(([local, imported]) => [local, ...imported]),
        indirect: this.#indirect,
        stars: this.#stars,
        namesDefault: this.#namesDefault,
      },
    };
  }

  // ---- the kinds of text ----

  esm(engine) {
    const plain = engine && plainModule(this.#text, unusedName(this.#text, '$p'), engine);
    if (plain === undefined) return this.#parsedModule();
    for (const node of plain.body) this.#declaration(node, ';');
    this.#sortExports();
    this.#expressions(plain.found);
    if (/\bawait\b/.test(this.#text) && awaitsAtTop(this.#edits.apply('', '').code, engine)) return new Rewriter(this.#text).#parsedModule();
    return this.#module(plain.found);
  }

  #parsedModule() {
    const ast = this.#parseModule('esm');
    this.#hashbang();
    for (const node of ast.body) this.#declaration(node, ';');
    this.#sortExports();
    const found = this.#find(ast);
    this.#expressions(found);
    return this.#module(found);
  }

  #module(found) {
    const { imports, importing, meta, ready } = this.#names;
    const getters = this.#locals.map(([name, local]) => `get ${JSON.stringify(name)}(){return ${local}}`);
    const parameters = `${imports},${importing},${meta}`;
    const strict = '"use strict";';
    for (const { node, starts } of found.loops ? [] : found.awaits) {
      this.#edits.replace(node.start, node.start + 'await'.length, starts ? ';(yield' : '(yield');
      this.#edits.insert(node.end, ')');
    }
    if (this.#closing >= 0) this.#edits.insert(this.#closing, '};');
    if (found.loops)
      return this.#wrapped(found, `${parameters},${ready}`, 'async function', `${strict}await ${ready}({${getters}});`, '\n}', 'async');
    const kind = found.awaits.length > 0 ? 'await' : 'sync';
    return this.#wrapped(found, parameters, 'function*', `${strict}yield{${getters}};`, '\n}', kind);
  }

  // Code that an eval() inside of it gets has to find imports by their names.
  #wrapped(found, parameters, how, start, end, kind) {
    if (found.evals && this.#imports.size > 0)
      return this.#result(
        `(function(${parameters}){with(${this.#names.imports})return(${how}(){${start}`,
        `${end}).call()})`,
        kind,
      );
    return this.#result(`(${how}(${parameters}){${start}`, `${end})`, kind);
  }

  program() {
    const ast = this.#parseModule('program');
    for (const node of ast.body) this.#declaration(node, '');
    const found = this.#find(ast);
    this.#expressions(found);
    const { imports, importing, meta } = this.#names;
    const parameters = `${imports},${importing},${meta}`;
    if (found.evals && this.#imports.size > 0)
      return this.#result(
        `((${parameters})=>{with(${imports})return(()=>{"use strict";return(`,
        '\n)})()})',
        'program',
      );
    return this.#result(`((${parameters})=>{"use strict";return(`, '\n)})', 'program');
  }

  // Where there is no import() to be found, the engine's own parser does, which is many
  // times as fast. A text that would close our function fits one of the two at most.
  #isFunctionBody({ parses }, head) {
    if (/(?:^|[^.\w$])import\s*[(/]|^#!/.test(this.#text)) return false;
    return parses(`[${head}${this.#text}\n}]`) && parses(`${head.replace('function', 'function f')}${this.#text}\n}`);
  }

  cjs(engine) {
    const { importing } = this.#names;
    const head = `function(exports,require,module,${importing}){`;
    if (engine === undefined || !this.#isFunctionBody(engine, head)) {
      const ast = parse('cjs', this.#text);
      this.#hashbang();
      for (const node of find(ast, this.#text, this.#imports).imports) this.#edits.replace(node.start, node.start + 'import'.length, importing);
    }
    return this.#result(`(${head}`, '\n})', 'cjs');
  }
}

// { code, map, meta }; throws TextError for a text that is not what `kind` says:
// 'program', 'esm' or 'cjs'. `engine` may be missing (compile.js).
export const rewrite = (kind, text, engine) => new Rewriter(text)[kind](engine);
