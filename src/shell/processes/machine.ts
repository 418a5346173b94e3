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

/** Access to processes and signals; replaced in tests. */
export const machine = {
  ...{ childrenOf, commandOf, environmentOf, lastProcessId, outputsOf, processIds, readProcess },
  ...{ foregroundOf, isTerminal, systemCallOf },
  ...{ groupExists, sendSignal },
};

/** The type of {@link machine}. */
export type Machine = typeof machine;

/** Sends a signal to a process that may be stopped. */
export function deliver({ sendSignal }: Machine, pid: number, signal: NodeJS.Signals): void {
  sendSignal(pid, signal);
  // A stopped process handles no SIGTERM before SIGCONT.
  if (signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
}
