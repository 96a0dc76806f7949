// TypeScript to JavaScript by erasing types, with every line on its line.
import { transform } from 'sucrase';
import { parse } from 'sucrase/dist/parser/index.js';
import { ContextualKeyword as word } from 'sucrase/dist/parser/tokenizer/keywords.js';
import { TokenType as tt } from 'sucrase/dist/parser/tokenizer/types.js';
import { TextError } from './error.js';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// The numbers of one segment of a source map.
const decode = (segment) => {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
};

// The source map's lines, each on its own line, as Edits.apply() gives them.
const shiftsOf = (mappings) => {
  const map = [];
  let original = 0;
  mappings.split(';').forEach((line, i) => {
    let column = 0;
    let shift = 0;
    if (line === '') return;
    for (const segment of line.split(',')) {
      const [columns, , , originalColumns] = decode(segment);
      column += columns;
      original += originalColumns ?? 0;
      if (column - original === shift) continue;
      shift = column - original;
      map.push(i + 1, column + 1, shift);
    }
  });
  return map;
};

const placeOf = (text, at) => {
  const before = text.slice(0, at).split('\n');
  return [before.length, before.at(-1).length + 1];
};

const isWord = (token, ...words) => token?.type === tt.name && words.includes(token.contextualKeyword);

// Whether the brace opens `declare namespace a.b {`, `declare module 'a' {` or
// `declare global {`.
const isAmbient = (tokens, brace) => {
  let i = brace - 1;
  while (i > 0 && [tt.name, tt.dot, tt.string].includes(tokens[i].type) && !isWord(tokens[i], word._declare)) i--;
  return isWord(tokens[i], word._declare);
};

const isNamespace = (tokens, i) =>
  tokens[i].isType &&
  isWord(tokens[i], word._namespace, word._module) &&
  tokens[i + 1]?.type === tt.name &&
  [tt.braceL, tt.dot].includes(tokens[i + 2]?.type) &&
  !isWord(tokens[i - 1], word._declare);

// The transform takes namespaces for types, which would make their values vanish.
const refuseNamespaces = (text) => {
  if (!/\b(?:namespace|module)\b/.test(text)) return;
  const { tokens } = parse(text, false, true, false);
  let depth = 0; // in the braces of what is ambient
  tokens.forEach((token, i) => {
    if (depth > 0) depth += (token.type === tt.braceL) - (token.type === tt.braceR);
    else if (token.type === tt.braceL && isAmbient(tokens, i)) depth = 1;
    else if (isNamespace(tokens, i))
      throw new TextError(
        'TypeScript namespaces are not supported. Use an object or a module of its own',
        ...placeOf(text, token.start),
      );
  });
};

// { code, map }, as Edits.apply() gives them. Imports that only types use are erased
// too, unless `keepUnusedImports`.
export const erase = (text, keepUnusedImports) => {
  try {
    const options = { filePath: 'text', sourceMapOptions: { compiledFilename: 'text' } };
    refuseNamespaces(text);
    const { code, sourceMap } = transform(text, { transforms: ['typescript'], disableESTransforms: true, keepUnusedImports, ...options });
    return { code, map: shiftsOf(sourceMap.mappings) };
  } catch (error) {
    if (error.loc === undefined) throw error;
    const message = error.message.replace(/^Error transforming \w+: /, '').replace(/ \(\d+:\d+\)$/, '');
    throw new TextError(message, error.loc.line, error.loc.column);
  }
};
