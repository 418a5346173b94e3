/** Where a line starts: its number, from 1, and the byte. */
export interface LineMark {
  readonly line: number;
  readonly position: number;
}

/** Where a character of a line stands: its line and column, both from 1, and the byte. */
export interface ColumnMark extends LineMark {
  readonly column: number;
}

interface IndexedFile {
  readonly version: string;
  readonly marks: LineMark[];
  readonly columns: ColumnMark[];
}

const maxFiles = 50;
const stepBytes = 1_000_000;

/**
 * Remembers where lines start in large files that were paged through, and where columns of long lines stand, one mark
 * for about each megabyte, so that the next page need not count from the top.
 */
export class LineIndex {
  readonly #files = new Map<string, IndexedFile>();

  /** The last known mark at or before the line; undefined when nothing is known of this state of the file. */
  before(path: string, version: string, line: number): LineMark | undefined {
    return this.#known(path, version)?.marks.findLast((mark) => mark.line <= line);
  }

  /** The last known mark within the line at or before the column. */
  beforeColumn(path: string, version: string, line: number, column: number): ColumnMark | undefined {
    return this.#known(path, version)?.columns.findLast((mark) => mark.line === line && mark.column <= column);
  }

  /** Adds a mark that was come upon; marks near known ones are ignored. */
  add(path: string, version: string, mark: LineMark): void {
    insert(this.#fileAt(path, version).marks, mark);
  }

  /** The same for a place within a line. */
  addColumn(path: string, version: string, mark: ColumnMark): void {
    insert(this.#fileAt(path, version).columns, mark);
  }

  #known(path: string, version: string): IndexedFile | undefined {
    const file = this.#files.get(path);
    return file?.version === version ? file : undefined;
  }

  #fileAt(path: string, version: string): IndexedFile {
    const known = this.#files.get(path);
    this.#files.delete(path);
    const file = known?.version === version ? known : { version, marks: [], columns: [] };
    this.#files.set(path, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxFiles) break;
      this.#files.delete(oldest);
    }
    return file;
  }
}

function insert<Mark extends LineMark>(marks: Mark[], mark: Mark): void {
  const after = marks.findIndex((known) => known.position > mark.position);
  const at = after < 0 ? marks.length : after;
  const nearest = Math.min(
    mark.position - (marks[at - 1]?.position ?? 0),
    (marks[at]?.position ?? Number.POSITIVE_INFINITY) - mark.position,
  );
  if (nearest >= stepBytes) marks.splice(at, 0, mark);
}
