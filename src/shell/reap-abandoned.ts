import { killMarked } from './kill-marked.js';
import type { OutputFolder } from './output-folder.js';

/** Ends the processes and removes the output of earlier programs that were killed before they could tidy up. Never throws. */
export function reapAbandoned(folder: OutputFolder): void {
  try {
    killMarked((owner) => folder.isAbandoned(owner));
    folder.removeAbandoned();
  } catch {
    // Left for the next start.
  }
}
