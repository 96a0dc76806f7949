// The parsers: of a program's form, of ES modules and of CommonJS modules.
import { Parser, tokTypes } from 'acorn';
import { TextError } from './error.js';

// Static imports and then one expression, as docs/guide/modules.md says.
class ProgramParser extends Parser {
  parseTopLevel(node) {
    const exported = Object.create(null);
    node.body = [];
    while (this.type === tokTypes._import && !this.#importsInExpression())
      node.body.push(this.parseStatement(null, true, exported));
    node.expression = this.parseExpression();
    if (this.type !== tokTypes.eof) this.unexpected();
    this.next();
    return this.finishNode(node, 'Program');
  }

  // Whether what begins here is import(...) or import.meta.
  #importsInExpression() {
    const rest = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*[(.]/y;
    rest.lastIndex = this.end;
    return rest.test(this.input);
  }
}

const tokenAt = (text, at) => {
  const token = /[\w$]+|[^]/uy;
  token.lastIndex = at;
  return token.exec(text)?.[0];
};

// The parser leaves out which token it did not expect.
const sentenceOf = (error, text) => {
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  if (message !== 'Unexpected token') return message;
  const token = tokenAt(text, error.pos);
  return token === undefined ? 'Unexpected end of input' : `Unexpected token '${token}'`;
};

const parsers = {
  program: [ProgramParser, { sourceType: 'module', allowAwaitOutsideFunction: false }],
  esm: [Parser, { sourceType: 'module' }],
  cjs: [Parser, { sourceType: 'commonjs' }],
};

export const parse = (kind, text, onToken) => {
  const [Kind, options] = parsers[kind];
  try {
    return Kind.parse(text, { ecmaVersion: 'latest', ...options, onToken });
  } catch (error) {
    if (error.loc === undefined) throw error;
    throw new TextError(sentenceOf(error, text), error.loc.line, error.loc.column + 1);
  }
};
