import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { shellNumbers } from '../../core/numbers.js';
import { systemTimers, type Timers, unrefTimer } from '../../core/support/timer.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../ports/shell.js';

/** Time limits for a shell in milliseconds. */
export interface ShellDeadline {
  /** Time limit of a command without its own; 0 or Infinity: none. */
  readonly limitMs: number;
  /** Grace period between the time limit or an abort and the answer, in which the shell may end the command cleanly. */
  readonly graceMs: number;
}

/**
 * The deadline of a local shell. If `sandboxLimitMs` is given, the deadline of a sandbox, whose grace period also
 * covers probing and ending the sandbox.
 */
export function shellDeadline(bash: Limits['bash'], sandboxLimitMs?: number): ShellDeadline {
  const graceMs = bash.killGraceMs + shellNumbers.settleGraceMs;
  if (sandboxLimitMs === undefined) return { limitMs: bash.timeoutMs, graceMs };
  return { limitMs: longer(bash.timeoutMs, sandboxLimitMs), graceMs: graceMs + 2 * shellNumbers.sandboxProbeMs };
}

/** The longer of two limits; 0 means no limit. */
function longer(first: number, second: number): number {
  return first === 0 || second === 0 ? 0 : Math.max(first, second);
}

/**
 * A shell that always answers in time. When `shell` does not answer within the grace period after the time limit, it is
 * told to stop, and the answer is `timeout` with the last reported progress; after an abort it is `interrupted`.
 */
export function deadlineShell(shell: Shell, deadline: ShellDeadline, timers: Timers = systemTimers): Shell {
  return { run: (request, scope) => new AwaitedRun(request, scope, deadline, timers).answerOf(shell) };
}

/** One command and its deadline. */
class AwaitedRun {
  readonly #request: ShellRequest;
  readonly #scope: CallScope;
  readonly #limitMs: number;
  readonly #graceMs: number;
  readonly #control = new AbortController();
  #giveUp: (error: ToolError) => void = () => {};
  readonly #timers: Timers;
  #timer: unknown;
  #tail: string | undefined;
  #signal: AbortSignal | undefined;

  constructor(request: ShellRequest, scope: CallScope, { limitMs, graceMs }: ShellDeadline, timers: Timers) {
    this.#request = request;
    this.#scope = scope;
    this.#limitMs = request.timeoutMs ?? limitMs;
    this.#graceMs = graceMs;
    this.#timers = timers;
  }

  async answerOf(shell: Shell): Promise<ShellOutcome> {
    if (this.#limitMs > 0 && this.#limitMs < Number.POSITIVE_INFINITY) this.#after(this.#limitMs, this.#expire);
    const silence = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
    });
    try {
      return await Promise.race([shell.run(this.#withTail(), this.#withSignal()), silence]);
    } finally {
      this.#timers.clear(this.#timer);
      this.#signal?.removeEventListener('abort', this.#abort);
    }
  }

  #withTail(): ShellRequest {
    const { onOutput } = this.#request;
    if (onOutput === undefined) return this.#request;
    return {
      ...this.#request,
      onOutput: (tail, chunk) => {
        this.#tail = tail;
        onOutput(tail, chunk);
      },
    };
  }

  /** An abort waits only for a shell that reads the signal, because another shell cannot stop cleanly. */
  #withSignal(): CallScope {
    const signal = () => this.#listen();
    // Only this class waits for a background command, so it must notice the abort.
    if (this.#request.onStart !== undefined) signal();
    return {
      caller: this.#scope.caller,
      get signal() {
        return signal();
      },
    };
  }

  #listen(): AbortSignal {
    if (this.#signal === undefined) {
      this.#signal = this.#scope.signal;
      if (this.#signal.aborted) this.#abort();
      else this.#signal.addEventListener('abort', this.#abort, { once: true });
    }
    return this.#control.signal;
  }

  readonly #abort = () => {
    this.#after(this.#graceMs, () => this.#giveUp(this.#error('interrupted', 'was told to stop')));
    // The pipeline answers an aborted call without the shell, so this timer need not keep the process alive.
    unrefTimer(this.#timer);
    this.#control.abort(this.#signal?.reason);
  };

  // The grace period begins when this process notices the limit, since the machine may have slept.
  readonly #expire = () => {
    this.#after(this.#graceMs, () => {
      const error = this.#error('timeout', `exceeded its limit of ${this.#limitMs} ms`);
      this.#giveUp(error);
      this.#control.abort(new DOMException(error.message, 'TimeoutError'));
    });
  };

  #after(delayMs: number, action: () => void): void {
    this.#timers.clear(this.#timer);
    this.#timer = this.#timers.set(action, delayMs);
    // Does not keep the process alive.
    if (this.#request.isBackground === true) unrefTimer(this.#timer);
  }

  #error(code: 'timeout' | 'interrupted', happened: string): ToolError {
    const message =
      `The command ${happened}, and ${this.#graceMs} ms later its shell has not answered; it may still run. See what ` +
      'it did before you run it again.';
    return new ToolError(code, message, { partialOutput: this.#tail });
  }
}
