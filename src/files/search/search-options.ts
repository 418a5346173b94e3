import type { Limits } from '../../core/limits.js';
import type { SearchEngines } from './search-engines.js';

/** What of the limits a search itself keeps to. */
export interface SearchLimits {
  readonly glob: Pick<Limits['glob'], 'timeoutMs'>;
  readonly grep: Omit<Limits['grep'], 'headLimit'>;
}

/** Where and how one file system searches. */
export interface SearchOptions {
  /**
   * Canonical absolute directories; nothing outside them is searched. The first is where a search without a path
   * starts.
   */
  readonly roots: readonly string[];
  readonly limits: SearchLimits;
  /** True for files whose content must not be shown; Grep leaves them out. */
  readonly isHidden?: ((realPath: string) => boolean) | undefined;
  /**
   * Path of the ripgrep program, or false for the JavaScript engine; used where `engines` is missing. Default: found as
   * {@link SearchEngines} says.
   */
  readonly ripgrep?: string | false | undefined;
  /** Shared engines. Without them each search makes its own and disposes them. */
  readonly engines?: SearchEngines | undefined;
}
