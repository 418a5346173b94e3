// biome-ignore-all lint/suspicious/noControlCharactersInRegex: this file interprets control characters

/**
 * Escape sequences of ECMA-48 in their 7-bit and C1 forms: control strings (such as window titles), control sequences,
 * and short escapes. For a control string that does not end on its line only the introducer matches, so that no text is
 * lost.
 */
const sequence =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/
    .source;
const tokens = new RegExp(`${sequence}|[^\\x00-\\x1f\\x7f-\\x9f]+|[\\x00-\\x1f\\x7f-\\x9f]`, 'g');
const anyControl = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
/**
 * A control sequence: its private mark, first and second number, and its final letter with the intermediate characters
 * before it.
 */
const controlSequence = /^(?:\x1b\[|\x9b)([<-?]?)(\d*)(?:;(\d*))?[\d;]*([ -/]*[@-~])$/;
// Sequences that neither move the cursor nor erase: complete control strings; colours and styles; reports; character
// sets; modes of the keyboard, the mouse and the cursor.
const harmless = new RegExp(
  [
    /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[\s\S]+/,
    /(?:\x1b\[|\x9b)(?:[<-?]?[\d;:]*m|[<-?]?[\d;]*(?:[cnq]|\$p)|[\d;]*(?:[it]| q)|[<-?][\d;]*u)/,
    /(?:\x1b\[|\x9b)(?:(?:2|12|20)|\?(?:[15789]|12|25|10(?:0\d|1[56]|3\d)|20(?:04|26|27|31|48))(?:;\d+)*)[hl]/,
    /\x1b(?:[()*+\-./][ -/]?[0-~]|%[@G]| [FGLMN]|[=>NOZ\\no|}~])/,
    /[\x00-\x1a\x1c-\x9a\x9c-\x9f]/,
  ]
    .map(({ source }) => `^(?:${source})$`)
    .join('|'),
);
const openEnd = /(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]{0,200}\x1b?|[ -/]*)?|\r|[\ud800-\udbff])$/;

/**
 * Control characters and short escapes that move the cursor, with the name or final letter under which `#control`
 * applies them.
 */
const shortMoves = new Map<string, string>([
  ...(['\v', '\f', '\x1bD', '\x84'] as const).map((move) => [move, 'index'] as const),
  ...(['\x1bE', '\x85'] as const).map((move) => [move, 'next line'] as const),
  ...(['\x1bM', '\x8d'] as const).map((move) => [move, 'reverse index'] as const),
  ...([
    ['\x1b7', 's'],
    ['\x1b8', 'u'],
  ] as const),
]);

/** Characters that take two columns, as a terminal counts them. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const combining = /\p{M}|\u200b|\u200c|\u200d/u;

/** Columns within which cursor moves are followed; longer lines do not fit a screen. */
const maxColumns = 300;
/** The most lines that one move down may add, since a move on a real screen stops at the last line. */
const maxOpened = 24;

/**
 * Turns terminal output into plain text, as a screen would show it at the end. Drops colours, titles and lone control
 * characters. Applies carriage returns, backspaces, cursor moves and erasures on the lines whose position is known, so
 * that only the last state of a progress bar remains. Any other sequence that could move the cursor or erase begins a
 * new line, so that two states of a line are never mixed and the text of a cleared screen is kept. CR LF becomes LF.
 */
export function terminalText(text: string): string {
  if (!anyControl.test(text)) return text;
  const screen = new Screen();
  for (const [token] of text.matchAll(tokens)) screen.take(token);
  return screen.text();
}

/**
 * Splits a chunk of a stream into its complete part and an unfinished escape sequence, carriage return or character at
 * its end.
 */
export function splitOpenEnd(text: string): readonly [complete: string, open: string] {
  const open = openEnd.exec(text)?.[0] ?? '';
  return [text.slice(0, text.length - open.length), open];
}

/** Whether a text begins by moving the cursor or erasing, so that it does not simply continue its line. */
export function overwritesItsLine(text: string): boolean {
  if (/^\r*\n/.test(text)) return false;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '\n' || !anyControl.test(token)) return false;
    if (token === '\r' || token === '\b' || shortMoves.has(token) || !harmless.test(token)) return true;
  }
  return false;
}

/** The lines written so far, and the cursor. A line is plain text until the cursor moves back within the line. */
class Screen {
  readonly #lines: (string | string[])[] = [''];
  /** The first line whose position relative to the cursor is known; negative infinity if every position is known. */
  #top = Number.NEGATIVE_INFINITY;
  #row = 0;
  /** The column of the cursor; undefined at the end of a line. */
  #column: number | undefined;
  #saved: { readonly row: number; readonly column: number } | undefined = { row: 0, column: 0 };

  text(): string {
    return this.#lines.map((line) => (typeof line === 'string' ? line : line.join('').trimEnd())).join('\n');
  }

  take(token: string): void {
    const short = shortMoves.get(token);
    if (token === '\n') this.#startLine(this.#row + 1);
    else if (token === '\r') this.#column = 0;
    else if (token === '\b') this.#moveTo(this.#at() - 1);
    else if (token === '\t' && this.#column !== undefined) this.#moveTo(nextStop(this.#column));
    else if (!anyControl.test(token)) this.#write(token);
    else if (short !== undefined) this.#control(short);
    else if (!harmless.test(token)) {
      const [, mark = '', first = '', second = '', final = ''] = controlSequence.exec(token) ?? [];
      const isErasing = mark === '?' && (final === 'J' || final === 'K');
      this.#control(isErasing ? final : mark + final, first, second);
    }
  }

  /** Applies a cursor move or an erasure. For any other sequence, begins a new line. */
  #control(final: string, first = '', second = ''): void {
    const count = Math.max(1, Math.min(Number(first), 9_999));
    const at = this.#at();
    if (final === 'A') this.#moveTo(at, this.#row - count);
    else if (final === 'B' || final === 'e') this.#moveDown(at, count);
    else if (final === 'C' || final === 'a') this.#moveTo(at + count);
    else if (final === 'Z') this.#moveTo((Math.ceil(at / 8) - count) * 8);
    else if (final === 'next line') this.#startLine(this.#row + 1);
    else if (final === 'index') this.#moveDown(at, 1);
    else if (final === 'reverse index' && this.#row > Math.max(0, this.#top)) this.#moveTo(at, this.#row - 1);
    else if (final === 'D') this.#moveTo(at - count);
    else if (final === 'E') this.#moveDown(0, count);
    else if (final === 'F') this.#moveTo(0, this.#row - count);
    else if (final === 'G' || final === '`') this.#moveTo(count - 1);
    else if (final === 's' && first === '') this.#saved = { row: this.#row, column: at };
    else if (final === 'u' && this.#saved !== undefined) {
      const { row, column } = this.#saved;
      // The saved line may have been erased.
      if (row < this.#lines.length) this.#moveTo(column, row);
      else this.#moveDown(column, row - this.#row);
    } else if (final === 'X') this.#erase(at, at + count);
    else if (final === 'K' && Number(first) <= 2)
      this.#erase(first === '1' || first === '2' ? 0 : at, first === '1' ? at + 1 : undefined);
    else if (final === 'J' && Number(first) === 0) {
      this.#erase(at);
      this.#lines.length = this.#row + 1;
    } else {
      this.#startBlock();
      if (final === 'H' || final === 'f') this.#moveTo(Math.max(1, Number(second)) - 1);
    }
  }

  /** Continues below all lines, because the cursor position or the content of the screen is unknown. */
  #startBlock(): void {
    this.#startLine(this.#lines.length - (this.#lines.at(-1)?.length === 0 ? 1 : 0));
    this.#top = this.#row;
    this.#saved = undefined;
  }

  #startLine(row: number): void {
    this.#row = row;
    this.#column = row === this.#lines.length ? undefined : 0;
    if (this.#column === undefined) this.#lines.push('');
  }

  #moveTo(column: number, row = this.#row): void {
    if (row < this.#top) this.#startBlock();
    else this.#row = Math.max(0, Math.min(row, this.#lines.length - 1));
    this.#column = Math.max(0, Math.min(column, maxColumns));
  }

  #moveDown(column: number, count: number): void {
    const row = this.#row + count;
    if (row >= this.#lines.length + maxOpened) this.#startBlock();
    else while (this.#lines.length <= row) this.#lines.push('');
    this.#moveTo(column, Math.min(row, this.#lines.length - 1));
  }

  #at(): number {
    const line = this.#lines[this.#row] ?? '';
    this.#column ??=
      line.length > maxColumns ? maxColumns : typeof line === 'string' ? cellsOf(line).length : line.length;
    return this.#column;
  }

  #write(text: string): void {
    const line = this.#lines[this.#row];
    if (this.#column === undefined && typeof line === 'string') {
      this.#lines[this.#row] = line + text;
      return;
    }
    const cells = this.#cells();
    if (cells === undefined) {
      // A line that is too long to be followed is kept; the overwriting text goes on a new line below.
      this.#startLine(this.#lines.length);
      this.#write(text);
      return;
    }
    const at = this.#at();
    while (cells.length < at) cells.push(' ');
    const written = cellsOf(text);
    splitWide(cells, at);
    splitWide(cells, at + written.length);
    cells.splice(at, written.length, ...written);
    this.#column = at + written.length;
  }

  #erase(from: number, to = Number.POSITIVE_INFINITY): void {
    const cells = this.#cells();
    if (cells === undefined) return;
    splitWide(cells, from);
    splitWide(cells, to);
    if (to >= cells.length) cells.length = Math.min(cells.length, from);
    else cells.fill(' ', from, to);
  }

  /** The cells of the current line; undefined for a line that is too long to be followed. */
  #cells(): string[] | undefined {
    const line = this.#lines[this.#row] ?? '';
    if (line.length > maxColumns) return undefined;
    const cells = typeof line === 'string' ? cellsOf(line) : line;
    this.#lines[this.#row] = cells;
    return cells;
  }
}

/** Splits a text into columns: the second column of a wide character is empty, and a tab becomes blanks. */
function cellsOf(text: string): string[] {
  const cells: string[] = [];
  for (const character of text) {
    if (character === '\t') cells.push(...' '.repeat(nextStop(cells.length) - cells.length));
    else if (combining.test(character) && cells.length > 0) cells[cells.length - 1] += character;
    else cells.push(character, ...(wide.test(character) ? [''] : []));
  }
  return cells;
}

/** Erases a wide character that is cut between its two columns. */
function splitWide(cells: string[], at: number): void {
  if (cells[at] === '') cells.fill(' ', at - 1, at + 1);
}

const nextStop = (column: number) => column + 8 - (column % 8);
