import type { FileSystem } from './file-system.js';
import type { Shell } from './shell.js';

/** What the embedding program may put in place of the defaults. Everything is optional. */
export interface Hosts {
  /** Default: the disk, confined to the roots. */
  readonly files?: FileSystem;
  /** Default: processes of this machine, started in the root. */
  readonly shell?: Shell;
}
