import { parseAddress } from '../../core/support/urls.js';

// Longer URLs are usually data and are dropped.
const maxAddressChars = 2_000;
const spareChars = 100_000;
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:']);

/** Characters that would end a URL in Markdown, and that `encodeURIComponent` does not encode. */
const escapes: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };

/**
 * Resolves the links of one page with `pageChars` characters. All URLs together are limited in proportion to the page,
 * because a long base URL would make every short link long.
 */
export function linkAddresses(baseUrl: string | undefined, pageChars: number) {
  let base = baseUrl === undefined ? undefined : parseAddress(baseUrl);
  let charsLeft = pageChars * 2 + spareChars;
  let hasOwnBase = false;

  /** Sets the base URL that the page declares; only the first declaration counts. */
  function setBase(href: string): void {
    const declared = hasOwnBase ? undefined : parseAddress(href, base);
    if (declared?.protocol.startsWith('http') !== true) return;
    hasOwnBase = true;
    base = declared;
  }

  /** The URL for Markdown; undefined for an unsafe or invalid URL. Without a base, relative URLs stay relative. */
  function resolve(href: string): string | undefined {
    const given = href.trim();
    if (given === '' || given.length > maxAddressChars) return undefined;
    const url = parseAddress(given, base ?? 'https://anywhere.invalid/');
    if (url === undefined || !schemes.has(url.protocol)) return undefined;
    // A browser drops tabs and line breaks from a URL, as `url.href` does.
    const written = url.hostname === 'anywhere.invalid' ? given.replace(/[\t\n\r]/g, '') : url.href;
    const address = written.replace(/[\s()<>\\]/g, (character) => escapes[character] ?? encodeURIComponent(character));
    charsLeft -= address.length;
    return address.length > maxAddressChars || charsLeft < 0 ? undefined : address;
  }

  return { setBase, resolve };
}
