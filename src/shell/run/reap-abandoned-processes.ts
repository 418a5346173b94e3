import type { Sandbox } from '../../ports/sandbox.js';
import type { OutputFolder } from '../output/output-folder.js';
import { killMarked } from '../processes/kill-marked-processes.js';

/**
 * Ends processes, also in the sandbox, and removes output of earlier programs that were killed before cleaning up.
 * Never throws.
 */
export function reapAbandoned(folder: OutputFolder, sandbox?: Sandbox | undefined): void {
  try {
    killMarked((owner) => folder.isAbandoned(owner));
    // Processes that cannot be ended are left for the next start.
    sandbox?.reap?.((owner) => folder.isAbandoned(owner)).catch(() => {});
    folder.removeAbandoned();
  } catch {
    // Left for the next start.
  }
}
