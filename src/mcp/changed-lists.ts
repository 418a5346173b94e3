import type { ListName } from './connection/connection.js';

/** What reads lists that have changed. */
export interface ChangedListsOptions {
  /** Works after the pause, unless something for this list is due already. */
  pause(list: ListName, work: () => void): void;
  /** Reads one anew; what it rejects with is swallowed. */
  read(list: ListName): Promise<void>;
}

/** Has lists read anew when they change: after a pause, and however often they change, one at a time with one waiting. */
export class ChangedLists {
  readonly #options: ChangedListsOptions;
  /** Those that are being read, and whether they have changed meanwhile. */
  readonly #reading = new Map<ListName, boolean>();

  constructor(options: ChangedListsOptions) {
    this.#options = options;
  }

  changed(list: ListName): void {
    if (this.#reading.has(list)) this.#reading.set(list, true);
    else this.#options.pause(list, () => void this.#read(list));
  }

  async #read(list: ListName): Promise<void> {
    this.#reading.set(list, false);
    await this.#options.read(list).catch(() => {});
    const isChanged = this.#reading.get(list) === true;
    this.#reading.delete(list);
    if (isChanged) this.changed(list);
  }
}
