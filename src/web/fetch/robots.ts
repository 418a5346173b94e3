import robotsParser from 'robots-parser';
import { ToolError } from '../../core/error.js';
import { LatestMap } from '../../core/support/latest-map.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { blocked } from './address-guard.js';

interface Kept {
  readonly at: number;
  readonly allows: (path: string) => boolean;
}

/** The package exports the function itself, but its types declare it as the member `default`. */
const parse = robotsParser as unknown as typeof robotsParser.default;

/** Lines that are dropped (ReDoS): the time to match a rule grows with its length times the length of the path. */
const longLine = /^.{500,}$/gm;

const maxHosts = 500;

/** Checks URLs against robots.txt for one user agent. */
export function robotsCheck(userAgent: string, cacheMs: number, timers: Timers = systemTimers) {
  const allKept = new LatestMap<string, Kept>(maxHosts);

  /**
   * Throws `url_blocked` if robots.txt disallows the URL or is answered with status 500 or higher. A lower error status
   * allows every URL. Throws the error of `fetch` if the server cannot be reached.
   */
  async function check(url: URL, fetch: (url: URL) => Promise<string>): Promise<void> {
    const { origin, pathname, search, hostname } = url;
    let kept = allKept.get(origin);
    if (kept === undefined || timers.now() - kept.at >= cacheMs) {
      kept = { at: timers.now(), allows: await rules(new URL('/robots.txt', url), fetch) };
      allKept.set(origin, kept);
    }
    if (!kept.allows(pathname + search))
      throw blocked(`The robots.txt of ${hostname} disallows this page. Try another source.`);
  }

  async function rules(url: URL, fetch: (url: URL) => Promise<string>): Promise<Kept['allows']> {
    try {
      const text = (await fetch(url)).replace(longLine, '');
      // A dollar sign is special only at the end of a rule.
      const rules = parse(url.href, decoded(text).replace(/\$(?!\s*(?:#.*)?$)/gm, '%24'));
      return (path) => rules.isAllowed(`${url.origin}${encoded(decoded(path))}`, userAgent) !== false;
    } catch (error) {
      if (!ToolError.is(error) || error.code !== 'http_error') throw error;
      if (Number(error.metadata?.status) < 500) return () => true;
      throw blocked(`The robots.txt of ${url.hostname} cannot be read. Try again later.`);
    }
  }

  return check;
}

/** Decodes percent-encoded letters, digits and signs that can stand unencoded in a path. */
function decoded(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[\w\-.!~'(),;:@&=+]/.test(character) ? character : triplet;
  });
}

/** Percent-encodes the characters of a path that have a special meaning in robots.txt rules or cannot occur in them. */
function encoded(path: string): string {
  return path.replace(/[*$[\]|^`{}"<>]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
