// Limits for spans over columns, because each row scans all spanned columns.
const maxSpanColumns = 30;
const maxSpannedColumns = 200;

/** Buffers the rows of a table until it is known whether it is a data table or a layout table. */
export class MarkdownTable {
  /** Whether the table has header cells, as only data tables do. */
  hasHeader = false;
  /** Whether the table is a layout table, which is written cell by cell without buffering. */
  isLayout: boolean;
  /** The approximate number of characters in the buffered rows. */
  chars = 0;
  #rows: (readonly string[])[][] = [];
  #isFirstHeader = true;
  #isFirstRow = true;
  #row = -1;
  /** The next column to fill, unless a cell of an earlier row spans into this column. */
  #column = 0;
  /** For each column, the last row into which a cell of an earlier row spans. */
  #takenUntil: number[] = [];
  /** Limits the empty cells that large spans may add. */
  #spareCells = 100;

  constructor(isLayout: boolean) {
    this.isLayout = isLayout;
  }

  startRow(): void {
    this.#isFirstRow &&= this.#rows.at(-1)?.some((cell) => cell.length > 0) !== true;
    this.#rows.push([]);
    this.#row++;
    this.#column = 0;
  }

  /**
   * Adds a cell with its blocks (paragraphs, lists and so on) to the row. Cells that span several columns or rows are
   * followed by empty cells, so that columns stay aligned.
   */
  addCell(blocks: readonly string[], isHeader: boolean, columns = 1, rows = 1): void {
    if (this.#rows.length === 0) this.startRow();
    const row = this.#rows.at(-1) ?? [];
    while ((this.#takenUntil[this.#column] ?? -1) >= this.#row) this.#column++;
    this.#spareCells += 2;
    for (; row.length < this.#column && this.#spareCells > 0; this.#spareCells--, this.chars += 4) row.push([]);
    row.push(blocks);
    this.chars += blocks.reduce((sum, { length }) => sum + length, 4);
    const end = this.#column + Math.min(columns || 1, maxSpanColumns);
    for (; this.#column < end; this.#column++)
      if (rows > 1 && this.#column < maxSpannedColumns) this.#takenUntil[this.#column] = this.#row + rows - 1;
    if (isHeader) this.hasHeader = true;
    else if (this.#isFirstRow && blocks.length > 0) this.#isFirstHeader = false;
  }

  /** Returns the buffered rows, as one grid for a data table or cell by cell otherwise, and clears the buffer. */
  takeBlocks(): readonly string[] {
    const rows = this.#rows.filter((row) => row.some((cell) => cell.length > 0));
    this.#rows = [];
    this.chars = 0;
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const isText = !rows.some((row) => row.some((cell) => cell.length > 1));
    const isData = columns > 1 && (this.hasHeader || (rows.length > 1 && isText));
    if (this.isLayout || !isData) return rows.flat(2);
    const lines = rows.map((row) => `| ${row.map(inOneLine).join(' | ')} |`);
    const isNamed = this.hasHeader && this.#isFirstHeader;
    const header = (isNamed ? lines.shift() : '|') + '  |'.repeat(columns - (isNamed ? (rows[0]?.length ?? 0) : 0));
    this.#isFirstHeader = false;
    return [[header, `|${' --- |'.repeat(columns)}`, ...lines].join('\n')];
  }
}

function inOneLine(blocks: readonly string[]): string {
  const lines = blocks.join('\n').replaceAll('|', '\\|').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>');
}
