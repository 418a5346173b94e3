import { ToolError } from '../../core/error.js';
import { optionalPackage } from '../../core/support/optional-package.js';
import type { DocumentReader } from '../../ports/document-reader.js';

/** A piece of text, or a mark between pieces. */
type PdfItem = { readonly str: string; readonly hasEOL: boolean } | { readonly type: string };

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly PdfItem[] }>;
}

interface Pdf {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
  destroy?(): Promise<void>;
}

/** The part of the package `unpdf` that is used. */
export interface PdfPackage {
  getDocumentProxy(bytes: Uint8Array, options: { readonly verbosity: number }): Promise<Pdf>;
}

/** Reads PDF documents with the optional package `unpdf`, which is loaded on first use. */
export function pdfDocuments(
  load: () => Promise<PdfPackage> = () => optionalPackage('unpdf') as Promise<PdfPackage>,
): DocumentReader {
  return {
    async readPages(bytes, { first, last }, { signal }) {
      const pdf = await openPdf(await loaded(load), bytes);
      try {
        const pages: string[] = [];
        for (let number = first; number <= Math.min(last, pdf.numPages); number++) {
          signal.throwIfAborted();
          pages.push(await textOf(pdf, number));
        }
        return { totalPages: pdf.numPages, pages };
      } finally {
        await pdf.destroy?.();
      }
    },
  };
}

async function loaded(load: () => Promise<PdfPackage>): Promise<PdfPackage> {
  try {
    return await load();
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    const message = 'Reading PDF documents needs the package unpdf. Ask the user to run: npm install unpdf';
    throw new ToolError('not_configured', message, { cause });
  }
}

async function openPdf(vendor: PdfPackage, bytes: Uint8Array): Promise<Pdf> {
  try {
    // The package takes ownership of the buffer, so it gets a copy.
    return await vendor.getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (cause) {
    throw unreadable('The PDF document', cause, 'Check that it is complete and has no password.');
  }
}

async function textOf(pdf: Pdf, number: number): Promise<string> {
  try {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    return items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
      .trim();
  } catch (cause) {
    throw unreadable(`Page ${number} of the PDF document`, cause, 'Pass other pages.');
  }
}

function unreadable(what: string, cause: unknown, advice: string): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolError('unsupported_file', `${what} cannot be read (${reason.replace(/\.$/, '')}). ${advice}`, {
    cause,
  });
}
