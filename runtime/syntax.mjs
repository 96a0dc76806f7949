// Walking what acorn gives, for the files of the build.

export const isNode = (value) => typeof value?.type === 'string';

export function* childrenOf(node) {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value;
    else if (Array.isArray(value)) yield* value.filter(isNode);
  }
}

const keyed = new Set(['Property', 'MethodDefinition', 'PropertyDefinition']);

/** Whether `child` is the name of a property, which means no variable. */
export const isKey = (node, child) =>
  !node.computed && ((node.type === 'MemberExpression' && child === node.property) || (keyed.has(node.type) && child === node.key));

/** `text` with each {start, end, by} carried out; they do not overlap. */
export const withEdits = (text, edits) => {
  edits.sort((a, b) => b.start - a.start);
  for (const { start, end, by } of edits) text = text.slice(0, start) + by + text.slice(end);
  return text;
};
