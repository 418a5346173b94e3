import { readFile, stat } from 'node:fs/promises';
import { ToolError } from '../../core/error.js';
import { formatSize } from '../../core/text/size.js';
import type { BrowserScope } from './browser.js';
import type { Download } from './playwright.js';
import { within } from './within.js';

const maxAtOnce = 5;
const maxBytes = 32_000_000;
/** One that takes longer never ends, or comes too slowly to be of use. */
const maxMs = 60_000;

/** What the pages of a session download: kept where the caller may read it, and told of in notes. */
export class SessionDownloads {
  readonly #note: (note: string) => void;
  readonly #pending = new Set<Promise<void>>();

  constructor(note: (note: string) => void) {
    this.#note = note;
  }

  take(download: Download, keep: BrowserScope['keep']): void {
    const name = download.suggestedFilename().replace(/\s+/g, ' ').slice(0, 200);
    if (keep === undefined || this.#pending.size >= maxAtOnce) {
      this.#note(`The download of ${name} was refused: ${keep === undefined ? 'none are kept' : 'too many at once'}`);
      void download.cancel().catch(() => {});
      return;
    }
    const taking = kept(download, keep).then(
      (what) => this.#note(`The download of ${name} ${what}`),
      (thrown) => this.#note(`The download of ${name} failed${ToolError.is(thrown) ? `: ${thrown.message}` : ''}`),
    );
    this.#pending.add(taking);
    void taking.then(() => this.#pending.delete(taking));
  }

  /** Gives downloads the time to come in. */
  async settle(ms: number): Promise<void> {
    if (this.#pending.size === 0) return;
    if ((await within(ms, Promise.all(this.#pending))) === 'late')
      this.#note('A download is still coming in; take a snapshot later to hear of it');
  }
}

/** What became of a download, once it is over. */
async function kept(download: Download, keep: NonNullable<BrowserScope['keep']>): Promise<string> {
  try {
    const path = await within(maxMs, download.path());
    if (path === 'late') return `was given up after ${maxMs / 1_000} seconds`;
    const { size } = await stat(path);
    if (size > maxBytes) return `is too large to be kept: ${formatSize(size)}`;
    return `is in ${await keep(await readFile(path))} (${formatSize(size)}); Read shows text, images and PDF`;
  } finally {
    await download.cancel().catch(() => {});
    await download.delete().catch(() => {});
  }
}
