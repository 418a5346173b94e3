import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../core/error.js';
import { type MediaType, sniffMediaType } from '../../core/media/sniff.js';
import { ifPossible } from '../../core/support/check-values.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import { decodeText, detectEncoding, type EncodingName, pieceDecoder, type TextEncoding, unitBytes } from './codecs.js';
import { firstHighByte, type LegacyName } from './legacy.js';
import { weighUtf8 } from './utf8-likelihood.js';

/** The number of bytes at the start of a file that are examined for its encoding. */
export const sampleBytes = 65_536;

/**
 * The encoding of a text file of `size` bytes; undefined for a binary file. The first bytes decide. If they are ASCII
 * without a declaration and the whole file is given, the first bytes beyond ASCII decide.
 */
export function textEncoding(bytes: Uint8Array, size = bytes.length): TextEncoding | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  const isWhole = sample.length >= size;
  // A PDF document may begin with kilobytes of text.
  const found = latin(sample.subarray(0, 5)) === '%PDF-' ? undefined : detectEncoding(sample, isWhole);
  const first = found && believeDeclaration(found, sample, isWhole);
  if (first === undefined || bytes.length < size || bytes.length === sample.length || unitBytes(first.name) === 2)
    return first;
  if (bytes.includes(0)) return undefined;
  if (first.name !== 'utf-8' || isUtf8(bytes)) return first;
  const from = firstHighByte(bytes);
  // The last three bytes of the sample may be an incomplete character.
  const later =
    from < sampleBytes - 3
      ? first
      : detectEncoding(bytes.subarray(from, from + sampleBytes), from + sampleBytes >= size);
  return later?.name === 'utf-8' ? { ...first, isDamaged: true } : later;
}

/** The text of a whole file, without its byte order mark; undefined for a binary file. */
export function fileText(bytes: Uint8Array): string | undefined {
  const encoding = textEncoding(bytes);
  return encoding && decodeText(bytes.subarray(encoding.markBytes), encoding.name);
}

/** The encoding of the text of a file. Throws `unsupported_file`, with type and size, for a binary file. */
export function encodingOf(bytes: Uint8Array, path: string): TextEncoding {
  const encoding = textEncoding(bytes);
  if (encoding === undefined) throw notText(sniffMediaType(bytes), path, bytes.length);
  return encoding;
}

/** The error for a binary file where text is expected. */
export function notText(media: MediaType | undefined, path: string, size: number): ToolError {
  const what = media === undefined ? 'a binary file' : `a binary file (${media.label})`;
  return new ToolError(
    'unsupported_file',
    `This is ${what} of ${formatSize(size)}, not text: ${path}. Use a program for this file type, for instance through Bash.`,
    { metadata: { mediaType: media?.type ?? 'application/octet-stream', size } },
  );
}

const startBytes = 8_192;
const cookieChars = 1_024;
/** The maximum number of declarations of unknown encodings that are skipped. */
const maxTries = 100;
// Matches a tag that declares an encoding. Also matches comments, scripts and similar elements, to skip the tags in
// their text.
const declarations =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|textarea|xmp|noscript|iframe)\b[\s\S]*?(?:<\/\1|$)|<meta\b[^<>]*?[\s"';/]charset\s*=[\s"']*([^\s"'/>;]+)/gi;
const xmlDeclaration = /^<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i;
/** The encoding declaration of a style sheet. */
export const styleSheet = /^@charset "([^"]+)";/i;
// A declaration in the first line, or in the second after a blank line, a comment or an XML declaration.
const cookie =
  /^(?:[ \t\f]*(?:(?:#|<\?).*)?(?:\r\n?|\n))?(?:[ \t\f]*#.*?|.*?-\*-.*?|.*?\bvim?:.*?\bfileen)coding[:=][ \t]*([-\w.]+)/;
const aliases: Record<string, string> = { cp932: 'shift_jis', cp936: 'gbk', cp949: 'euc-kr', cp950: 'big5' };
// The Encoding Standard decodes each of these ISO encodings (right) as the Windows encoding (left), which has more
// characters.
const narrower: Readonly<Record<string, LegacyName>> = { 'windows-1252': 'iso-8859-1', 'windows-1254': 'iso-8859-9' };

/** The declared encoding if the bytes are valid in it and not clearly UTF-8; otherwise the encoding `found`. */
function believeDeclaration(found: TextEncoding, sample: Uint8Array, isWhole: boolean): TextEncoding {
  if (found.markBytes > 0 || unitBytes(found.name) === 2) return found;
  const label = declaredLabel(sample);
  if (label === undefined) return found;
  const name = supportedEncoding(label);
  const refused = (why: string): TextEncoding =>
    found.knownBy === 'guess' ? { ...found, declares: `${label.replace(/\s+/g, ' ').slice(0, 40)}, ${why}` } : found;
  if (name === undefined && !/ascii/i.test(label)) return refused('which is not supported');
  const notValid = 'in which its bytes are not valid';
  if (name === undefined || name === 'utf-8') return refused(notValid);
  const { good, broken } = weighUtf8(found.name === 'utf-8' ? decodeText(sample, 'utf-8') : '');
  const text = pieceDecoder(name).decode(sample, isWhole) + (name.startsWith('iso-') ? latin(sample) : '');
  if (good > broken || /[\u0080-\u009f\ufffd]/.test(text)) return refused(notValid);
  return { name, markBytes: 0, isDamaged: false, knownBy: 'declaration' };
}

/** The encoding that a text declares at its start; undefined if that encoding cannot be read and written. */
export function declaredEncoding(bytes: Uint8Array): EncodingName | undefined {
  const label = declaredLabel(bytes);
  return label === undefined ? undefined : supportedEncoding(label);
}

function declaredLabel(bytes: Uint8Array): string | undefined {
  const start = latin(bytes.subarray(0, startBytes));
  const [, label] = styleSheet.exec(start) ?? cookie.exec(start.slice(0, cookieChars)) ?? [];
  return label ?? (/^\s*</.test(start) ? markupLabel(bytes.subarray(0, startBytes)) : undefined);
}

/** The encoding that a label names; undefined if that encoding is ASCII or cannot be read and written. */
function supportedEncoding(label: string): EncodingName | undefined {
  const given = label.toLowerCase();
  if (given.includes('ascii')) return undefined;
  const usual = given.replaceAll('_', '-').replace(/-(?:unix|dos|mac)$/, '');
  const name = standardName(given) ?? standardName(aliases[usual] ?? usual.replace(/^(?:iso-)?latin-/, 'latin'));
  if (name === undefined || /^(?:utf-16|iso-2022)/.test(name)) return undefined;
  if (name === 'gbk') return 'gb18030';
  return (/125\d$/.test(given) ? undefined : narrower[name]) ?? (name as EncodingName);
}

/** The first known encoding that a page or an XML document declares. */
export function markupLabel(bytes: Uint8Array): string | undefined {
  const page = latin(bytes);
  let found = xmlDeclaration.exec(page)?.[1];
  let tries = 0;
  for (const [, , label] of page.matchAll(declarations)) {
    if (standardName(found) !== undefined || tries === maxTries) break;
    if (label !== undefined) tries++;
    found = label;
  }
  return found;
}

/** The encoding that browsers use for a label: Latin-1 and ASCII mean windows-1252. */
export function standardName(label: string | undefined): string | undefined {
  return label === undefined
    ? undefined
    : ifPossible(() => new TextDecoder(label.trim().replace(/^["']|["']$/g, '')).encoding);
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
