import { parseAddress } from '../../core/http/parse-address.js';

// A longer address is data and no address; beyond twice the page and this, addresses no longer tell anything.
const maxAddressChars = 2_000;
const spareChars = 100_000;
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:']);

/** Makes the addresses of one page absolute. */
export class LinkAddresses {
  #base: URL | undefined;
  #hasOwnBase = false;
  #charsLeft: number;

  /** `pageChars` bounds what all addresses take together: a long base makes much of short ones. */
  constructor(baseUrl: string | undefined, pageChars: number) {
    this.#base = baseUrl === undefined ? undefined : parseAddress(baseUrl);
    this.#charsLeft = pageChars * 2 + spareChars;
  }

  /** Takes the page's own word on its base; the first counts. */
  setBase(href: string): void {
    const base = this.#hasOwnBase ? undefined : parseAddress(href, this.#base);
    if (base?.protocol.startsWith('http') !== true) return;
    this.#hasOwnBase = true;
    this.#base = base;
  }

  /** The address as Markdown writes it; undefined where it leads nowhere safe. Without a base, relative ones stay. */
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
