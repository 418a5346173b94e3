import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolResult } from '../core/tool.js';
import type { DocumentReader, PageRange } from '../host/documents.js';
import type { OpenFile } from '../host/file-system.js';
import { formatSize } from '../text/size.js';
import { readWhole } from './open-file.js';

const maxPages = 20;
const maxBytes = 200_000_000;

/** The text of a page range of a PDF document, such as `3`, `1-5` or `7-`; the first pages when no range is given. */
export async function readPdf(
  file: OpenFile,
  pages: string | undefined,
  maxChars: number,
  documents: DocumentReader,
  scope: CallScope,
): Promise<ToolResult> {
  const range = pages === undefined ? { first: 1, last: maxPages } : pageRange(pages);
  const { path, size } = file.stat;
  if (size > maxBytes) throw new ToolError('file_too_large', `The document has ${formatSize(size)}, too much to read: ${path}. Use Bash.`);
  const { totalPages, pages: texts } = await documents.readPages(await readWhole(file), range, scope);
  if (texts.length === 0) throw new ToolError('invalid_input', `The document has ${totalPages} pages: ${path}. Pass pages within that.`);
  const { output, shown } = within(texts, range.first, maxChars);
  const next = range.first + shown;
  const notice =
    next <= totalPages
      ? `\n\n[Pages ${range.first}-${next - 1} of ${totalPages}; read on with pages: "${next}-${Math.min(totalPages, next + maxPages - 1)}"]`
      : '';
  return {
    output: output + notice,
    metadata: { filePath: path, size, mediaType: 'application/pdf', totalPages, firstPage: range.first, pageCount: shown },
  };
}

/** Reads `3`, `1-5` or `7-`. Throws `invalid_input` for anything else and for more than 20 pages. */
export function pageRange(pages: string): PageRange {
  const match = /^\s*(\d{1,6})\s*(-\s*(\d{1,6})?)?\s*$/.exec(pages);
  const first = Number(match?.[1]);
  const last = match?.[2] === undefined ? first : match[3] === undefined ? first + maxPages - 1 : Number(match[3]);
  if (match === null || first < 1 || last < first) {
    throw new ToolError('invalid_input', `pages must be a page or a range such as "3" or "1-5", not ${JSON.stringify(pages)}.`);
  }
  if (last - first >= maxPages)
    throw new ToolError('invalid_input', `pages asks for ${last - first + 1} pages; at most ${maxPages} come at once.`);
  return { first, last };
}

function within(texts: readonly string[], first: number, maxChars: number): { readonly output: string; readonly shown: number } {
  let output = '';
  for (const [index, text] of texts.entries()) {
    const page = `Page ${first + index}\n${text === '' ? '[no text on this page]' : text}`;
    if (output !== '' && output.length + page.length > maxChars) return { output, shown: index };
    output += output === '' ? page.slice(0, maxChars) : `\n\n${page}`;
  }
  return { output, shown: texts.length };
}
