import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { wholeCharacter } from '../../core/text/cut.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { DocumentReader, PageRange } from '../../ports/document-reader.js';
import type { OpenFile } from '../../ports/file-system.js';
import { readWhole } from '../disk/open-file.js';

/** The text of a page range of a PDF document, such as `3`, `1-5` or `7-`; the first pages when no range is given. */
export async function readPdf(
  file: OpenFile,
  pages: string | undefined,
  { maxChars, maxPdfPages: maxPages, maxPdfBytes }: Limits['read'],
  documents: DocumentReader,
  scope: CallScope,
): Promise<ToolResult> {
  const range = pages === undefined ? { first: 1, last: maxPages } : pageRange(pages, maxPages);
  const { path, size } = file.stat;
  if (size > maxPdfBytes)
    throw new ToolError(
      'file_too_large',
      `The document is too large to read (${formatSize(size)}): ${path}. Use Bash.`,
    );
  const shownRange = { first: range.first, last: Math.min(range.last, range.first + maxPages - 1) };
  const { totalPages, pages: texts } = await documents.readPages(await readWhole(file), shownRange, scope);
  // A range such as `1-500` may end past the last page, so its length is known only now.
  const wanted = Math.min(range.last, totalPages) - range.first + 1;
  if (wanted > maxPages)
    throw new ToolError('invalid_input', `pages asks for ${wanted} pages; at most ${maxPages} are shown at once.`);
  if (texts.length === 0)
    throw new ToolError('invalid_input', `The document has ${totalPages} pages: ${path}. Pass pages in this range.`);
  const { output, pageCount, omittedChars } = within(texts, range.first, maxChars);
  const next = range.first + pageCount;
  const onward = `read on with pages: "${next}-${Math.min(totalPages, next + maxPages - 1)}"`;
  const notices = [
    ...(omittedChars > 0 ? [`[Page ${range.first} is too long; its last ${omittedChars} characters are omitted]`] : []),
    ...(next <= totalPages ? [`[Pages ${range.first}-${next - 1} of ${totalPages}; ${onward}]`] : []),
  ];
  return {
    output: [output, ...notices].join('\n\n'),
    metadata: {
      filePath: path,
      size,
      mediaType: 'application/pdf',
      totalPages,
      firstPage: range.first,
      pageCount,
    },
  };
}

/** Parses `3`, `1-5` or `7-` (up to the limit of one call). Throws `invalid_input` for anything else. */
export function pageRange(pages: string, maxPages: number): PageRange {
  const match = /^\s*(\d{1,6})\s*(-\s*(\d{1,6})?)?\s*$/.exec(pages);
  const first = Number(match?.[1]);
  const last = match?.[2] === undefined ? first : match[3] === undefined ? first + maxPages - 1 : Number(match[3]);
  if (match === null || first < 1 || last < first) {
    throw new ToolError(
      'invalid_input',
      `pages must be a page or a range such as "3" or "1-5", not ${JSON.stringify(pages)}.`,
    );
  }
  return { first, last };
}

/** The pages that fit. If the first page alone is too long, its last `omittedChars` are cut off. */
function within(texts: readonly string[], first: number, maxChars: number) {
  const pages = texts.map((text, index) => `Page ${first + index}\n${text === '' ? '[no text on this page]' : text}`);
  const [only = ''] = pages;
  if (only.length > maxChars) {
    const kept = wholeCharacter(only, maxChars);
    return { output: only.slice(0, kept), pageCount: 1, omittedChars: only.length - kept };
  }
  let output = only;
  let pageCount = 1;
  for (const page of pages.slice(1)) {
    if (output.length + page.length > maxChars) break;
    output += `\n\n${page}`;
    pageCount++;
  }
  return { output, pageCount, omittedChars: 0 };
}
