import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { sniffMediaType } from '../../core/media/sniff.js';
import { nextTurn } from '../../core/support/timers.js';
import type { Attachment } from '../../core/tool-result.js';
import { detectEncoding } from '../../editing/encodings/codecs.js';
import { sampleBytes } from '../../editing/encodings/detect.js';
import { fitImage, imageAttachment, isSendableImage } from '../../files/media/read-image.js';
import type { DocumentReader } from '../../ports/document-reader.js';
import type { HttpResponse } from '../../ports/http-client.js';
import type { ImageResizer } from '../../ports/image-resizer.js';
import { readHtml } from '../../web/html/to-markdown.js';
import { decodeBody } from './decode-body.js';
import { prettyPrintJson } from './pretty-print-json.js';

/** A fetched page, converted for the model. */
export interface FetchedPage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mediaType: string;
}

/** The readers for PDF and images. */
export interface PageReaders {
  readonly documents: DocumentReader;
  readonly images: ImageResizer;
  readonly limits: Pick<Limits, 'read' | 'web'>;
}

const textual = /^text\/|[/+](?:json|xml|javascript|ecmascript|yaml|toml|x-www-form-urlencoded|x-sh|sql|graphql)$/;
const pageStart = /^\ufeff?\s*<(?:!doctype html|html)[\s>]/i;
const partChars = 250_000;
/** Text has at most one control character per 30 bytes; random bytes have about one per ten. */
const bytesPerControl = 30;

/** Converts a response: HTML to Markdown, JSON to indented JSON, PDF to text, images to attachments. */
export async function fetchedPage(answer: HttpResponse, readers: PageReaders, scope: CallScope): Promise<FetchedPage> {
  const { body, url, charset } = answer;
  const isNamedText = textual.test(answer.mediaType);
  const isText = isTextual(body, isNamedText, charset);
  const mediaType = isNamedText && isText ? answer.mediaType : typeOf(answer, isText);
  const page = async (text: string) => ({ text: await plain(text, scope.signal), attachments: [], mediaType });
  const decoded = () => decodeBody(body, { charset, mediaType });
  if (/html/.test(mediaType)) return page(await readHtml(decoded(), { baseUrl: url, main: true }, scope.signal));
  if (/[/+]json$/.test(mediaType)) return page(await prettyPrintJson(decoded()));
  if (isText) return page(decoded());
  if (mediaType === 'application/pdf') return page(await pdfText(body, readers, scope));
  if (isSendableImage(mediaType)) {
    const fit = await fitImage({ mediaType, bytes: body }, readers.images, readers.limits.read, scope);
    if (fit.kind === 'sent') {
      const name = new URL(url).pathname.split('/').at(-1) || 'image';
      return {
        text: `[Image ${name}]`,
        attachments: [imageAttachment(fit.image, name)],
        mediaType: fit.image.mediaType,
      };
    }
    if (fit.kind === 'too_large')
      throw new ToolError('file_too_large', `The image at ${url} is too large for a model. Look for a smaller one.`);
    throw new ToolError('unsupported_file', `The image at ${url} is damaged. Look for another copy.`);
  }
  const what = `${url} is ${mediaType}, which cannot be shown as text.`;
  throw new ToolError('unsupported_file', `${what} Look for a page about it, or download it with Bash.`);
}

/** The media type: detected for binary data and for HTML, declared for other text. */
function typeOf({ mediaType, body }: HttpResponse, isText: boolean): string {
  if (!isText) return sniffMediaType(body)?.type ?? (textual.test(mediaType) ? 'application/octet-stream' : mediaType);
  if (pageStart.test(Buffer.from(body.subarray(0, sampleBytes)).toString())) return 'text/html';
  return mediaType === 'application/octet-stream' ? 'text/plain' : mediaType;
}

/**
 * Whether a body is text. The body must not begin with the signature of a binary format, and must meet one condition:
 *
 * - its encoding is detected
 * - it is declared as text in UTF-16 or UTF-32
 * - it is declared as text and has few control characters
 *
 * Signatures of printable characters, except that of PDF, are ignored, because text can begin with them.
 */
function isTextual(body: Uint8Array, isNamedText: boolean, charset = ''): boolean {
  const sample = body.subarray(0, sampleBytes);
  const isDecodable = detectEncoding(sample, sample.length === body.length) !== undefined;
  const isWide = /^(?:utf-?16|utf-?32|ucs-?2)/i.test(charset);
  const controls = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  if (!isDecodable && !(isNamedText && (isWide || controls <= sample.length / bytesPerControl))) return false;
  const found = sniffMediaType(body)?.type;
  const start = Buffer.from(body.subarray(0, 4)).toString('latin1');
  return found === undefined || (found !== 'application/pdf' && /^[\t\n\r -~]*$/.test(start));
}

async function pdfText(body: Uint8Array, { documents, limits }: PageReaders, scope: CallScope): Promise<string> {
  const { maxPdfPages } = limits.web;
  const { pages, totalPages } = await documents.readPages(body, { first: 1, last: maxPdfPages }, scope);
  const rest = totalPages > pages.length ? [`[Pages ${pages.length + 1}-${totalPages} are left out]`] : [];
  return [...pages.map((text, index) => `Page ${index + 1}\n${text}`), ...rest].join('\n\n');
}

/** Removes the control characters that a terminal would interpret, and yields to the event loop between parts. */
async function plain(text: string, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += partChars) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
    parts.push(text.slice(at, at + partChars).replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]+/g, ''));
    await nextTurn();
    signal.throwIfAborted();
  }
  return parts.join('');
}
