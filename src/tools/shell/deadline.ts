import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { shellNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import { onAbort, systemTimers, type Timers, unrefTimer } from '../../core/support/timers.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../ports/shell.js';

/** Time limits for a shell in milliseconds. */
export interface ShellDeadline {
  /** Time limit of a command that sets none; 0 or Infinity means no limit. */
  readonly limitMs: number;
  /** Grace period after the time limit or an abort, in which the shell may end the command cleanly and answer. */
  readonly graceMs: number;
}

/** The deadline of a local shell or a sandbox. The grace period of a sandbox also covers its probe and its shutdown. */
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
 * A shell that always answers in time. If `shell` does not answer within the grace period after the time limit, the
 * command is aborted. The call then rejects with `timeout` and the last reported progress. After an abort by the
 * caller, the call rejects with `interrupted`.
 */
export function deadlineShell(shell: Shell, deadline: ShellDeadline, timers: Timers = systemTimers): Shell {
  return { run: (request, scope) => runInTime(shell, request, scope, deadline, timers) };
}

async function runInTime(
  shell: Shell,
  request: ShellRequest,
  scope: CallScope,
  deadline: ShellDeadline,
  timers: Timers,
): Promise<ShellOutcome> {
  const { graceMs } = deadline;
  const limitMs = request.timeoutMs ?? deadline.limitMs;
  const control = new AbortController();
  let tail: string | undefined;
  let timer: unknown;
  let giveUp = (_error: ToolError) => {};
  let stopListening: (() => void) | undefined;

  const after = (delayMs: number, action: () => void) => {
    timers.clear(timer);
    timer = timers.set(action, delayMs);
    // The timer of a background command does not keep the process alive.
    if (request.isBackground === true) unrefTimer(timer);
  };
  const error = (code: 'timeout' | 'interrupted', happened: string) => {
    const message =
      `The command ${happened}, and its shell did not answer within ${graceMs} ms more; the command may still run. ` +
      'See what it did before you run it again.';
    return new ToolError(code, message, { partialOutput: tail });
  };
  // The grace period begins when this process notices the limit, since the machine may have slept.
  const expire = () =>
    after(graceMs, () => {
      const late = error('timeout', `exceeded its limit of ${limitMs} ms`);
      giveUp(late);
      control.abort(new DOMException(late.message, 'TimeoutError'));
    });
  const listen = (): AbortSignal => {
    if (stopListening !== undefined) return control.signal;
    const { signal } = scope;
    stopListening = onAbort(signal, () => {
      after(graceMs, () => giveUp(error('interrupted', 'was aborted')));
      // The pipeline answers an aborted call without the shell, so this timer need not keep the process alive.
      unrefTimer(timer);
      control.abort(signal.reason);
    });
    return control.signal;
  };

  const silence = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  if (limitMs > 0 && limitMs < Number.POSITIVE_INFINITY) after(limitMs, expire);
  // Nothing else waits for a background command, so this function must react to the abort.
  if (request.onStart !== undefined) listen();
  const onOutput = (newest: string, chunk?: string) => {
    tail = newest;
    request.onOutput?.(newest, chunk);
  };
  try {
    const watched = request.onOutput === undefined ? request : { ...request, onOutput };
    // Reading the signal starts the listener: only a shell that reads it can stop cleanly and gets the grace period.
    const heard = {
      caller: scope.caller,
      get signal() {
        return listen();
      },
    };
    return await Promise.race([shell.run(watched, heard), silence]);
  } finally {
    timers.clear(timer);
    stopListening?.();
  }
}
