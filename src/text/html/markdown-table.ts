/** The rows of one table, until it is known whether they are a table of data or only a layout. */
export class MarkdownTable {
  /** Does it name its columns or rows, as only data does? */
  hasHeader = false;
  /** Is it written cell by cell, one under the other, and not kept? */
  isLayout: boolean;
  #rows: (readonly string[])[][] = [];
  #isFirstHeader = true;

  constructor(isLayout: boolean) {
    this.isLayout = isLayout;
  }

  /** Starts a row. */
  startRow(): void {
    this.#rows.push([]);
  }

  /** Adds a cell to the row: the paragraphs, lists and the like that it holds. */
  addCell(blocks: readonly string[], isHeader: boolean): void {
    if (this.#rows.length === 0) this.startRow();
    this.#rows.at(-1)?.push(blocks);
    if (isHeader) this.hasHeader = true;
    else if (this.#rows.length === 1 && blocks.length > 0) this.#isFirstHeader = false;
  }

  /** The blocks that the rows make, which are forgotten: one grid where they are data, else each cell for itself. */
  takeBlocks(): readonly string[] {
    const rows = this.#rows.filter((row) => row.some((cell) => cell.length > 0));
    this.#rows = [];
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const isText = !rows.some((row) => row.some((cell) => cell.length > 1));
    const isData = columns > 1 && (this.hasHeader || (rows.length > 1 && isText));
    if (this.isLayout || !isData) return rows.flat(2);
    const lines = rows.map((row) => `| ${row.map(inOneLine).join(' | ')} |`);
    const isNamed = this.hasHeader && this.#isFirstHeader;
    const header = (isNamed ? lines.shift() : '|') + '  |'.repeat(columns - (isNamed ? (rows[0]?.length ?? 0) : 0));
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
