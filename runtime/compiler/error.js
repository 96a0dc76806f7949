// What a text that does not compile is reported as: `line` and `column` count from 1.
// Told by its property: each bundle has a class of its own.
export class TextError extends Error {
  isTextError = true;

  constructor(message, line, column) {
    super(message);
    this.line = line;
    this.column = column;
  }
}
