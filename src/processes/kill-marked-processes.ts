import { basename, dirname } from 'node:path';
import { marksIn } from './process-marker.js';
import { processTable } from './process-table.js';
import { sendSignal } from './send-signal.js';

const maxRounds = 10;
const pauseMs = 1;

/**
 * Sends KILL to every process whose owner `belongs`, again and again while new ones turn up or some could not be read.
 * The owner stands in the innermost mark of its environment, and is the name of the folder its output goes to. Where
 * there is no /proc it finds none.
 */
export function killMarked(belongs: (owner: string) => boolean, table = processTable): void {
  const killed = new Set<string>();
  let unread: ReadonlySet<number> = new Set();
  for (let round = 0; round < maxRounds; round++) {
    const before = killed.size;
    const unreadNow = new Set<number>();
    for (const pid of table.processIds()) {
      if (pid === process.pid) continue;
      const environment = table.environmentOf(pid);
      if (environment === undefined) unreadNow.add(pid);
      const marked = marksIn(environment ?? '').at(-1)?.owner;
      const folders = table.outputsOf(pid).map((file) => basename(dirname(file)));
      if (!(marked === undefined ? folders : [marked, ...folders]).some(belongs)) continue;
      const entry = table.readProcess(pid);
      if (entry === undefined) continue;
      sendSignal(pid, 'SIGKILL');
      killed.add(`${pid} ${entry.start}`);
    }
    // What stays unread and does not live waits to be reaped.
    const mayHide = [...unreadNow].some((pid) => !unread.has(pid) || table.readProcess(pid) !== undefined);
    if (killed.size === before && !mayHide) return;
    unread = unreadNow;
    // A process that is replacing its program gets on with it meanwhile.
    if (mayHide) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}
