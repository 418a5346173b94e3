import { readFile, stat } from 'node:fs/promises';
import { ToolError } from '../../core/error.js';
import { answeredWithin } from '../../core/support/timers.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import type { BrowserScope } from './browser.js';
import type { Download } from './playwright.js';

const maxAtOnce = 5;
const maxBytes = 32_000_000;
/** A download that takes longer probably never ends. */
const maxMs = 60_000;

/** The downloads of a session: stored where the caller may read them, and reported as notes. */
export function sessionDownloads(note: (note: string) => void) {
  const pending = new Set<Promise<void>>();
  return {
    take(download: Download, keep: BrowserScope['keep']): void {
      const name = download.suggestedFilename().replace(/\s+/g, ' ').slice(0, 200);
      if (keep === undefined || pending.size >= maxAtOnce) {
        const why = keep === undefined ? 'downloads are off' : 'too many at once';
        note(`The download of ${name} was refused: ${why}`);
        void download.cancel().catch(() => {});
        return;
      }
      const taking = kept(download, keep).then(
        (what) => note(`The download of ${name} ${what}`),
        (thrown) => note(`The download of ${name} failed${ToolError.is(thrown) ? `: ${thrown.message}` : ''}`),
      );
      pending.add(taking);
      void taking.then(() => pending.delete(taking));
    },

    /** Waits for active downloads. */
    async settle(ms: number): Promise<void> {
      if (pending.size > 0 && (await answeredWithin(Promise.all(pending), ms)) === undefined)
        note('A download has not finished; take a snapshot later to see its result');
    },
  };
}

/** Stores a download. Resolves with a text about the result. */
async function kept(download: Download, keep: NonNullable<BrowserScope['keep']>): Promise<string> {
  try {
    const path = await answeredWithin(download.path(), maxMs);
    if (path === undefined) return `did not finish within ${maxMs / 1_000} seconds and was stopped`;
    const { size } = await stat(path);
    if (size > maxBytes) return `is too large to store: ${formatSize(size)}`;
    return `is in ${await keep(await readFile(path))} (${formatSize(size)}); Read shows text, images and PDF`;
  } finally {
    await download.cancel().catch(() => {});
    await download.delete().catch(() => {});
  }
}
