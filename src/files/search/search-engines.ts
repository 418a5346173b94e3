import { systemTimers, type Timers } from '../../core/support/timers.js';
import { findRipgrep } from './ripgrep/ripgrep-find.js';
import { SearchThreads } from './threads/search-threads.js';

/** How {@link SearchEngines} is set up. */
export interface SearchEnginesOptions {
  /**
   * Path of the ripgrep program, or false to search without it. Default: found in the environment, the optional
   * package, or PATH.
   */
  readonly ripgrep?: string | false | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/**
 * What searches share from call to call: where ripgrep is, looked up once, and the threads of the JavaScript engine.
 * Threads belong to the process; see {@link SearchThreads}.
 */
export class SearchEngines implements AsyncDisposable {
  readonly threads: SearchThreads;
  readonly timers: Timers;
  readonly #option: string | false | undefined;
  #ripgrep: Promise<string | undefined> | undefined;

  constructor({ ripgrep, timers = systemTimers }: SearchEnginesOptions = {}) {
    this.threads = new SearchThreads(timers);
    this.timers = timers;
    this.#option = ripgrep;
  }

  /** The path of the ripgrep program, or undefined where there is none. */
  ripgrep(): Promise<string | undefined> {
    this.#ripgrep ??= findRipgrep(this.#option);
    return this.#ripgrep;
  }

  /** Leaves ripgrep out from now on; for a program that cannot be started. */
  giveUpRipgrep(): void {
    this.#ripgrep = Promise.resolve(undefined);
  }

  /** Ends what searches: each rejects with `interrupted`. */
  async dispose(): Promise<void> {
    await this.threads.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }
}
