// Finds what has to be rewritten in a module without a parser of ours. What a word of the
// text is gets guessed from what is next to it; the engine's parser then says whether all
// the guesses are right (probe.js). Whatever is not clear is left to the other parser.
import * as probe from './probe.js';

const NAME = '[\\w$]+';
const BLANKS = '[ \\t]*';
// Comments match to their end or not at all.
const COMMENT = '//.*$|/\\*(?:[^*]|\\*(?!/))*\\*/';
const SPACE = `\\s*(?:(?:${COMMENT})\\s*)*`;
const GAP = '(?:[ \\t]|/\\*(?:[^*\\n\\r\\u2028\\u2029]|\\*(?!/))*\\*/)'; // on one line
const LIST = `\\{(?<list>[\\w$,\\s]*(?:(?:${COMMENT})[\\w$,\\s]*)*)\\}`;
const SOURCE = `(?<source>"[^"'\\\\\\n]*"|'[^"'\\\\\\n]*')`;
const TYPE = `(?<type>"\\w+"|'\\w+')`;
const ATTRIBUTES = `(?:\\s*with\\s*\\{\\s*type\\s*:\\s*${TYPE}\\s*,?\\s*\\}|(?!${SPACE}with\\b))`;
const FROM = `from\\s*${SOURCE}${ATTRIBUTES}`;
const END = `(?:${BLANKS};)?`;
const CLAUSE = `(?:(?<named>${NAME})\\s*(?:,\\s*|(?=from\\b)))?(?:\\*\\s*as\\s+(?<space>${NAME})\\s*|${LIST}\\s*)?`;

const IMPORT = `import(?:${BLANKS}|(?:${BLANKS}(?=[{*])|[ \\t]+)${CLAUSE}from\\s*)${SOURCE}${ATTRIBUTES}`;
const EXPORT_ALL = `export${BLANKS}\\*\\s*(?:as\\s+(?<exported>${NAME})\\s*)?${FROM}`;
const EXPORT_FROM = `export${BLANKS}${LIST}\\s*${FROM}`;
const EXPORT_LIST = `export${BLANKS}${LIST}(?!${SPACE}from\\b)`;
const FUNCTION = `(?:async${GAP}+)?function(?:${GAP}*\\*${GAP}*|${GAP}+|(?=\\())(?<function>${NAME})?${GAP}*\\(`;
const CLASS = `class${GAP}+(?!extends\\b)(?<class>${NAME})[\\s{]`;
const EXPORT_DECLARED = `export${GAP}+(?<fallback>default${GAP}+)?(?<declared>${FUNCTION}|${CLASS})`;
const EXPORT_VARIABLES = `export${GAP}+(?=(?:const|let|var)${GAP})(?<declared>(?:const|let|var)${GAP}+(?=${NAME}(?:\\s*[=,;]|${BLANKS}$)|\\{))`;
const EXPORT_VALUE = `export${GAP}+default(?![\\w$])(?!${SPACE}(?:async|function|class)\\b)`;

const sticky = (pattern) => new RegExp(pattern, 'my');
const DECLARATOR = sticky(
  `${SPACE}(?:(?<name>${NAME})(?=\\s*[=,;]|${BLANKS}$)|\\{(?<pattern>[\\w$,:\\s]*)\\}(?=\\s*=))\\s*(?<assigns>=(?!=))?`,
);
const PROPERTY = new RegExp(`^(?:${NAME}\\s*:\\s*)?(${NAME})$`);
const ITEM = new RegExp(`^(${NAME})(?:\\s+as\\s+(${NAME}))?$`);

const COMMENTS = new RegExp(COMMENT, 'gm');
const CALLS = sticky(`${SPACE}(?:[(\`]|\\?\\.${SPACE}[(\`])`);
const CALLS_OUTSIDE = sticky(`${SPACE}(?:\\)${SPACE})+(?:[(\`]|\\?\\.${SPACE}[(\`])`);
const NEXT = sticky(`${SPACE}([\\w$]+|[^]|(?![^]))`);
const LINE_END = /[ \t]*\r?\n/y;
const TEMPLATE = /[^`\\$]*(?:(?:\\[^]|\$(?!\{))[^`\\$]*)*(?:`|\$\{)/y;
const REGEXP = /\/[^\\/[\n]*(?:(?:\\.|\[[^\]\\\n]*(?:\\.[^\]\\\n]*)*\])[^\\/[\n]*)*\/\w*/y;
const META = /import\.meta\b(?!\$)/y;
const CALL_OF_IMPORT = /import\s*\(/y;

// A search for each name at each word, and back from a name: only so many, and so far.
const MANY = 256;
const FAR = 2000;

const BRACKETS = '()[]{},;\n';
const WORDS = ['import', 'export', 'await', 'arguments', 'eval', '<!--', '-->'];
const TOKENS = '\\/\\/.*|\\/\\*[^]*?\\*\\/|"[^"\\\\\\n]*(?:\\\\[^][^"\\\\\\n]*)*"|\'[^\'\\\\\\n]*(?:\\\\[^][^\'\\\\\\n]*)*\'|[`/]';
// After these there is an operand, and no statement starts.
const OPERATORS = /^(?:await|case|delete|do|else|extends|in|instanceof|new|of|return|throw|typeof|void|yield)$/;
const LONGEST_OPERATOR = 'instanceof'.length;
const IN_WORD = Array.from({ length: 128 }, (_, code) => /[\w$.#]/.test(String.fromCharCode(code)));
const OPERAND_ENDS = /[\w$"'`)\]}]/;
const HEAD_OF_STATEMENT = /\b(?:if|for|while) ?\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)$/;

const matchAt = (pattern, text, at) => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const standsAt = (pattern, text, at) => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

const unquoted = (string) => string.slice(1, -1);

// What ends the reading of a text that is not plain.
const UNCLEAR = new Error('unclear');
const unclear = () => {
  throw UNCLEAR;
};

const matchesOf = (list, item) =>
  list
    .replace(COMMENTS, ' ')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => item.exec(each) ?? unclear());

// [[name, other name] ...]
const itemsOf = (list) => matchesOf(list, ITEM).map(([, name, other = name]) => [name, other]);

const identifier = (name) => ({ type: 'Identifier', name });

const requestOf = ({ source, type }) => ({
  source: { value: unquoted(source) },
  attributes: type === undefined ? [] : [{ key: identifier('type'), value: { value: unquoted(type) } }],
});

// The declarations, as far as the rewriter looks into them.
const DECLARATIONS = [
  [
    sticky(IMPORT + END),
    ({ named, space, list, ...request }) => ({
      type: 'ImportDeclaration',
      specifiers: [
        ...(named === undefined ? [] : [{ type: 'ImportDefaultSpecifier', local: identifier(named) }]),
        ...(space === undefined ? [] : [{ type: 'ImportNamespaceSpecifier', local: identifier(space) }]),
        ...itemsOf(list ?? '').map(([imported, local]) => ({
          type: 'ImportSpecifier',
          imported: identifier(imported),
          local: identifier(local),
        })),
      ],
      ...requestOf(request),
    }),
  ],
  [
    sticky(EXPORT_ALL + END),
    ({ exported, ...request }) => ({
      type: 'ExportAllDeclaration',
      exported: exported === undefined ? null : identifier(exported),
      ...requestOf(request),
    }),
  ],
  [
    sticky(EXPORT_FROM + END),
    ({ list, ...request }) => ({ ...listOf(list), ...requestOf(request) }),
  ],
  [sticky(EXPORT_LIST + END), ({ list }) => ({ ...listOf(list), source: null })],
];

const listOf = (list) => ({
  type: 'ExportNamedDeclaration',
  declaration: null,
  specifiers: itemsOf(list).map(([local, exported]) => ({ local: identifier(local), exported: identifier(exported) })),
});

const [DECLARED, VARIABLES, DEFAULT_VALUE] = [EXPORT_DECLARED, EXPORT_VARIABLES, EXPORT_VALUE].map(sticky);

// Where one may be, comments included; that it is one is seen when the text is read.
const IMPORTS = new RegExp(`(?:^|[;}/])${BLANKS}${IMPORT}`, 'gm');
const namesImported = (text) =>
  [...text.matchAll(IMPORTS)].flatMap(({ groups: { named, space, list } }) => [
    ...[named, space].filter((name) => name !== undefined),
    ...itemsOf(list ?? '').map(([, local]) => local),
  ]);

const escaped = (name) => name.replaceAll('$', '\\$');
const bounded = (name) => `${/^\w/.test(name) ? '\\b' : ''}${escaped(name)}${/\w$/.test(name) ? '\\b' : ''}`;

// A word may begin or end with another one and a dollar.
const longerFirst = (a, b) => b.length - a.length;

const isWordPart = (character) =>
  character > '\x7f' ? /[\u200c\u200d\ud800-\udfff\p{ID_Continue}]/u.test(character) : /[\w$]/.test(character);

const startsLine = (text, at) => at === 0 || /[\n\r\u2028\u2029]/.test(text[at - 1]);

const isBlank = (code) => code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));

// Whether a token that follows an operand and a line's end cannot go on with it.
const startsStatement = (token) => /^[\w$"']|^$/.test(token) && token !== 'in' && token !== 'instanceof';

class Reader {
  body = [];
  found = { references: [], imports: [], metas: [], argumentsOf: [], awaits: [], loops: false, evals: false };
  #text;
  #names;
  #words;
  #wordAt = -1; // where the next one is that #noCode() has not seen
  #patterns = {}; // of tokens
  #probes = []; // { start, end, text }
  #comments = []; // { start, end }
  #templates = []; // of each that is open the braces that are, in its innermost substitution
  // Of an export: the brackets that are open, whether lines are looked for (#open()), the
  // place up to which it goes on, and its node or declaration.
  #value;
  #at = 0;
  #unused;
  #hides = false; // whether a probe may hide an error of the text

  constructor(text, unused) {
    const names = new Set(namesImported(text));
    if (names.size > MANY) unclear();
    this.#text = text;
    this.#names = names;
    this.#unused = unused;
    this.#words = new RegExp([...WORDS, ...names].sort(longerFirst).map(bounded).join('|'), 'g');
  }

  read() {
    const text = this.#text;
    while (this.#at < text.length) {
      const token = matchAt(this.#tokens(), text, this.#at);
      if (token === null) break;
      this.#at = token.index + token[0].length;
      this.#token(token[0], token.index);
    }
    if (this.#value !== undefined) this.#endValue(text.length, this.#endBefore(text.length));
  }

  // What to look for: brackets only where they matter.
  #tokens() {
    if (this.#templates.length > 0 || this.#value?.inLines === false) return this.#pattern('exact', '|[()[\\]{},;\\n]');
    return this.#value === undefined ? this.#pattern('plain', '') : this.#pattern('lines', '|\\n(?=[)\\]}])');
  }

  #pattern(name, others) {
    return (this.#patterns[name] ??= new RegExp(`${TOKENS}${others}|${this.#words.source}`, 'g'));
  }

  #token(token, at) {
    const first = token[0];
    if (first === '"' || first === "'") this.#noCode(at);
    else if (first === '`') this.#template(at);
    else if (token === '/') this.#regexp(at);
    else if (first === '/') this.#comment(at);
    else if (BRACKETS.includes(first)) this.#bracket(token, at);
    else if (!this.#isPart(at)) this.#word(token, at);
  }

  // ---- what is no code ----

  // Of the words from `start` to where the reader is.
  #noCode(start, hides = false) {
    const words = this.#words;
    if (this.#wordAt < start) this.#nextWord(start);
    for (; this.#wordAt < this.#at; this.#nextWord(words.lastIndex))
      if (!this.#isPart(this.#wordAt, words.lastIndex)) this.#probe(words.lastIndex, words.lastIndex, probe.NO_CODE, hides);
  }

  #nextWord(from) {
    this.#wordAt = matchAt(this.#words, this.#text, from)?.index ?? Infinity;
  }

  #comment(at) {
    this.#comments.push({ start: at, end: this.#at });
    this.#noCode(at);
  }

  #regexp(at) {
    const last = this.#endBefore(at);
    const divides = OPERAND_ENDS.test(this.#text[last - 1]) && !OPERATORS.test(this.#wordBefore(last));
    if (divides || !standsAt(REGEXP, this.#text, at)) return;
    this.#at = REGEXP.lastIndex;
    this.#noCode(at, true);
  }

  #template(at) {
    if (!standsAt(TEMPLATE, this.#text, this.#at)) unclear();
    this.#at = TEMPLATE.lastIndex;
    if (this.#text[this.#at - 1] === '{') this.#templates.push(0);
    this.#noCode(at);
  }

  #bracket(token, at) {
    if (token === '{' && this.#templates.length > 0) this.#templates.push(this.#templates.pop() + 1);
    if (token === '}' && this.#templates.length > 0) {
      const open = this.#templates.pop();
      if (open === 0) return this.#template(at);
      this.#templates.push(open - 1);
    }
    if (this.#value?.inLines === false) this.#inValue(token, at);
    else if (this.#value !== undefined && token === '\n' && this.#templates.length === 0) this.#value.inLines = false;
  }

  // ---- neighbours ----

  // Whether a longer word stands at [start, end).
  #isPart(start, end = this.#at) {
    const text = this.#text;
    return (start > 0 && isWordPart(text[start - 1]) && isWordPart(text[start])) ||
      (end < text.length && isWordPart(text[end]) && isWordPart(text[end - 1]));
  }

  // Where the code before `at` ends, without blanks and comments.
  #endBefore(at) {
    let i = this.#comments.length - 1;
    for (;;) {
      while (at > 0 && isBlank(this.#text.charCodeAt(at - 1))) at--;
      if (i < 0 || this.#comments[i].end !== at) return at;
      at = this.#comments[i--].start;
    }
  }

  // With what it is a property of, as far as that is next to it.
  #wordBefore(end) {
    let start = end;
    while (start > 0 && end - start < LONGEST_OPERATOR + 2 && IN_WORD[this.#text.charCodeAt(start - 1)]) start--;
    return this.#text.slice(start, end);
  }

  #isInBraces(at) {
    let depth = 0;
    for (let i = at - 1; i >= Math.max(0, at - FAR); i--) {
      const character = this.#text[i];
      if (character === ')' || character === ']' || character === '}') depth++;
      else if ((character === '(' || character === '[' || character === '{') && depth-- === 0) return character === '{' && this.#text[i - 1] !== '$';
    }
    return false;
  }

  // ---- words ----

  #probe(start, end, text, hides = true) {
    this.#probes.push({ start, end, text });
    this.#hides ||= hides;
  }

  #word(word, at) {
    const text = this.#text;
    const end = this.#at;
    const before = text[at - 1];
    // A property, and not what `...` spreads.
    if ((before === '.' && text[at - 2] !== '.') || before === '#') return;
    const last = this.#endBefore(at);
    const previous = text[last - 1] ?? ';';
    const next = matchAt(NEXT, text, end)[1];
    if (next === ':' && (previous === '{' || previous === ',')) this.#probe(at, end, probe.KEY);
    else if (word === 'import') this.#import(at);
    else if (word === 'export') this.#export(at);
    else if (word === 'await') this.#probe(end, end, this.#wordBefore(last) === 'for' ? probe.CODE : probe.OPERATOR);
    else if (word === 'arguments') this.#probe(at, end, probe.ARGUMENTS);
    else if (this.#names.has(word)) this.#name(word, at, { last, previous, next });
    else if (word !== 'eval' || this.#names.size > 0) unclear();
  }

  #name(name, start, around) {
    const end = start + name.length;
    const as = this.#use(start, end, around);
    this.found.references.push({ node: { start, end, name }, as });
  }

  // How a name is referred to, with a probe of that.
  #use(start, end, { last, previous, next }) {
    if ((next === ',' || next === '}') && (previous === ',' || previous === '{') && this.#isInBraces(start)) {
      this.#probe(start, end, probe.SHORTHAND);
      return 'shorthand';
    }
    if (!standsAt(CALLS, this.#text, end)) {
      if (previous === '(' && standsAt(CALLS_OUTSIDE, this.#text, end)) unclear();
      this.#probe(start, end, probe.VALUE);
      return 'value';
    }
    if (this.#wordBefore(last) !== 'new') return this.#callee(start, end, last);
    if (next !== '(') unclear();
    this.#probe(start, end, probe.AFTER_NEW);
    return 'value';
  }

  #callee(start, end, last) {
    const between = this.#text.slice(last, start);
    const isAtEnd = /[\n\r\u2028\u2029]/.test(between); // of a line
    if (isAtEnd && between.trim() === '' && this.#endsHead(last)) {
      this.#probe(last, end, probe.AFTER_HEAD);
      return 'callee';
    }
    const starts = this.#text[last - 1] === '}' || (isAtEnd && this.#endsOperand(last));
    this.#probe(start, end, starts ? probe.inList(`${this.#unused}${start}`) : probe.VALUE);
    return starts ? 'callee that starts a statement' : 'callee';
  }

  // Whether `if (...)` ends there, or another head that a statement follows.
  #endsHead(end) {
    const word = this.#wordBefore(end);
    return word === 'else' || word === 'do' || HEAD_OF_STATEMENT.test(/.*$/.exec(this.#text.slice(Math.max(0, end - 200), end))[0]);
  }

  // Whether what ends there, at a line's end, is a statement if the next line is none of it.
  #endsOperand(end) {
    const text = this.#text;
    if (text[end - 1] === '/' || OPERATORS.test(this.#wordBefore(end))) unclear();
    return OPERAND_ENDS.test(text[end - 1]) || /^(?:\+\+|--)$/.test(text.slice(end - 2, end));
  }

  #import(start) {
    if (this.#text[start - 1] !== '.') {
      if (standsAt(CALL_OF_IMPORT, this.#text, start)) {
        this.#probe(start, this.#at, probe.VALUE);
        this.found.imports.push({ start });
        return;
      }
      if (standsAt(META, this.#text, start)) {
        this.#at = META.lastIndex;
        this.#probe(start, this.#at, probe.VALUE);
        this.found.metas.push({ start, end: this.#at });
        return;
      }
    }
    this.#declaration(start);
  }

  // ---- declarations ----

  #declaration(start) {
    for (const [pattern, make] of DECLARATIONS) {
      const match = matchAt(pattern, this.#text, start);
      if (match === null) continue;
      this.#at = pattern.lastIndex;
      this.#add({ start, end: this.#at, ...make(match.groups) });
      return;
    }
    unclear();
  }

  #add(node) {
    if (this.#value !== undefined || this.#templates.length > 0) unclear();
    if (startsLine(this.#text, node.start)) this.#probe(node.start, node.start, probe.CODE, false);
    else this.#probe(node.start, node.start, probe.CODE + probe.LINE);
    this.body.push(node);
  }

  #export(start) {
    const declared = matchAt(DECLARED, this.#text, start);
    if (declared !== null) return this.#exportDeclared(start, declared);
    const variables = matchAt(VARIABLES, this.#text, start);
    if (variables !== null) return this.#exportVariables(start, variables);
    if (standsAt(DEFAULT_VALUE, this.#text, start)) return this.#exportValue(start);
    this.#declaration(start);
  }

  #exportDeclared(start, { 0: whole, groups }) {
    const name = groups.function ?? groups.class;
    const declaration = {
      type: groups.class === undefined ? 'FunctionDeclaration' : 'ClassDeclaration',
      start: start + whole.length - groups.declared.length,
      id: name === undefined ? null : identifier(name),
    };
    const type = groups.fallback === undefined ? 'ExportNamedDeclaration' : 'ExportDefaultDeclaration';
    this.#add({ type, start, declaration });
    this.#at = declaration.start;
  }

  #exportVariables(start, { 0: whole, groups }) {
    const end = start + whole.length;
    const declaration = { type: 'VariableDeclaration', start: end - groups.declared.length, declarations: [] };
    this.#add({ type: 'ExportNamedDeclaration', start, declaration });
    this.#at = end;
    this.#declarator(declaration);
  }

  #declarator(declaration) {
    const match = matchAt(DECLARATOR, this.#text, this.#at);
    if (match === null) unclear();
    const { name, pattern, assigns } = match.groups;
    this.#at = DECLARATOR.lastIndex;
    const names = name === undefined ? matchesOf(pattern, PROPERTY).map(([, bound]) => bound) : [name];
    declaration.declarations.push(...names.map((each) => ({ id: identifier(each) })));
    if (assigns !== undefined) this.#startValue({ declaration });
    else this.#noValue(declaration);
  }

  // Of a declarator.
  #noValue(declaration) {
    const next = matchAt(NEXT, this.#text, this.#at)[1];
    if (next === ',') {
      this.#at = NEXT.lastIndex;
      this.#declarator(declaration);
    } else if (next !== ';' && !startsStatement(next)) unclear();
  }

  #exportValue(start) {
    const node = { type: 'ExportDefaultDeclaration', start, declaration: { type: 'Value' } };
    this.#add(node);
    this.#at = DEFAULT_VALUE.lastIndex;
    this.#startValue({ node });
  }

  #startValue(of) {
    this.#value = { depth: 0, inLines: false, goesOn: 0, ...of };
    this.#probe(this.#at, this.#at, probe.EXPRESSION[0]);
  }

  #inValue(token, at) {
    const value = this.#value;
    if (token === '(' || token === '[' || token === '{') this.#open(value);
    else if (token === ')' || token === ']' || token === '}') value.depth--;
    else if (value.depth > 0) return;
    else if (token === ';') this.#endValue(at, at + 1);
    else if (token === ',') this.#nextValue(at);
    else if (token === '\n' && at >= value.goesOn && this.#endsStatement(at)) this.#endValue(at, this.#endBefore(at));
    if (value.depth < 0) unclear();
  }

  // What a line's end follows closes where a line starts with a bracket, as most code has it.
  #open(value) {
    value.depth++;
    value.inLines = standsAt(LINE_END, this.#text, this.#at);
  }

  #endValue(at, end) {
    this.#probe(at, at, probe.EXPRESSION[1]);
    if (this.#value.node !== undefined) this.#value.node.end = end;
    this.#value = undefined;
  }

  #nextValue(at) {
    const { declaration } = this.#value;
    if (declaration === undefined) unclear();
    this.#endValue(at);
    this.#declarator(declaration);
  }

  // Whether the line's end ends a statement, since what follows cannot go on with it.
  #endsStatement(at) {
    const last = this.#endBefore(at);
    const token = matchAt(NEXT, this.#text, at)[1];
    this.#value.goesOn = NEXT.lastIndex;
    if (!OPERAND_ENDS.test(this.#text[last - 1]) || OPERATORS.test(this.#wordBefore(last))) return false;
    return startsStatement(token);
  }

  // ---- the verdict ----

  // Whether the text is what it was taken for.
  isRight(engine) {
    const parts = [];
    let at = 0;
    for (const { start, end, text } of this.#probes) {
      parts.push(this.#text.slice(at, start), text);
      at = end;
    }
    const probed = parts.join('') + this.#text.slice(at);
    const plain = probe.withoutEscapes(probed);
    return engine.isModule(plain) && ((plain === probed && !this.#hides) || engine.isModule(this.#text));
  }

  // Whether it has seen all imports before it read what uses them.
  isComplete() {
    const names = this.body.flatMap(({ specifiers = [], type }) =>
      type === 'ImportDeclaration' ? specifiers.map(({ local }) => local.name) : []);
    this.found.references = this.found.references.filter(({ node }) => names.includes(node.name));
    return names.every((name) => this.#names.has(name));
  }
}

// { body, found }: declarations and what references.js finds, as far as they are looked
// at. `unused` begins no name of the text. undefined: the text is not plain.
export const plainModule = (text, unused, engine) => {
  if (text.startsWith('#!')) return undefined;
  try {
    const reader = new Reader(text, unused);
    reader.read();
    return reader.isComplete() && reader.isRight(engine) ? reader : undefined;
  } catch (error) {
    if (error !== UNCLEAR) throw error;
    return undefined;
  }
};

// Whether something awaits outside of functions in what the exports have left of such a
// text: in the block of a class that is an error.
export const awaitsAtTop = (text, engine) => !engine.parses(`(class{static{{${text}\n}}})`);
