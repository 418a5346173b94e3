import {
  childrenOf,
  commandOf,
  environmentOf,
  foregroundOf,
  groupExists,
  isTerminal,
  lastProcessId,
  outputsOf,
  processIds,
  readProcess,
  sendSignal,
  systemCallOf,
} from './process-table.js';

/** How processes are seen and signalled; replaced in tests. */
export const machine = {
  ...{ childrenOf, commandOf, environmentOf, lastProcessId, outputsOf, processIds, readProcess },
  ...{ foregroundOf, isTerminal, systemCallOf },
  ...{ groupExists, sendSignal },
};

/** The type of {@link machine}. */
export type Machine = typeof machine;

/** Sends a signal to what may have been stopped. */
export function deliver({ sendSignal }: Machine, pid: number, signal: NodeJS.Signals): void {
  sendSignal(pid, signal);
  // A stopped process takes no TERM before it goes on.
  if (signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
}
