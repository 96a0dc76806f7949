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

// The map of a text that was edited twice, from the maps of the edits.
export const composeMaps = (first, second) => {
  const map = [];
  let line = 0;
  let i = 0;
  let k = 0;
  let shifts = [0, 0];
  while (i < first.length || k < second.length) {
    const at = Math.min(first[i] ?? Infinity, second[k] ?? Infinity);
    if (at !== line) shifts = [0, 0];
    line = at;
    const ofFirst = first[i] === at ? first[i + 1] + shifts[1] : Infinity;
    const ofSecond = second[k] === at ? second[k + 1] : Infinity;
    if (ofFirst < ofSecond) {
      shifts[0] = first[i + 2];
      i += 3;
    } else {
      shifts[1] = second[k + 2];
      k += 3;
    }
    map.push(line, Math.min(ofFirst, ofSecond), shifts[0] + shifts[1]);
  }
  return map;
};

// What is to be subtracted from the column of a place, both from 1.
export const shiftAt = (map, line, column) => {
  let low = 0;
  let high = map.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((map[middle * 3] - line || map[middle * 3 + 1] - column) <= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && map[low * 3 - 3] === line ? map[low * 3 - 1] : 0;
};
