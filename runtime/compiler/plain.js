// Finds the exports of a module without a parser of ours, where the text has the form
// that most bundlers give it: no imports, and each export at the start of a line, as a
// function, a class or a list. That the text is a module is for the engine's parser to
// say, which is many times as fast. Whatever is not clear is left to the other.

// What the engine does not judge as in a module, or what has to be rewritten.
const OTHER = /\bimport\b|\barguments\b|\bnew\s*\.\s*target\b|\\u|\\[\r\n\u2028\u2029]|<!--|-->|^#!/;

const NAME = '[\\w$]+';
const FORMS = new RegExp(
  `^export (?:(?=(?:async )?function\\*? ?(${NAME}) ?\\(|class (${NAME})[ {])|\\{([\\w$,\\s]*)\\};?[ \\t]*$)`,
  'gm',
);
const DECLARATIONS = new RegExp(`^(?:export )?(?:(?:async )?function\\*? ?|class |var |let |const )(${NAME})`, 'gm');
const ITEM = new RegExp(`^(${NAME})(?: as (${NAME}))?$`);

// In code this is a statement and a comment. It ends a comment or a template that it stands
// in, and what follows does not parse then.
const PROBE = ';/*`*/';

// In a block of its own names may be declared as in a module, and in that of a class
// neither `await`, `return` nor `yield` may stand outside of functions.
const isModule = (text, parses) => parses(`(class{static{{${text.replace(FORMS, PROBE)}\n}}})`);

const itemsOf = (list) =>
  list
    .split(',')
    .map((item) => item.trim().replace(/\s+/g, ' '))
    .filter((item) => item !== '')
    .map((item) => ITEM.exec(item));

// [{ start, end, names: [[exported, local] ...] }]: what to blank of each. undefined: the
// text is not plain.
export const plainExports = (text, parses) => {
  if (OTHER.test(text)) return undefined;
  const found = [...text.matchAll(FORMS)].map((match) => {
    const [whole, ofFunction, ofClass, list] = match;
    const name = ofFunction ?? ofClass;
    const items = list === undefined ? [] : itemsOf(list);
    if (items.includes(null)) return undefined;
    const names = name === undefined ? items.map(([, local, exported = local]) => [exported, local]) : [[name, name]];
    return { start: match.index, end: match.index + whole.length, names };
  });
  if (found.includes(undefined) || found.length !== text.match(/\bexport\b/g)?.length) return undefined;
  const declared = new Set([...text.matchAll(DECLARATIONS)].map((match) => match[1]));
  const names = found.flatMap((each) => each.names);
  const clear = names.every(([, local]) => declared.has(local)) && new Set(names.map(([exported]) => exported)).size === names.length;
  return clear && isModule(text, parses) ? found : undefined;
};
