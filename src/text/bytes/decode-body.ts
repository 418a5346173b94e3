import { isUtf8 } from 'node:buffer';
import { decodeText, detectEncoding } from './encoding.js';

/** What a server says about a body. */
export interface BodyType {
  /** The charset of its header. */
  readonly charset?: string | undefined;
  /** For instance `text/html`. */
  readonly mediaType: string;
}

// Browsers look no further.
const declarationBytes = 1_024;
const declaration = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)|^<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i;

/** The text of a fetched body: by its byte order mark, the header, what a page says of itself, or what it can be. */
export function decodeBody(bytes: Uint8Array, { charset, mediaType }: BodyType): string {
  const marked = detectEncoding(bytes.subarray(0, 4), false);
  if (marked !== undefined && marked.markBytes > 0) return decodeText(bytes.subarray(marked.markBytes), marked.name);
  const label = encodingOf(charset) ?? (/html|xml/.test(mediaType) ? declaredEncoding(bytes) : undefined);
  const name = label ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  if (name === 'utf-8' || name === 'windows-1252') return decodeText(bytes, name);
  return new TextDecoder(name).decode(bytes);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const [, meta, xml] = declaration.exec(start.replace(/<!--[\s\S]*?(?:-->|$)/g, '')) ?? [];
  const name = encodingOf(meta ?? xml);
  // What could be read so far is not UTF-16, whatever it says.
  return name?.startsWith('utf-16') === true ? 'utf-8' : name;
}

/** The encoding that browsers take for this label: Latin-1 and ASCII mean windows-1252. */
function encodingOf(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, '')).encoding;
  } catch {
    return undefined;
  }
}
