import robotsParser from 'robots-parser';
import { ToolError } from '../../core/error.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { blocked } from './address-guard.js';

interface Kept {
  readonly at: number;
  readonly allows: (path: string) => boolean;
}

/** What a host is asked for its robots.txt with. */
export type FetchText = (url: URL) => Promise<string>;

/** The one function of the package, which its types take for a member. */
const parse = robotsParser as unknown as typeof robotsParser.default;

/** A rule that nobody means: each of its stars multiplies the ways in which a path may fit. */
const longLine = /^.{500,}$/gm;

/** Hosts whose robots.txt is remembered. */
const maxHosts = 500;

/** Keeps to what the robots.txt of each host disallows for one user agent. */
export class Robots {
  readonly #kept = new Map<string, Kept>();
  readonly #userAgent: string;
  readonly #cacheMs: number;
  readonly #timers: Timers;

  constructor(userAgent: string, cacheMs: number, timers: Timers = systemTimers) {
    this.#userAgent = userAgent;
    this.#cacheMs = cacheMs;
    this.#timers = timers;
  }

  /** Throws `url_blocked` for what the robots.txt of the origin disallows, or where it cannot be read. */
  async check(url: URL, fetch: FetchText): Promise<void> {
    const { origin, pathname, search, hostname } = url;
    let kept = this.#kept.get(origin);
    if (kept === undefined || this.#timers.now() - kept.at >= this.#cacheMs) {
      kept = { at: this.#timers.now(), allows: await this.#rules(new URL('/robots.txt', url), fetch) };
      if (this.#kept.size >= maxHosts) this.#kept.clear();
      this.#kept.set(origin, kept);
    }
    if (!kept.allows(pathname + search))
      throw blocked(`The robots.txt of ${hostname} disallows this page. Look elsewhere.`);
  }

  async #rules(url: URL, fetch: FetchText): Promise<Kept['allows']> {
    try {
      const text = (await fetch(url)).replace(longLine, '');
      // Only at the end of a rule is a dollar sign no character of the path.
      const rules = parse(url.href, decoded(text).replace(/\$(?!\s*(?:#.*)?$)/gm, '%24'));
      return (path) => rules.isAllowed(`${url.origin}${written(decoded(path))}`, this.#userAgent) !== false;
    } catch (error) {
      if (!ToolError.is(error) || error.code !== 'http_error') throw error;
      if (Number(error.metadata?.status) < 500) return () => true;
      throw blocked(`No robots.txt can be had of ${url.hostname}. Try again later.`);
    }
  }
}

/** A text in which characters that percent form does not change the meaning of stand for themselves. */
function decoded(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[\w\-.!~'(),;:@&=+]/.test(character) ? character : triplet;
  });
}

/** A path in which what is special in a rule, or what rules are written without, is in percent form. */
function written(path: string): string {
  return path.replace(/[*$[\]|^`{}"<>]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
