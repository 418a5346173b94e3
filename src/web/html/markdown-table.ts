/** How many columns and rows a cell takes; one where nothing is said. */
interface CellSpan {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

// Wider tables are rare, and each row looks through the columns that are taken.
const maxSpanColumns = 30;
const maxSpannedColumns = 200;

/** The rows of one table, until it is known whether they are a table of data or only a layout. */
export class MarkdownTable {
  /** Does it name its columns or rows, as only data does? */
  hasHeader = false;
  /** Is it written cell by cell, one under the other, and not kept? */
  isLayout: boolean;
  /** About how much its rows hold. */
  chars = 0;
  #rows: (readonly string[])[][] = [];
  #isFirstHeader = true;
  #row = -1;
  /** The column in which the next cell stands if none from above is there, and the last row that each is taken until. */
  #column = 0;
  #takenUntil: number[] = [];
  /** Empty cells that may be added: spans that say much of few cells are no help. */
  #spareCells = 100;

  constructor(isLayout: boolean) {
    this.isLayout = isLayout;
  }

  /** Starts a row. */
  startRow(): void {
    this.#rows.push([]);
    this.#row++;
    this.#column = 0;
  }

  /**
   * Adds a cell to the row: the paragraphs, lists and the like that it holds. Where it takes several columns or rows,
   * empty cells keep what follows in its column.
   */
  addCell(blocks: readonly string[], isHeader: boolean, { columns = 1, rows = 1 }: CellSpan = {}): void {
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
    else if (this.#rows.length === 1 && blocks.length > 0) this.#isFirstHeader = false;
  }

  /** The blocks that the rows make, which are forgotten: one grid where they are data, else each cell for itself. */
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
