import { machine } from './machine.js';

/** Whether a process waits for somebody to type. */
export type TerminalWait = 'yes' | 'no' | 'unknown';

/** The numbers that a kind of machine gives to system calls. */
interface SystemCalls {
  /** Reads from the descriptor that is the first argument. */
  readonly read: readonly number[];
  /** Waits for some of the descriptors below the first argument. */
  readonly select: readonly number[];
  /** Waits for descriptors that its arguments do not tell. */
  readonly poll: readonly number[];
}

const systemCalls: Readonly<Record<string, SystemCalls>> = {
  x64: { read: [0, 19], select: [23, 270], poll: [7, 271, 232, 281, 441, 426] },
  arm64: { read: [63, 65], select: [72], poll: [73, 22, 441, 426] },
};

/**
 * Whether a program in front of the terminal waits for input from it, by the system calls that its processes are in:
 * `leader` is the first process of the session. Where that cannot be seen, or a process waits for several things at
 * once, it is unknown.
 */
export function waitsForTerminal(leader: number, seen = machine, architecture: string = process.arch): TerminalWait {
  const calls = systemCalls[architecture];
  const group = seen.foregroundOf(leader);
  if (calls === undefined || group === undefined) return 'unknown';
  const waits = seen
    .processIds()
    .filter((pid) => seen.readProcess(pid)?.group === group)
    .map((pid) => waitOf(seen.systemCallOf(pid), calls, (descriptor) => seen.isTerminal(pid, descriptor)));
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
  // Of all descriptors below 1 there is only that of the input.
  if (select.includes(number) && first === 1) return isTerminal(0) ? 'yes' : 'no';
  return select.includes(number) || poll.includes(number) ? 'unknown' : 'no';
}
