import type { Limits } from '../../core/limits.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { SecretLookup } from '../../secrets/redaction-marks.js';
import type { Scrub } from '../../secrets/scrub-text-part.js';
import type { ReadLedger } from '../../sessions/read-ledger.js';
import type { SyntaxChecker } from './syntax-check.js';

/** What tools that change files can reach. */
export interface FileChangeDependencies {
  readonly files: FileSystem;
  readonly ledger: ReadLedger;
  readonly limits: Limits['write'];
  /** Refuse to change a file that this session has not read, or that has changed since. Default false. */
  readonly readBeforeWrite?: boolean;
  /** Tells of syntax errors that a change of text brings in; the change stays. Default: no check. */
  readonly syntax?: SyntaxChecker | undefined;
  /** Secrets behind the marks that a reversible scrubber put in their place. Default: no mark is known. */
  readonly secretOf?: SecretLookup | undefined;
  /**
   * How files are scrubbed when they are shown, by which a mark that is text is distinguished from one that hides a
   * secret; `false` where they are not. Default: `scrubCredentials`.
   */
  readonly scrub?: Scrub | false | undefined;
  /** How a path is shown in a result. Default: as it is, absolute. */
  readonly shown?: ((path: string) => string) | undefined;
}
