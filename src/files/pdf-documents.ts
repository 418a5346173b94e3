import { ToolError } from '../core/error.js';
import type { DocumentReader } from '../host/documents.js';

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[] }>;
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
export function pdfDocuments(load: () => Promise<PdfPackage> = loadUnpdf): DocumentReader {
  return {
    async readPages(bytes, { first, last }, { signal }) {
      const pdf = await openPdf(await load(), bytes);
      try {
        const pages: string[] = [];
        for (let number = first; number <= Math.min(last, pdf.numPages); number++) {
          signal.throwIfAborted();
          pages.push(await textOf(await pdf.getPage(number)));
        }
        return { totalPages: pdf.numPages, pages };
      } finally {
        await pdf.destroy?.();
      }
    },
  };
}

async function loadUnpdf(): Promise<PdfPackage> {
  // The name is not a literal, so that nothing tries to resolve it where it is not installed.
  const name: string = 'unpdf';
  try {
    return (await import(name)) as PdfPackage;
  } catch (cause) {
    throw new ToolError('not_configured', 'Reading PDF documents needs the package unpdf. Ask the user to run: npm install unpdf', {
      cause,
    });
  }
}

async function openPdf(vendor: PdfPackage, bytes: Uint8Array): Promise<Pdf> {
  try {
    // The package takes the buffer over, so it gets one of its own.
    return await vendor.getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('unsupported_file', `The PDF document cannot be read (${reason}). Check that it is complete and has no password.`, {
      cause,
    });
  }
}

async function textOf(page: PdfPage): Promise<string> {
  const { items } = await page.getTextContent();
  return items
    .map(({ str = '', hasEOL = false }) => str + (hasEOL ? '\n' : ''))
    .join('')
    .trim();
}
