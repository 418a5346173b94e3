import type { Sandbox } from '../../ports/sandbox.js';
import type { OutputFolder } from '../output/output-folder.js';
import { killMarked } from '../processes/kill-marked-processes.js';

/**
 * Cleans up after hosts that were killed: ends their processes, in the sandbox too, and removes their output. Never
 * throws.
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
