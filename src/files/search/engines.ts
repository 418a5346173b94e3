import type { Limits } from '../../core/limits.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { SearchTurns } from './query/search-turns.js';
import { findRipgrep } from './ripgrep/find.js';

export interface SearchLimits {
  readonly glob: Pick<Limits['glob'], 'timeoutMs'>;
  readonly grep: Omit<Limits['grep'], 'headLimit'>;
}

/** The roots, limits and engines of the searches in one file system. */
export interface DiskSearchOptions {
  /** Canonical absolute directories; nothing outside them is searched. A search without a path starts in the first. */
  readonly roots: readonly string[];
  readonly limits: SearchLimits;
  /** True for files whose content must not be shown; Grep leaves them out. */
  readonly isHidden?: ((realPath: string) => boolean) | undefined;
  readonly engines: SearchEngines;
}

/** Options of {@link SearchEngines}. */
export interface SearchEnginesOptions {
  /**
   * Path of the ripgrep program, or false to search without ripgrep. Default: the program in the variable
   * `TOOLWRIGHT_RIPGREP`, else in the optional package `@vscode/ripgrep`, else on `PATH`.
   */
  readonly ripgrep?: string | false | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** The state that searches share: the path of ripgrep, and the time slices of searches without it. */
export class SearchEngines {
  readonly turns: SearchTurns;
  readonly timers: Timers;
  readonly #option: string | false | undefined;
  #ripgrep: Promise<string | undefined> | undefined;

  constructor({ ripgrep, timers = systemTimers }: SearchEnginesOptions = {}) {
    this.turns = new SearchTurns(timers);
    this.timers = timers;
    this.#option = ripgrep;
  }

  /** The path of the ripgrep program; undefined if there is none. */
  ripgrep(): Promise<string | undefined> {
    this.#ripgrep ??= findRipgrep(this.#option);
    return this.#ripgrep;
  }

  /** Looks for ripgrep again at the next search, after it could not be started; the cause may have been temporary. */
  forgetRipgrep(): void {
    this.#ripgrep = undefined;
  }

  /** Ends the running searches of the JavaScript engine; each rejects with `interrupted`. */
  async dispose(): Promise<void> {
    await this.turns.dispose();
  }
}
