import { parseAddress } from '../../core/support/addresses.js';

// Longer URLs are usually data and are dropped. All URLs of a page together are limited too.
const maxAddressChars = 2_000;
const spareChars = 100_000;
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:']);

/** Resolves the links of one page. */
export class LinkAddresses {
  #base: URL | undefined;
  #hasOwnBase = false;
  #charsLeft: number;

  /** `pageChars` limits the length of all URLs together: a long base makes short links long. */
  constructor(baseUrl: string | undefined, pageChars: number) {
    this.#base = baseUrl === undefined ? undefined : parseAddress(baseUrl);
    this.#charsLeft = pageChars * 2 + spareChars;
  }

  /** Sets the base URL that the page declares; only the first declaration counts. */
  setBase(href: string): void {
    const base = this.#hasOwnBase ? undefined : parseAddress(href, this.#base);
    if (base?.protocol.startsWith('http') !== true) return;
    this.#hasOwnBase = true;
    this.#base = base;
  }

  /** The URL for Markdown; undefined for an unsafe or invalid one. Without a base, relative URLs stay relative. */
  resolve(href: string): string | undefined {
    const given = href.trim();
    if (given === '' || given.length > maxAddressChars) return undefined;
    const url = parseAddress(given, this.#base ?? 'https://anywhere.invalid/');
    if (url === undefined || !schemes.has(url.protocol)) return undefined;
    const written = url.hostname === 'anywhere.invalid' ? given : url.href;
    const address = written.replace(
      /[\s()<>\\]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    this.#charsLeft -= address.length;
    return address.length > maxAddressChars || this.#charsLeft < 0 ? undefined : address;
  }
}
