import {
  childrenOf,
  commandOf,
  environmentOf,
  lastProcessId,
  outputsOf,
  processIds,
  readProcess,
} from './process-table.js';
import { groupExists, sendSignal } from './send-signal.js';

/** How processes are seen and signalled; replaced in tests. */
export const machine = {
  ...{ childrenOf, commandOf, environmentOf, lastProcessId, outputsOf, processIds, readProcess },
  ...{ groupExists, sendSignal },
};

/** The type of {@link machine}. */
export type Machine = typeof machine;

const maxLooks = 5;

/**
 * Looks again where nothing was found but something was started meanwhile: it may be the child of what was listed and
 * has gone since.
 */
export function lookAgain<Seen>({ lastProcessId }: Machine, look: () => Seen, isFound: (seen: Seen) => boolean): Seen {
  for (let round = 1; ; round++) {
    const last = lastProcessId();
    const seen = look();
    if (isFound(seen) || round === maxLooks || lastProcessId() === last) return seen;
  }
}

/** Sends a signal to what may have been stopped. */
export function deliver({ sendSignal }: Machine, pid: number, signal: NodeJS.Signals): void {
  sendSignal(pid, signal);
  // A stopped process takes no TERM before it goes on.
  if (signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
}
