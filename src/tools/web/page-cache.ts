import { LatestMap } from '../../core/support/latest-map.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';

interface Kept<Page> {
  readonly page: Page;
  readonly size: number;
  readonly until: number;
}

/** Caches fetched pages by session and URL, for a limited time and size. */
export class PageCache<Page> {
  readonly #kept: LatestMap<string, Kept<Page>>;
  readonly #maxBytes: number;
  readonly #cacheMs: number;
  readonly #timers: Timers;

  constructor(
    { maxCacheBytes, cacheMs }: { readonly maxCacheBytes: number; readonly cacheMs: number },
    timers: Timers = systemTimers,
  ) {
    this.#maxBytes = maxCacheBytes;
    this.#kept = new LatestMap(maxCacheBytes, { weigh: ({ size }) => size });
    this.#cacheMs = cacheMs;
    this.#timers = timers;
  }

  /** The cached page of this session and URL, unless it has expired. */
  get(sessionId: string, url: string): Page | undefined {
    const kept = this.#kept.get(keyOf(sessionId, url));
    return kept !== undefined && this.#timers.now() < kept.until ? kept.page : undefined;
  }

  /** Caches a page of `size` bytes. If the cache is full, the oldest pages are dropped. */
  set(sessionId: string, url: string, page: Page, size: number): void {
    const key = keyOf(sessionId, url);
    if (size > this.#maxBytes) this.#kept.delete(key);
    else this.#kept.set(key, { page, size, until: this.#timers.now() + this.#cacheMs });
  }

  endSession(sessionId: string): void {
    for (const key of this.#kept.keys()) if (key.startsWith(keyOf(sessionId, ''))) this.#kept.delete(key);
  }
}

function keyOf(sessionId: string, url: string): string {
  return `${JSON.stringify(sessionId)} ${url}`;
}
