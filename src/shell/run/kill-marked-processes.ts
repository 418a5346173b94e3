import { basename, dirname } from 'node:path';
import type { Sandbox } from '../../ports/sandbox.js';
import type { OutputFolder } from '../output/folder.js';
import { markersIn } from './child-environment.js';
import * as machine from './process-table.js';

const maxRounds = 10;
const pauseMs = 1;

/**
 * Sends SIGKILL to every process with an owner for which `belongs` is true. Scans again while new processes appear or
 * processes cannot be read. The owners of a process are the owner in the innermost marker of its environment and the
 * names of the folders of its output files. Without /proc no process is found.
 */
export function killMarked(belongs: (owner: string) => boolean, system = machine): void {
  const others = new Set<number>();
  const dead = new Set<number>();
  for (let round = 0, isClear = false; round < maxRounds && !isClear; round++) {
    isClear = true;
    for (const pid of system.processIds()) {
      if (pid === process.pid || others.has(pid) || dead.has(pid)) continue;
      const environment = system.environmentOf(pid);
      const marked = markersIn(environment ?? '').at(-1)?.owner;
      const folders = system.outputsOf(pid).map((file) => basename(dirname(file)));
      if ((marked === undefined ? folders : [marked, ...folders]).some(belongs)) system.sendSignal(pid, 'SIGKILL');
      else if (environment !== undefined) {
        others.add(pid);
        continue;
      }
      // The process may have started another process, or may not have its environment yet.
      isClear = false;
      if (system.readProcess(pid) === undefined) dead.add(pid);
    }
    if (!isClear) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

/**
 * Cleans up after hosts that were killed: ends their processes, also in the sandbox, and removes their output. Never
 * throws.
 */
export function reapAbandoned(folder: OutputFolder, sandbox?: Sandbox | undefined): void {
  try {
    killMarked((owner) => folder.isAbandoned(owner));
    // Processes that cannot be ended are left for the next start.
    sandbox?.reap?.((owner) => folder.isAbandoned(owner)).catch(() => {});
    folder.removeAbandoned();
  } catch {
    // The rest is left for the next start.
  }
}
