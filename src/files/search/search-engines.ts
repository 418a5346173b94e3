import { systemTimers, type Timers } from '../../core/support/timers.js';
import { SearchTurns } from './query/search-turns.js';
import { findRipgrep } from './ripgrep/ripgrep-find.js';

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

/** What searches share from call to call: where ripgrep is, looked up once, and the turns they take without it. */
export class SearchEngines implements AsyncDisposable {
  readonly turns: SearchTurns;
  readonly timers: Timers;
  readonly #option: string | false | undefined;
  #ripgrep: Promise<string | undefined> | undefined;

  constructor({ ripgrep, timers = systemTimers }: SearchEnginesOptions = {}) {
    this.turns = new SearchTurns(timers);
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
    await this.turns.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }
}
