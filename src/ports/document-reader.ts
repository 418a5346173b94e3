import type { CallScope } from '../core/context.js';

/** The pages of a document to read: numbers from 1 up; `first` and `last` are included. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** The text of some pages of a document. */
export interface DocumentPages {
  /** The number of pages of the document. */
  readonly totalPages: number;
  /** One text for each page of the range that exists. */
  readonly pages: readonly string[];
}

/**
 * Reads documents page by page. Rejects with a ToolError: `not_configured` when a package that it needs is missing,
 * `unsupported_file` for a broken document.
 */
export interface DocumentReader {
  readPages(bytes: Uint8Array, range: PageRange, scope: CallScope): Promise<DocumentPages>;
}
