import { isUtf8 } from 'node:buffer';
import { byMark, decodeText, detectEncoding } from '../../editing/encodings/codecs.js';
import { markupLabel, sampleBytes, standardName, styleSheet } from '../../editing/encodings/detect.js';

/**
 * Decodes a fetched body. The encoding comes from the first of these: byte order mark, `charset` (of the HTTP header),
 * declaration in the page, detection.
 */
export function decodeBody(
  bytes: Uint8Array,
  { charset, mediaType }: { readonly charset?: string | undefined; readonly mediaType: string },
): string {
  const marked = byMark(bytes);
  if (marked !== undefined) return decodeText(bytes.subarray(marked.markBytes), marked.name);
  const label = standardName(charset) ?? (/html|xml|\/css$/.test(mediaType) ? declaredEncoding(bytes) : undefined);
  const name = label ?? likelyEncoding(bytes);
  if (name === 'utf-8' || name === 'windows-1252') return decodeText(bytes, name);
  return new TextDecoder(name).decode(bytes);
}

/** The encoding that HTML, XML or CSS declares at its start, as browsers read it. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const [, label] = styleSheet.exec(Buffer.from(bytes.subarray(0, 100)).toString('latin1')) ?? [];
  const name = standardName(label ?? markupLabel(bytes));
  // A page whose declaration could be read as ASCII is not UTF-16, even if the declaration says UTF-16.
  return name?.startsWith('utf-16') === true ? 'utf-8' : name;
}

function likelyEncoding(bytes: Uint8Array): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return 'utf-8';
  return detectEncoding(bytes.subarray(0, sampleBytes), bytes.length <= sampleBytes)?.name ?? 'windows-1252';
}
