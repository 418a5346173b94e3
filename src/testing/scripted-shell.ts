import { ToolError } from '../core/error.js';
import { argumentMistake, assertKnownKeys, isRecord, kindName } from '../core/support/check-values.js';
import { waitFor } from '../core/support/timers.js';
import type { Shell, ShellOutcome, ShellRequest } from '../ports/shell.js';

/**
 * The output of a command, parts of its outcome, an error, or `hangs`: the command runs until its abort or time limit.
 */
export type ScriptedOutcome = string | Partial<ShellOutcome> | Error | 'hangs';

/** A shell that starts no process and records its requests. */
export interface ScriptedShell extends Shell {
  readonly requests: readonly ShellRequest[];
}

/**
 * Makes a shell for tests from outcomes by command, or from a function. A command without an outcome is not found (exit
 * code 127).
 */
export function scriptedShell(
  script: Readonly<Record<string, ScriptedOutcome>> | ((request: ShellRequest) => ScriptedOutcome | undefined),
): ScriptedShell {
  const takes = 'scriptedShell takes a function, or outcomes (text, parts of an outcome, an error) by command';
  if (typeof script !== 'function' && !(isRecord(script) && Object.values(script).every(isOutcome)))
    throw argumentMistake(takes, kindName(script), "scriptedShell({ 'npm test': { exitCode: 1 } })");
  if (typeof script !== 'function') Object.values(script).forEach(assertParts);
  const requests: ShellRequest[] = [];
  const outcomeOf = (request: ShellRequest) =>
    typeof script === 'function'
      ? script(request)
      : Object.hasOwn(script, request.command)
        ? script[request.command]
        : undefined;
  return {
    requests,
    async run(request, { signal }) {
      if (signal.aborted) throw new ToolError('cancelled', 'The command was cancelled before it started.');
      requests.push(request);
      const scripted = outcomeOf(request) ?? { exitCode: 127, output: `sh: ${request.command}: not found` };
      assertParts(scripted);
      if (scripted instanceof Error) throw scripted;
      const parts = scripted === 'hangs' ? await hang(request, signal) : scripted;
      const outcome = complete(typeof parts === 'string' ? { output: parts } : parts);
      request.onOutput?.(outcome.output, outcome.output);
      return outcome;
    },
  };
}

const partNames =
  'exitCode signal output outputFile stdout stderr errorFile truncated timedOut timeLimitMs survivors sandbox note';
const parts = Object.fromEntries(partNames.split(' ').map((name) => [name, true]));

function assertParts(outcome: ScriptedOutcome): void {
  if (typeof outcome === 'object' && !(outcome instanceof Error))
    assertKnownKeys('scriptedShell outcome', outcome, parts);
}

const isOutcome = (value: unknown) => typeof value === 'string' || isRecord(value);

function complete(parts: Partial<ShellOutcome>): ShellOutcome {
  return {
    exitCode: parts.signal === undefined && parts.timedOut !== true ? 0 : undefined,
    signal: undefined,
    output: `${parts.stdout ?? ''}${parts.stderr ?? ''}`,
    outputFile: '/dev/null',
    truncated: false,
    timedOut: false,
    survivors: [],
    ...parts,
  };
}

async function hang({ timeoutMs }: ShellRequest, signal: AbortSignal): Promise<Partial<ShellOutcome>> {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await (timeoutMs === undefined ? aborted : waitFor(timeoutMs, signal));
  if (signal.aborted) throw new ToolError('interrupted', 'The command was interrupted.');
  return { timedOut: true, signal: 'SIGKILL' };
}
