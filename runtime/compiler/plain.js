// Finds the exports of a module without a parser of ours, where it imports nothing and
// each of them has one of the forms below, as most of what bundlers write has. That the
// text is a module, and that what looks like an export is one, is for the engine's parser
// to say, which is many times as fast. Whatever is not clear is left to the other.

// What has to be rewritten, or is something else in the function that the module becomes.
const OTHER = /\bimport\b|\barguments\b|\\u|<!--|-->|^#!/;

// The engine takes `await` for a name in functions that are not async. With an operand
// that cannot follow a name it is the operator.
const UNCLEAR_AWAIT = /\bawait\b(?! +(?!in\b|instanceof\b|of\b)[\w$"'])/;

const NAME = '[\\w$]+';
const NAMED = `(?:async )?function\\*? ?(?<function>${NAME}) ?\\(|class (?!extends\\b)(?<class>${NAME})[ {]`;
// To the end of the line, or over lines that are indented to one that closes.
const VALUE = '.*|.*\\n(?:[ \\t].*\\n|\\n)*[}\\])`].*';
const FORMS = new RegExp(
  [
    `^export (?<named>default )?(?=${NAMED})`,
    `^export (?=(?:let|var) (?<empty>${NAME});)`,
    `^export (?:default(?! (?:async|function|class)\\b)|(?:const|let|var) (?<variable>${NAME}) =) (?<value>${VALUE});[ \\t]*$`,
    `(?:^|(?<before>[;}]))export ?\\{(?<list>[\\w$,\\s]*)\\}(?:;|(?!\\s*(?:from|/)))[ \\t]*$`,
  ].join('|'),
  'gm',
);
const ITEM = new RegExp(`^(${NAME})(?: as (${NAME}))?$`);

// In code each of them is a comment. Anywhere else it ends what it stands in, and then a
// backslash before a space is no code: the first one in a comment, a template or a string,
// the second in a comment that is the rest of a line.
const PROBE = '/*/\\ `\\ \'\\ "\\ /*/';
const LINE_PROBE = '/*\n\\ */';

const itemsOf = (list) =>
  list
    .split(',')
    .map((item) => item.trim().replace(/\s+/g, ' '))
    .filter((item) => item !== '')
    .map((item) => ITEM.exec(item));

// { start, end, names: [[exported, local] ...], value }: what to blank, and of an export
// with a value where that is: { start, end, isDefault }. undefined: it is not clear.
const exportOf = (match) => {
  const { before, named, empty, variable, value, list } = match.groups;
  const start = match.index + (before === undefined ? 0 : 1);
  const end = match.index + match[0].length;
  if (list !== undefined) {
    const items = itemsOf(list);
    if (items.includes(null)) return undefined;
    return { start, end, names: items.map(([, local, exported = local]) => [exported, local]) };
  }
  if (value === undefined) {
    const local = match.groups.function ?? match.groups.class ?? empty;
    return { start, end, names: [[named === undefined ? local : 'default', local]] };
  }
  const valueEnd = match.index + match[0].lastIndexOf(';');
  return {
    start,
    end: start + 'export '.length,
    names: variable === undefined ? [] : [[variable, variable]],
    value: { start: valueEnd - value.length, end: valueEnd, isDefault: variable === undefined },
  };
};

// A value stands where nothing but one expression without commas parses: so it is all
// that its statement has.
const probed = (text, found) => {
  let result = '';
  let at = 0;
  for (const { start, value } of found) {
    result += text.slice(at, start) + PROBE;
    at = start;
    if (value === undefined) continue;
    result += `${text.slice(at, value.start)}(0?${text.slice(value.start, value.end)}${PROBE}${LINE_PROBE}:0)`;
    at = value.end;
  }
  return result + text.slice(at);
};

const isWhatItSeems = (text, found, engine) =>
  engine.isModule(probed(text, found)) && (!found.some(({ value }) => value !== undefined) || engine.isModule(text));

// The exports, in the order of the text; undefined: the text is not plain.
export const plainExports = (text, engine) => {
  if (OTHER.test(text) || UNCLEAR_AWAIT.test(text)) return undefined;
  const found = [...text.matchAll(FORMS)].map(exportOf);
  if (found.includes(undefined) || found.length !== (text.match(/\bexport\b/g)?.length ?? 0)) return undefined;
  return isWhatItSeems(text, found, engine) ? found : undefined;
};

// Whether something awaits outside of functions in what the exports have left of such a
// text: in the block of a class that is an error.
export const awaitsAtTop = (text, engine) => /\bawait\b/.test(text) && !engine.parses(`(class{static{{${text}\n}}})`);
