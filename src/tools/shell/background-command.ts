import type { ToolContext } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { shellNumbers } from '../../core/fixed-limits.js';
import { onAbort, type Timers, waitFor } from '../../core/support/timers.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { Shell, ShellOutcome, ShellOutput, ShellRequest } from '../../ports/shell.js';
import type { TaskEnd, TaskRun } from '../../sessions/background-task.js';
import type { TaskManager } from '../../sessions/task-manager.js';
import { sideLines, stubbornLines } from './bash-result.js';

/** A command line with its own time limit. */
export type TimedRequest = ShellRequest & { readonly timeoutMs: number };

/** Starts a command as a task. Rejects with the shell's error if the command cannot be started. */
export async function startInBackground(
  shell: Shell,
  tasks: TaskManager,
  request: TimedRequest,
  context: ToolContext,
  timers: Timers,
): Promise<ToolResult> {
  let output: ShellOutput | undefined;
  let refusal: { readonly thrown: unknown } | undefined;
  let isAnswered = false;
  const timer = new AbortController();
  const taskId = tasks.start(
    request.command,
    async (task) => {
      const onStart = (started: ShellOutput) => {
        output = started;
        task.attach(started);
        timer.abort();
      };
      try {
        const running = shell.run(
          { ...request, isBackground: true, onStart, onSilence: (wait) => task.fallSilent(wait) },
          { caller: context.caller, signal: task.signal },
        );
        return endOf(await running, request.timeoutMs, task, output !== undefined);
      } catch (thrown) {
        // The call is still waiting, so its result reports the failure, and the task is withdrawn.
        if (output === undefined && !isAnswered) {
          refusal = { thrown };
          task.withdraw();
        }
        throw thrown;
      } finally {
        timer.abort();
      }
    },
    context.caller,
  );
  await waitFor(shellNumbers.fileWaitMs, timer.signal, timers);
  isAnswered = true;
  if (refusal !== undefined) throw refusal.thrown;
  const result = started(taskId, output);
  if (request.isInteractive !== true || output === undefined || output.type !== undefined) return result;
  return { ...result, output: `${result.output}\nThe command has no terminal: this shell provides none.` };
}

/** Waits for a command. A command that runs longer than `waitMs` continues as a task. */
export async function runOrMove(
  shell: Shell,
  tasks: TaskManager,
  request: TimedRequest,
  waitMs: number,
  context: ToolContext,
  timers: Timers,
): Promise<ShellOutcome | ToolResult> {
  let output: ShellOutput | undefined;
  let isAwaited = true;
  const control = new AbortController();
  const timer = new AbortController();
  const unlisten = onAbort(context.signal, () => control.abort(context.signal.reason));
  const onStart = (started: ShellOutput) => {
    output = started;
  };
  try {
    const running = shell.run(
      { ...request, onStart, isAwaited: () => isAwaited },
      { caller: context.caller, signal: control.signal },
    );
    const late = waitFor(waitMs, timer.signal, timers);
    const outcome = await Promise.race([running, late]);
    if (outcome !== undefined) return outcome;
    isAwaited = false;
    const taskId = await moved(
      () =>
        tasks.start(
          request.command,
          async (task) => {
            if (output !== undefined) task.attach(output);
            task.signal.addEventListener('abort', () => control.abort(), { once: true });
            return endOf(await running, request.timeoutMs, task, output !== undefined);
          },
          context.caller,
        ),
      running,
      control,
    );
    const { output: text, ...rest } = started(taskId, output);
    return { output: `${text}\nThe command was not done after ${waitMs} ms and goes on in the background.`, ...rest };
  } finally {
    timer.abort();
    unlisten();
  }
}

/** Moves the command to a task. If that fails, ends the command and throws an error with its output. */
async function moved(start: () => string, running: Promise<ShellOutcome>, control: AbortController): Promise<string> {
  try {
    return start();
  } catch (thrown) {
    control.abort();
    const partialOutput = await running.then(
      ({ output }) => output,
      (ended: unknown) => ToolError.from(ended).partialOutput,
    );
    const { code, message } = ToolError.from(thrown);
    throw new ToolError(
      code,
      `The command was not done in time and was ended: it could not go on in the background. ${message}`,
      { cause: thrown, partialOutput },
    );
  }
}

function endOf(outcome: ShellOutcome, timeoutMs: number, task: TaskRun, isKept: boolean): TaskEnd {
  if (!isKept) task.write(outcome.output);
  const { output, timedOut } = outcome;
  const lines = timedOut ? [...stubbornLines(outcome.survivors), `[ended after ${timeoutMs} ms]`] : sideLines(outcome);
  if (lines.length > 0) task.write(`${output === '' || output.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`);
  // The note about the time limit already explains the signal.
  const signal = timedOut ? undefined : outcome.signal;
  return { failed: timedOut || outcome.exitCode !== 0, exitCode: outcome.exitCode, signal };
}

function started(taskId: string, output: ShellOutput | undefined): ToolResult {
  const lines = [`Task started: ${taskId}`, ...(output === undefined ? [] : [`Output: ${output.outputFile}`])];
  return { output: lines.join('\n'), metadata: { taskId, state: 'running', outputFile: output?.outputFile } };
}
