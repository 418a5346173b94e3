import { CallContext, type ProgressUpdate } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Tool, ToolResult } from '../core/tool.js';
import { toToolResult } from '../core/tool-result.js';
import { escapeLine } from '../text/display.js';
import { copyForTool } from './input/copy-for-tool.js';
import type { PreparedCall } from './run/prepared-call.js';
import type { Run } from './run/run.js';
import { scrubText, scrubValue } from './run/scrub-result.js';
import type { Outcome } from './run/supervisor.js';

/** What became of an execution. */
export type Executed =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly error: ToolError };

/**
 * Runs the tool once, under abort and deadline. Never throws, and always answers, even for a tool that ignores its
 * signal. A tool gets the input itself only where nobody needs it afterwards.
 */
export async function executeOnce({ call, tool, input }: PreparedCall, run: Run): Promise<Executed> {
  const progress = run.hasListener ? new Progress(call.id, tool.name, run) : undefined;
  const given = isUsedAgain(tool, run) ? copyForTool(input.parsed) : input.parsed;
  const outcome = await run.work(tool.timeoutMs ?? run.settings.limits.call.timeoutMs, (scope) =>
    tool.execute(given, new CallContext(call.id, call.name, scope, progress?.send)),
  );
  progress?.close();
  return executed(outcome, tool.name, run);
}

/** Whether an input is tried again, recorded or shown after the tool had it, which may have changed it by then. */
function isUsedAgain(tool: Tool, { settings: { retry, deadLetters, hooks } }: Run): boolean {
  if (deadLetters !== undefined || hooks.after.length > 0 || hooks.afterFailure.length > 0) return true;
  return retry.maxAttempts > 1 && tool.idempotent;
}

function executed(outcome: Outcome<ToolResult>, name: string, run: Run): Executed {
  if (outcome.kind === 'value') return resultOf(name, outcome.value);
  if (outcome.kind === 'thrown') return { ok: false, error: thrownBy(outcome.thrown, run) };
  return { ok: false, error: withLate(outcome.error, outcome.late, name, run) };
}

function resultOf(name: string, value: unknown): Executed {
  try {
    return { ok: true, result: toToolResult(name, value) };
  } catch (thrown) {
    return { ok: false, error: ToolError.from(thrown) };
  }
}

function thrownBy(thrown: unknown, run: Run): ToolError {
  const error = ToolError.from(thrown);
  // An AbortError of the tool's own making is a failure; only the run decides that it was interrupted.
  return error.code === 'interrupted' && !ToolError.is(thrown) && !run.interrupted
    ? new ToolError('execution_failed', error.message, { cause: thrown })
    : error;
}

/** A stopped call keeps what the tool could still say while it cleaned up. */
function withLate(error: ToolError, late: Outcome<ToolResult> | undefined, name: string, run: Run): ToolError {
  if (late?.kind === 'thrown') {
    const { partialOutput, metadata } = thrownBy(late.thrown, run);
    return error.with(error.message, {
      ...(partialOutput === undefined ? {} : { partialOutput }),
      ...(metadata === undefined ? {} : { metadata }),
    });
  }
  if (late?.kind !== 'value') return error;
  const executedLate = resultOf(name, late.value);
  return executedLate.ok ? error.with(error.message, { partialOutput: executedLate.result.output }) : error;
}

/** Progress of one call on its way to the listener, until the call has ended. */
class Progress {
  readonly #callId: string;
  readonly #name: string;
  readonly #run: Run;
  #isOpen = true;

  constructor(callId: string, name: string, run: Run) {
    this.#callId = callId;
    this.#name = name;
    this.#run = run;
  }

  readonly send = (update: ProgressUpdate): void => {
    const run = this.#run;
    if (!this.#isOpen || typeof update !== 'object' || update === null) return;
    const { title, metadata } = update;
    run.emit({
      type: 'tool-progress',
      callId: this.#callId,
      name: this.#name,
      ...(title === undefined
        ? {}
        : { title: escapeLine(scrubText(String(title), run), run.settings.limits.approval.maxTitleChars) }),
      ...(metadata === undefined ? {} : { metadata: scrubValue(metadata, run) }),
    });
  };

  close(): void {
    this.#isOpen = false;
  }
}
