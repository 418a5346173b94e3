import { machine } from './machine.js';

/** Whether a process waits for input from a terminal. */
export type TerminalWait = 'yes' | 'no' | 'unknown';

/** System call numbers of an architecture. */
interface SystemCalls {
  /** Calls that read from the descriptor in the first argument. */
  readonly read: readonly number[];
  /** Calls that wait for descriptors below the first argument. */
  readonly select: readonly number[];
  /** Calls whose arguments do not contain the descriptors. */
  readonly poll: readonly number[];
}

const systemCalls: Readonly<Record<string, SystemCalls>> = {
  x64: { read: [0, 19], select: [23, 270], poll: [7, 271, 232, 281, 441, 426] },
  arm64: { read: [63, 65], select: [72], poll: [73, 22, 441, 426] },
};

/**
 * Whether the foreground program of a terminal waits for input, by the system calls of its processes; `leader` is the
 * first process of the session. `unknown` when these are not readable, or a process waits for several things at once.
 */
export function waitsForTerminal(leader: number, system = machine, architecture: string = process.arch): TerminalWait {
  const calls = systemCalls[architecture];
  const group = system.foregroundOf(leader);
  if (calls === undefined || group === undefined) return 'unknown';
  const waits = system
    .processIds()
    .filter((pid) => system.readProcess(pid)?.group === group)
    .map((pid) => waitOf(system.systemCallOf(pid), calls, (descriptor) => system.isTerminal(pid, descriptor)));
  if (waits.includes('yes')) return 'yes';
  return waits.length === 0 || waits.includes('unknown') ? 'unknown' : 'no';
}

function waitOf(
  call: readonly number[] | undefined,
  { read, select, poll }: SystemCalls,
  isTerminal: (descriptor: number) => boolean,
): TerminalWait {
  if (call === undefined) return 'unknown';
  const [number = -1, first = 0] = call;
  if (read.includes(number)) return isTerminal(first) ? 'yes' : 'no';
  // Below 1 there is only descriptor 0, the input.
  if (select.includes(number) && first === 1) return isTerminal(0) ? 'yes' : 'no';
  return select.includes(number) || poll.includes(number) ? 'unknown' : 'no';
}
