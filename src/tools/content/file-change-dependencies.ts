import type { Limits } from '../../core/limits.js';
import type { SecretLookup } from '../../core/text/redaction-marks.js';
import type { Scrub } from '../../core/text/scrub-excerpt.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { ReadLedger } from '../../sessions/read-ledger.js';
import type { SyntaxChecker } from './syntax-check.js';

/** The dependencies of the tools that change files. */
export interface FileChangeDependencies {
  readonly files: FileSystem;
  readonly ledger: ReadLedger;
  readonly limits: Limits['write'];
  /** Whether a file can be changed only if the calling agent has read its current content. Default false. */
  readonly readBeforeWrite?: boolean;
  /** Adds a note for each syntax error that a change introduces; the change stays. Default: no check. */
  readonly syntax?: SyntaxChecker | undefined;
  /** Looks up the secrets behind the marks of a reversible scrubber. Default: no mark has a secret. */
  readonly secretOf?: SecretLookup | undefined;
  /**
   * The scrubber of Read. It is used to recognise a redaction mark in new text that may hide a secret of the file.
   * `false` if files are shown unscrubbed. Default: `scrubCredentials`.
   */
  readonly scrub?: Scrub | false | undefined;
  /** Formats a path for a result. Default: unchanged, absolute. */
  readonly shown?: ((path: string) => string) | undefined;
}
