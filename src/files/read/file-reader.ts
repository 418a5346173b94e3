import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { sniffMediaType } from '../../core/media/sniff.js';
import type { Scrub } from '../../core/text/scrub-excerpt.js';
import type { ToolResult } from '../../core/tool-result.js';
import { notText } from '../../editing/encodings/detect.js';
import { viewNotebook } from '../../editing/notebook/view.js';
import type { DocumentReader } from '../../ports/document-reader.js';
import type { OpenFile } from '../../ports/file-system.js';
import type { ImageResizer } from '../../ports/image-resizer.js';
import { fileInMemory, readWhole } from '../disk/open-file.js';
import { attachImages, isSendableImage, readImage } from '../media/read-image.js';
import { readPdf } from '../media/read-pdf.js';
import { checksumOf } from './content-checksum.js';
import { type TextRequest, textReader } from './text-reader.js';

/** Which part of a file to show: lines of text and notebooks, pages of documents. */
export interface FileRequest extends TextRequest {
  readonly pages: string | undefined;
}

/** Options of {@link fileReader}. */
export interface FileReaderOptions {
  readonly limits: Limits['read'];
  readonly documents: DocumentReader;
  readonly images: ImageResizer | undefined;
  /** Hides credentials, also in lines that are cut. Default: nothing is hidden. */
  readonly scrub?: Scrub | undefined;
}

/** A shown file, and the checksum of its whole content if it is known. */
export interface ShownFile {
  readonly result: ToolResult;
  readonly hash: string | undefined;
  /** Nothing was shown, because the requested part is past the end. */
  readonly isPastEnd?: boolean;
}

/** Shows files by their type: text, notebooks, images, PDF documents. */
export function fileReader({ limits, documents, images, scrub }: FileReaderOptions) {
  const readText = textReader(limits, scrub);

  async function read(file: OpenFile, request: FileRequest, scope: CallScope): Promise<ShownFile> {
    const isNotebook = file.stat.path.toLowerCase().endsWith('.ipynb');
    const notebook = isNotebook ? await readNotebook(file, request, scope) : undefined;
    if (notebook !== undefined) return notebook;
    const shown = await readText(file, request, scope.signal);
    if (shown.kind === 'binary')
      return { result: await readBinary(file, shown.sample, request, scope), hash: undefined };
    refusePages(request.pages);
    return { result: { output: shown.output, metadata: shown.metadata }, hash: shown.hash, isPastEnd: shown.isPastEnd };
  }

  async function readBinary(
    file: OpenFile,
    sample: Buffer,
    request: FileRequest,
    scope: CallScope,
  ): Promise<ToolResult> {
    const media = sniffMediaType(sample);
    if (media?.type === 'application/pdf') return readPdf(file, request.pages, limits, documents, scope);
    refusePages(request.pages);
    if (media !== undefined && isSendableImage(media.type)) return readImage(file, media.type, images, limits, scope);
    throw notText(media, file.stat.path, file.stat.size);
  }

  async function readNotebook(file: OpenFile, request: FileRequest, scope: CallScope): Promise<ShownFile | undefined> {
    if (file.stat.size > limits.maxNotebookBytes) return undefined;
    const bytes = await readWhole(file);
    const view = viewNotebook(bytes.toString('utf8'));
    if (view === undefined) return undefined;
    const text = Buffer.from(view.text);
    // The view has other lines than the file, so the two must not share cached offsets.
    const stat = { ...file.stat, size: text.length, version: `${file.stat.version} as cells` };
    const shown = await readText(fileInMemory(stat, text), request, scope.signal);
    // A cell has control characters, so the file is shown as JSON text, in which they are escapes.
    if (shown.kind === 'binary') return undefined;
    refusePages(request.pages);
    const metadata = {
      ...shown.metadata,
      size: file.stat.size,
      mediaType: 'application/x-ipynb+json',
      cellCount: view.cellCount,
    };
    const isFirstPage = request.line === 1 && request.column === 1;
    const { attachments, notices } = await attachImages(isFirstPage ? view.images : [], images, limits, scope);
    const result = {
      output: [shown.output, ...notices].join('\n'),
      metadata,
      ...(attachments.length > 0 && { attachments }),
    };
    return { result, hash: checksumOf([bytes]), isPastEnd: shown.isPastEnd };
  }

  return read;
}

function refusePages(pages: string | undefined): void {
  if (pages !== undefined)
    throw new ToolError('invalid_input', 'pages is for PDF documents; use offset and limit for text.');
}
