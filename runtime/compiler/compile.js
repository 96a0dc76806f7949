// The compiler's door, for src/worker/compiler.c. Evaluated in a realm that no
// program ever sees; the texts are hostile, and nothing of them is evaluated here.
import { composeMaps, shiftAt } from './edits.js';
import { rewrite } from './rewrite.js';

// Of C: typescript() evaluates ./typescript.js and gives its exports; parses(text) and
// isModule(text) tell whether the engine takes it as a script, and as a module.
const { typescript, parses, isModule } = globalThis;

const engine = { parses, isModule };

let typeScript;

const rewriteTypeScript = (kind, text, keepUnusedImports) => {
  typeScript ??= typescript();
  const erased = typeScript.erase(text, keepUnusedImports);
  try {
    const result = rewrite(kind, erased.code, engine);
    return { ...result, map: composeMaps(erased.map, result.map) };
  } catch (error) {
    if (error.isTextError) error.column -= shiftAt(erased.map, error.line, error.column);
    throw error;
  }
};

// Whether a text that is no JavaScript is TypeScript.
const isTypeScript = (kind, text) => {
  try {
    rewriteTypeScript(kind, text, true);
    return true;
  } catch {
    return false;
  }
};

const failure = (error, typeScript) => {
  const { message, line, column } = error.isTextError
    ? error
    : { message: 'The text is nested too deeply', line: 0, column: 0 };
  const meta = JSON.stringify({ error: { message, line, column, typeScript } });
  return { failed: true, line, column, typeScript, code: message, meta, map: new Int32Array(0) };
};

// `kind` is 'program', 'esm' or 'cjs'. Gives { failed, line, column, typeScript, code,
// meta, map }: where it failed `code` is the message, and `typeScript` says whether it
// would not have failed as that. What the engine throws for want of memory or stack
// comes out as an error of the text, but for memory's.
export const compile = (kind, text, asTypeScript) => {
  try {
    const { code, map, meta } = asTypeScript ? rewriteTypeScript(kind, text, false) : rewrite(kind, text, engine);
    const none = { failed: false, line: 0, column: 0, typeScript: false };
    return { ...none, code, meta: JSON.stringify(meta), map: new Int32Array(map) };
  } catch (error) {
    if (!error.isTextError && error.message !== 'Maximum call stack size exceeded.') throw error;
    return failure(error, error.isTextError && !asTypeScript && isTypeScript(kind, text));
  }
};
