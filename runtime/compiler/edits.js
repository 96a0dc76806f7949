// Edits of one text that leave every line on its line, and where columns went.

const LINE_ENDS = /\r\n?|[\n\u2028\u2029]/g;
const NOT_LINE_ENDS = /[^\r\n\u2028\u2029]/g;

const lineStartsOf = (text) => {
  const starts = [0];
  LINE_ENDS.lastIndex = 0;
  while (LINE_ENDS.exec(text) !== null) starts.push(LINE_ENDS.lastIndex);
  return starts;
};

export class Edits {
  #text;
  #edits = [];

  constructor(text) {
    this.#text = text;
  }

  // Puts `text`, which holds no line end, in the place of [start, end). Edits do
  // not overlap; those at one place apply in the order in which they came.
  replace(start, end, text) {
    this.#edits.push({ start, end, text });
  }

  insert(at, text) {
    this.replace(at, at, text);
  }

  // Blanks [start, end) but for its line ends; `first` takes the place of the
  // beginning.
  blank(start, end, first = '') {
    const blanks = this.#text.slice(start, end).replace(NOT_LINE_ENDS, ' ');
    this.replace(start, end, first + blanks.slice(first.length));
  }

  // The text between `before` and `after`, neither of which starts a line; and
  // `map`: for each place on a line from which on columns are shifted three
  // numbers: line and column in the code, both from 1, and what to subtract.
  apply(before, after) {
    const text = this.#text;
    const starts = lineStartsOf(text);
    const map = [];
    const parts = [before];
    let at = 0;
    let line = 0; // index into starts
    let shift = 0;
    const mark = (offset) => map.push(line + 1, offset - starts[line] + shift + 1, shift);
    const moveTo = (offset) => {
      if (line + 1 >= starts.length || starts[line + 1] > offset) return;
      while (line + 1 < starts.length && starts[line + 1] <= offset) line++;
      shift = 0;
    };
    if (before !== '') {
      shift = before.length;
      mark(0);
    }
    this.#edits.sort((a, b) => a.start - b.start || a.end - b.end);
    for (const edit of this.#edits) {
      parts.push(text.slice(at, edit.start), edit.text);
      at = edit.end;
      moveTo(edit.start);
      const grown = edit.text.length - (edit.end - edit.start);
      if (grown !== 0) {
        shift += grown;
        mark(edit.end);
      }
      moveTo(edit.end);
    }
    parts.push(text.slice(at), after);
    return { code: parts.join(''), map };
  }
}
