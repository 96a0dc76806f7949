// What is put into a text to learn from the engine's parser, which is many times as fast
// as one of ours, where in it there is code. A text with all its probes parses only if
// every one of them stands where it was thought to.

// In code two comments. In anything else, but for a comment that is the rest of a line,
// each ends what it stands in or breaks it: strings, templates and comments end, and then
// a backslash before a space is no code; a regular expression has a group of no kind.
export const CODE = '/*/\\ `\\ \'\\ "\\ /*/ /*](?*/';

// The same of that comment; has a line end.
export const LINE = '/*\n\\ */';

// After a word that is not in code: in strings, templates and regular expressions a
// space, in code an error.
export const NO_CODE = '\\x20';

// In the place of a word: no name that is declared, no label, no property and no method,
// but a value.
export const VALUE = `${CODE}(0,0)`;

// In the place of a name before a colon: a property's, and neither a label nor a value.
export const KEY = 'if';

// In the place of a property that is named as its value is, in an object that is no pattern.
export const SHORTHAND = `${CODE}if:(0,0)`;

// In the place of `arguments`: stands in functions that have them, and nowhere else.
export const ARGUMENTS = `${CODE}new.target`;

// After `await`, which the engine takes for a name in functions that are not async.
export const OPERATOR = `${CODE} typeof `;

// Before a value: in a list of statements only. `name` is declared nowhere else.
export const inList = (name) => `${CODE}const ${name}=0;(0,0)`;

// Where no value can stand before it on the same line.
export const AFTER_HEAD = ` ${CODE}void(0,0)`;

// In the place of a name that is called with \`new\`.
export const AFTER_NEW = `${CODE}class{}`;

// Around an expression that has no comma outside of brackets.
export const EXPRESSION = ['(0?', `${CODE}${LINE}:0)`];

const escapedAs = (digits) => `\\x${Math.min(parseInt(digits, 16), 0xff).toString(16).padStart(2, '0')}`;

// Names with escapes are no code after that. Order is kept, for ranges of characters.
export const withoutEscapes = (text) =>
  text.includes('\\u')
    ? text.replace(/\\u(?:\{([\da-f]+)\}|([\da-f]{4}))/gi, (_, braced, digits) => escapedAs(braced ?? digits))
    : text;
