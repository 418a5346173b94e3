/** Where a line starts: its number, from 1, and the byte. */
export interface LineMark {
  readonly line: number;
  readonly position: number;
}

interface IndexedFile {
  readonly version: string;
  readonly marks: LineMark[];
}

const maxFiles = 50;
const stepBytes = 1_000_000;

/** Remembers where lines start in large files that were paged through, one mark for about each megabyte, so that the next page need not count from the top. */
export class LineIndex {
  readonly #files = new Map<string, IndexedFile>();

  /** The last known mark at or before the line; undefined when nothing is known of this state of the file. */
  before(path: string, version: string, line: number): LineMark | undefined {
    const file = this.#files.get(path);
    if (file?.version !== version) return undefined;
    return file.marks.findLast((mark) => mark.line <= line);
  }

  /** Adds a mark that was come upon; marks near known ones are ignored. */
  add(path: string, version: string, mark: LineMark): void {
    const { marks } = this.#fileAt(path, version);
    const after = marks.findIndex((known) => known.position > mark.position);
    const at = after < 0 ? marks.length : after;
    const nearest = Math.min(
      mark.position - (marks[at - 1]?.position ?? 0),
      (marks[at]?.position ?? Number.POSITIVE_INFINITY) - mark.position,
    );
    if (nearest >= stepBytes) marks.splice(at, 0, mark);
  }

  #fileAt(path: string, version: string): IndexedFile {
    const known = this.#files.get(path);
    this.#files.delete(path);
    const file = known?.version === version ? known : { version, marks: [] };
    this.#files.set(path, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxFiles) break;
      this.#files.delete(oldest);
    }
    return file;
  }
}
