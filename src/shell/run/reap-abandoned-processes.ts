import type { Sandbox } from '../../ports/sandbox.js';
import type { OutputFolder } from '../output/output-folder.js';
import { killMarked } from '../processes/kill-marked-processes.js';

/**
 * Ends the processes, also those in the sandbox, and removes the output of earlier programs that were killed before
 * they could tidy up. Never throws.
 */
export function reapAbandoned(folder: OutputFolder, sandbox?: Sandbox | undefined): void {
  try {
    killMarked((owner) => folder.isAbandoned(owner));
    // What it cannot end is left for the next start, as everything here.
    sandbox?.reap?.((owner) => folder.isAbandoned(owner)).catch(() => {});
    folder.removeAbandoned();
  } catch {
    // Left for the next start.
  }
}
