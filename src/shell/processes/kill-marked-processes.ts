import { basename, dirname } from 'node:path';
import { marksIn } from './child-environment.js';
import { machine } from './machine.js';

const maxRounds = 10;
const pauseMs = 1;

/**
 * Sends SIGKILL to every process whose owner `belongs`, repeatedly while new ones appear or some could not be read. The
 * owner is the innermost marker in the environment, and names the folder of its output. Without /proc it finds none.
 */
export function killMarked(belongs: (owner: string) => boolean, seen = machine): void {
  const others = new Set<number>();
  const dead = new Set<number>();
  for (let round = 0, isClear = false; round < maxRounds && !isClear; round++) {
    isClear = true;
    for (const pid of seen.processIds()) {
      if (pid === process.pid || others.has(pid) || dead.has(pid)) continue;
      const environment = seen.environmentOf(pid);
      const marked = marksIn(environment ?? '').at(-1)?.owner;
      const folders = seen.outputsOf(pid).map((file) => basename(dirname(file)));
      if ((marked === undefined ? folders : [marked, ...folders]).some(belongs)) seen.sendSignal(pid, 'SIGKILL');
      else if (environment !== undefined) {
        others.add(pid);
        continue;
      }
      // It may have started another process, or not have its environment yet.
      isClear = false;
      if (seen.readProcess(pid) === undefined) dead.add(pid);
    }
    if (!isClear) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}
