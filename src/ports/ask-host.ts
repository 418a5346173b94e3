import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { type StopReason, stopWatch, type Timers } from '../core/support/timers.js';
import type { Hosts } from './hosts.js';

/** A call of a host object, and its time limit. */
export interface HostRequest<Answer> {
  /** The name of the option in `hosts`. */
  readonly option?: keyof Hosts;
  /** A name for messages, such as `the gateway`, if the host object is not an option of `hosts`. */
  readonly port?: string;
  /** 0 means no limit. */
  readonly timeoutMs: number;
  /** The message of the error `timeout`. Default: a message that the host did not answer. */
  readonly late?: string | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
  /** Whether an answer has the shape that the port promises; other answers are refused. */
  isUsable?(answer: Answer): boolean;
}

/**
 * Calls a host object and returns its answer. Rejects with the ToolError that the host threw, or with `timeout`.
 * Rejects with `interrupted` as soon as the call is aborted, even if the host still works. Any other failure gives
 * `execution_failed` with the name of the host.
 */
export async function askHost<Answer>(
  { option, port = `hosts.${option}`, timeoutMs, late: given, timers, isUsable = () => true }: HostRequest<Answer>,
  { caller, signal }: CallScope,
  ask: (scope: CallScope) => Answer | PromiseLike<Answer>,
): Promise<Answer> {
  const failed = (code: string, problem: string, cause?: unknown) =>
    new ToolError(code, `${port} ${problem}. Go on without it, and tell the user.`, { cause });
  if (signal.aborted) throw failed('interrupted', 'was not called, since the call was interrupted');
  const control = new AbortController();
  const stop = (reason: StopReason): never => {
    const late = given === undefined ? undefined : new ToolError('timeout', given);
    const error =
      reason === 'abort'
        ? failed('interrupted', 'was not awaited, since the call was interrupted')
        : (late ?? failed('timeout', `did not answer within ${timeoutMs} ms`));
    control.abort(error);
    throw error;
  };
  const watch = stopWatch([signal], timeoutMs, timers);
  try {
    const answer = await Promise.race([
      watch.stopped.then(stop),
      (async () => await ask({ caller, signal: control.signal }))(),
    ]);
    if (!isUsable(answer)) throw failed('execution_failed', 'gave no usable answer');
    return answer;
  } catch (thrown) {
    if (ToolError.is(thrown)) throw thrown;
    throw failed('execution_failed', `failed: ${ToolError.from(thrown).message.replace(/\.$/, '')}`, thrown);
  } finally {
    watch.clear();
  }
}

/** The error of a tool whose host object is missing. */
export function notConfigured(option: keyof Hosts, next: string): ToolError {
  return new ToolError('not_configured', `The program that runs this agent passed no hosts.${option}. ${next}`);
}
