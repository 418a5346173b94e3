import { shellNumbers } from '../../core/numbers.js';
import type { Timers } from '../../core/support/timer.js';
import { machine } from './process-table.js';

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

/** Options of {@link SilenceWatch}. */
interface SilenceWatchOptions {
  readonly timers: Timers;
  /** Whether the command currently waits for input. */
  waitsForInput(): TerminalWait;
  /** Called at each silence, unless the command is known not to wait for input. */
  tell(wait: Exclude<TerminalWait, 'no'>): void;
}

/** Reports each silence of a command that waits, or may wait, for input. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #size = 0;
  #since: number;
  #isReported = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#since = options.timers.now();
  }

  /** Checks a command whose output has this size. */
  look(size: number): void {
    if (size !== this.#size) this.restart();
    this.#size = size;
    if (this.#isReported || this.#options.timers.now() - this.#since < shellNumbers.silenceMs) return;
    // A working command may wait for input later.
    this.restart();
    const wait = this.#options.waitsForInput();
    if (wait === 'no') return;
    this.#isReported = true;
    this.#options.tell(wait);
  }

  /** Restarts after output or input. */
  restart(): void {
    this.#since = this.#options.timers.now();
    this.#isReported = false;
  }
}
