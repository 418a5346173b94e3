import { systemTimers, type Timers } from '../../core/support/timers.js';

interface Kept<Page> {
  readonly page: Page;
  readonly size: number;
  readonly until: number;
}

/** Caches fetched pages by session and URL, for a limited time and size. */
export class PageCache<Page> {
  readonly #kept = new Map<string, Kept<Page>>();
  readonly #maxBytes: number;
  readonly #cacheMs: number;
  readonly #timers: Timers;
  #size = 0;

  constructor(
    { maxCacheBytes, cacheMs }: { readonly maxCacheBytes: number; readonly cacheMs: number },
    timers: Timers = systemTimers,
  ) {
    this.#maxBytes = maxCacheBytes;
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
    this.#drop(key);
    if (size > this.#maxBytes) return;
    this.#kept.set(key, { page, size, until: this.#timers.now() + this.#cacheMs });
    this.#size += size;
    for (const oldest of this.#kept.keys()) if (this.#size > this.#maxBytes) this.#drop(oldest);
  }

  /** Drops the pages of a session. */
  endSession(sessionId: string): void {
    for (const key of this.#kept.keys()) if (key.startsWith(keyOf(sessionId, ''))) this.#drop(key);
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}

function keyOf(sessionId: string, url: string): string {
  return `${JSON.stringify(sessionId)} ${url}`;
}
