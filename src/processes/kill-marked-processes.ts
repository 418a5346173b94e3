import { basename, dirname } from 'node:path';
import { marksIn } from './process-marker.js';
import { environmentOf, outputsOf, processIds, readProcess } from './process-table.js';
import { sendSignal } from './send-signal.js';

const maxRounds = 10;

/**
 * Sends KILL to every process whose owner `belongs`, again and again while new ones turn up. The owner stands in the
 * innermost mark of its environment, and is the name of the folder its output goes to. Where there is no /proc it finds
 * none.
 */
export function killMarked(belongs: (owner: string) => boolean): void {
  const killed = new Set<string>();
  for (let round = 0; round < maxRounds; round++) {
    const living = processIds()
      .filter((pid) => pid !== process.pid && ownersOf(pid).some(belongs))
      .flatMap((pid) => readProcess(pid) ?? []);
    for (const { pid } of living) sendSignal(pid, 'SIGKILL');
    const before = killed.size;
    for (const { pid, start } of living) killed.add(`${pid} ${start}`);
    if (killed.size === before) return;
  }
}

function ownersOf(pid: number): readonly string[] {
  const marked = marksIn(environmentOf(pid)).at(-1)?.owner;
  const folders = outputsOf(pid).map((file) => basename(dirname(file)));
  return marked === undefined ? folders : [marked, ...folders];
}
