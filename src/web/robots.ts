import robotsParser from 'robots-parser';
import { ToolError } from '../core/error.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import { blocked } from './address-guard.js';

interface Kept {
  readonly at: number;
  readonly allows: (url: string) => boolean;
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
    const { origin, href, hostname } = url;
    let kept = this.#kept.get(origin);
    if (kept === undefined || this.#timers.now() - kept.at >= this.#cacheMs) {
      kept = { at: this.#timers.now(), allows: await this.#rules(new URL('/robots.txt', url), fetch) };
      if (this.#kept.size >= maxHosts) this.#kept.clear();
      this.#kept.set(origin, kept);
    }
    if (!kept.allows(href)) throw blocked(`The robots.txt of ${hostname} disallows this page. Look elsewhere.`);
  }

  async #rules(url: URL, fetch: FetchText): Promise<Kept['allows']> {
    try {
      const text = (await fetch(url)).replace(longLine, '');
      const rules = parse(url.href, text);
      return (asked) => rules.isAllowed(asked, this.#userAgent) !== false;
    } catch (error) {
      if (!ToolError.is(error) || error.code !== 'http_error') throw error;
      if (Number(error.metadata?.status) < 500) return () => true;
      throw blocked(`No robots.txt can be had of ${url.hostname}. Try again later.`);
    }
  }
}
