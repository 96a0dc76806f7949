// Pattern strings of URLPattern: tokens, parts, and the regular expression and the
// text that parts make. The URL Pattern Standard, 2.1 and 2.2.
import { charCodeAt, codePointAt, newList, slice, test } from '../lib/text.js';

const TypeErrorOf = TypeError;
const StringOf = String;

const fail = (sentence) => {
  throw new TypeErrorOf(`URLPattern: ${sentence}`);
};

// The character at `at`, of one or two units; '' at the end.
const characterAt = (text, at) => {
  const code = codePointAt(text, at);
  return code === undefined ? '' : slice(text, at, at + (code > 0xffff ? 2 : 1));
};

const isNameStart = (character) => test(/^[$_\p{ID_Start}]$/u, character);
export const isNamePart = (character) => test(/^[$\u200c\u200d\p{ID_Continue}]$/u, character);
const isDigit = (character) => character >= '0' && character <= '9';

// ---- tokens --------------------------------------------------------------------------------

const token = (type, index, value) => ({ __proto__: null, type, index, value });

const single = { __proto__: null, '*': 'asterisk', '+': 'modifier', '?': 'modifier', '{': 'open', '}': 'close' };

// Where the name that starts at `at` ends.
const endOfName = (input, at) => {
  for (let start = at; ; ) {
    const character = characterAt(input, at);
    if (character === '' || !(at === start ? isNameStart(character) : isNamePart(character))) return at;
    at += character.length;
  }
};

// Where the group ends whose content starts at `start`: behind its ")"; -1 when it
// is none. A group in it may not capture.
const endOfGroup = (input, start) => {
  let depth = 1;
  if (characterAt(input, start) === '?') return -1;
  for (let at = start; at < input.length; at++) {
    if (charCodeAt(input, at) > 0x7f) return -1;
    switch (input[at]) {
      case '\\':
        if (++at === input.length || charCodeAt(input, at) > 0x7f) return -1;
        break;
      case '(':
        if (characterAt(input, at + 1) !== '?') return -1;
        depth++;
        break;
      case ')':
        if (--depth === 0) return at === start ? -1 : at + 1;
        break;
    }
  }
  return -1;
};

// A pattern that is malformed throws, or in a `lenient` reading has tokens "invalid".
export const tokenize = (input, lenient) => {
  const tokens = newList();
  const add = (type, index, start, end) => {
    if (type === 'invalid' && !lenient) fail(`"${input}" is malformed at its character ${index + 1}.`);
    tokens[tokens.length] = token(type, index, slice(input, start, end));
    return end;
  };
  for (let at = 0; at < input.length; ) {
    const character = characterAt(input, at);
    const next = at + character.length;
    if (character in single) {
      at = add(single[character], at, at, next);
    } else if (character === '\\') {
      const escaped = characterAt(input, next);
      at = escaped === '' ? add('invalid', at, at, next) : add('escaped', at, next, next + escaped.length);
    } else if (character === ':') {
      const end = endOfName(input, next);
      at = end === next ? add('invalid', at, at, next) : add('name', at, next, end);
    } else if (character === '(') {
      const end = endOfGroup(input, next);
      if (end < 0) {
        at = add('invalid', at, at, next);
      } else {
        add('regexp', at, next, end - 1);
        at = end;
      }
    } else {
      at = add('char', at, at, next);
    }
  }
  tokens[tokens.length] = token('end', input.length, '');
  return tokens;
};

// ---- parts ---------------------------------------------------------------------------------

const escapeWith = (pattern, text) => {
  let out = '';
  for (let i = 0; i < text.length; i++) out += test(pattern, text[i]) ? `\\${text[i]}` : text[i];
  return out;
};

const escapeRegExp = (text) => escapeWith(/[.+*?^${}()[\]|/\\]/, text);
export const escapePattern = (text) => escapeWith(/[+*?:{}()\\]/, text);

const segmentOf = (options) => `[^${escapeRegExp(options.delimiter)}]+?`;

// type: "text", "regexp", "segment" (up to the next delimiter) or "any"; modifier: "",
// "?", "*" or "+".
const makePart = (type, value, modifier, name = '', prefix = '', suffix = '') => ({
  __proto__: null,
  type,
  value,
  modifier,
  name,
  prefix,
  suffix,
});

class Parser {
  input;
  tokens;
  options;
  encode;
  segment;
  parts = newList();
  names = { __proto__: null };
  pending = '';
  at = 0;
  unnamed = 0;

  constructor(input, options, encode) {
    this.input = input;
    this.tokens = tokenize(input, false);
    this.options = options;
    this.encode = encode;
    this.segment = segmentOf(options);
  }

  take(type) {
    const next = this.tokens[this.at];
    if (next.type !== type) return null;
    this.at++;
    return next;
  }

  require(type) {
    if (this.take(type) === null) fail(`"${this.input}" is malformed at its character ${this.tokens[this.at].index + 1}.`);
  }

  takeGroup(name) {
    return this.take('regexp') ?? (name === null ? this.take('asterisk') : null);
  }

  takeModifier() {
    return (this.take('modifier') ?? this.take('asterisk'))?.value ?? '';
  }

  takeText() {
    let text = '';
    for (;;) {
      const next = this.take('char') ?? this.take('escaped');
      if (next === null) return text;
      text += next.value;
    }
  }

  add(part) {
    this.parts[this.parts.length] = part;
  }

  flush() {
    if (this.pending === '') return;
    this.add(makePart('text', this.encode(this.pending), ''));
    this.pending = '';
  }

  addGroup(prefix, name, group, suffix, modifier) {
    if (name === null && group === null && modifier === '') {
      this.pending += prefix;
      return;
    }
    this.flush();
    if (name === null && group === null) {
      if (prefix !== '') this.add(makePart('text', this.encode(prefix), modifier));
      return;
    }
    const source = group === null ? this.segment : group.type === 'asterisk' ? '.*' : group.value;
    const type = source === this.segment ? 'segment' : source === '.*' ? 'any' : 'regexp';
    const key = name === null ? StringOf(this.unnamed++) : name.value;
    if (key in this.names) fail(`"${this.input}" has two groups called "${key}".`);
    this.names[key] = true;
    this.add(makePart(type, type === 'regexp' ? source : '', modifier, key, this.encode(prefix), this.encode(suffix)));
  }

  // One step; false behind the last token.
  step() {
    const char = this.take('char');
    const name = this.take('name');
    const group = this.takeGroup(name);
    if (name !== null || group !== null) {
      let prefix = char === null ? '' : char.value;
      if (prefix !== '' && prefix !== this.options.prefix) {
        this.pending += prefix;
        prefix = '';
      }
      this.flush();
      this.addGroup(prefix, name, group, '', this.takeModifier());
      return true;
    }
    const text = char ?? this.take('escaped');
    if (text !== null) {
      this.pending += text.value;
      return true;
    }
    if (this.take('open') !== null) {
      this.braces();
      return true;
    }
    this.flush();
    this.require('end');
    return false;
  }

  braces() {
    const prefix = this.takeText();
    const name = this.take('name');
    const group = this.takeGroup(name);
    const suffix = this.takeText();
    this.require('close');
    this.addGroup(prefix, name, group, suffix, this.takeModifier());
  }
}

const parseParts = (input, options, encode) => {
  const parser = new Parser(input, options, encode);
  while (parser.step());
  return parser.parts;
};

// ---- what parts make -----------------------------------------------------------------------

const regExpOfPart = (part, segment) => {
  const { type, modifier } = part;
  if (type === 'text') return modifier === '' ? escapeRegExp(part.value) : `(?:${escapeRegExp(part.value)})${modifier}`;
  const source = type === 'segment' ? segment : type === 'any' ? '.*' : part.value;
  const repeats = modifier === '*' || modifier === '+';
  if (part.prefix === '' && part.suffix === '') return repeats ? `((?:${source})${modifier})` : `(${source})${modifier}`;
  const prefix = escapeRegExp(part.prefix);
  const suffix = escapeRegExp(part.suffix);
  if (!repeats) return `(?:${prefix}(${source})${suffix})${modifier}`;
  return `(?:${prefix}((?:${source})(?:${suffix}${prefix}(?:${source}))*)${suffix})${modifier === '*' ? '?' : ''}`;
};

const lastOf = (text) => text[text.length - 1];

// Whether a part has to stand in braces, so that it is read as it was meant.
const needsBraces = (part, previous, next, options) => {
  if (part.suffix !== '' || (part.prefix !== '' && part.prefix !== options.prefix)) return true;
  const named = !isDigit(characterAt(part.name, 0));
  if (named && part.type === 'segment' && part.modifier === '' && next !== undefined && next.prefix === '' && next.suffix === '') {
    if (next.type === 'text' ? isNamePart(characterAt(next.value, 0)) : isDigit(characterAt(next.name, 0))) return true;
  }
  return (
    part.prefix === '' && options.prefix !== '' && previous !== undefined && previous.type === 'text' && lastOf(previous.value) === options.prefix
  );
};

const groupText = (part, previous, segment, braces) => {
  const named = !isDigit(characterAt(part.name, 0));
  const head = named ? `:${part.name}` : '';
  if (part.type === 'regexp') return `${head}(${part.value})`;
  if (part.type === 'segment') return named ? head : `(${segment})`;
  const bare =
    !named && (previous === undefined || previous.type === 'text' || previous.modifier !== '' || braces || part.prefix !== '');
  return bare ? '*' : `${head}(.*)`;
};

const textOfPart = (part, previous, next, options, segment) => {
  if (part.type === 'text') return part.modifier === '' ? escapePattern(part.value) : `{${escapePattern(part.value)}}${part.modifier}`;
  const braces = needsBraces(part, previous, next, options);
  let text = escapePattern(part.prefix) + groupText(part, previous, segment, braces);
  if (part.type === 'segment' && !isDigit(characterAt(part.name, 0)) && part.suffix !== '' && isNamePart(characterAt(part.suffix, 0))) text += '\\';
  text += escapePattern(part.suffix);
  return (braces ? `{${text}}` : text) + part.modifier;
};

// {pattern, regexp, names, hasRegExp}; `encode` makes fixed text canonical.
export const compile = (input, encode, options, makeRegExp) => {
  const parts = parseParts(input, options, encode);
  const segment = segmentOf(options);
  const names = newList();
  let source = '^';
  let pattern = '';
  let hasRegExp = false;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part.type !== 'text') names[names.length] = part.name;
    hasRegExp ||= part.type === 'regexp';
    source += regExpOfPart(part, segment);
    pattern += textOfPart(part, parts[i - 1], parts[i + 1], options, segment);
  }
  return { __proto__: null, pattern, regexp: makeRegExp(`${source}$`), names, hasRegExp };
};
