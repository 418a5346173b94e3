import type { CallScope } from '../core/context.js';
import type { ToolError } from '../core/error.js';
import type { ToolResult } from '../core/tool-result.js';
import type { Hook, PreToolUseEvent } from '../ports/hooks.js';
import { allowed, readDecision } from '../ports/parse-decision.js';

export interface HookOutcome {
  /** Undefined when a signal ended the command. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the commands of hooks in the folder `cwd`. */
export interface HookPrograms {
  readonly cwd: string;
  /** Ends the command when the signal aborts. Rejects if the command cannot be started. */
  readonly run: (command: string, input: string, scope: CallScope) => Promise<HookOutcome>;
}

/** The events for which a hook command can be configured. */
export type HookEventName = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure';

interface Event extends PreToolUseEvent {
  readonly result?: ToolResult;
  readonly error?: ToolError;
}

/**
 * Makes a hook from a shell command, in the protocol of Claude Code's hooks. The event is JSON on standard input. With
 * exit code 0, standard output may contain a JSON answer. With exit code 2, standard error is the reason of a deny or,
 * after the call, a text for the model. Any other exit is a failure of the hook.
 */
export function commandHook(name: HookEventName, command: string, { run, cwd }: HookPrograms): Hook<Event, object> {
  return async (event, scope) => {
    const outcome = await run(command, JSON.stringify(payload(name, event, cwd, scope)), scope);
    return readAnswer(name, outcome);
  };
}

function payload(
  name: HookEventName,
  { callId, tool, input, result, error }: Event,
  cwd: string,
  scope: CallScope,
): object {
  return {
    hook_event_name: name,
    session_id: scope.caller.sessionId,
    cwd,
    tool_name: tool,
    tool_input: input,
    tool_use_id: callId,
    ...(result === undefined ? {} : { tool_response: result }),
    ...(error === undefined ? {} : { error: error.message }),
  };
}

function readAnswer(name: HookEventName, { exitCode, stdout, stderr }: HookOutcome): object {
  const reason = stderr.trim();
  if (exitCode === 2)
    return name === 'PreToolUse'
      ? { decision: 'deny', reason: reason || 'the hook command gave no reason' }
      : { additionalContext: reason };
  if (exitCode !== 0)
    throw new Error(
      `the hook command ended with ${exitCode === undefined ? 'a signal' : `exit code ${exitCode}`}: ${reason || 'no message'}`,
    );
  const printed = printedAnswer(stdout) as Printed | undefined;
  // Output without an answer is meant for people.
  if (printed === undefined) return {};
  const { hookSpecificOutput: specific, continue: goOn } = printed;
  assertFields(name, printed, answerFields);
  if (specific !== undefined && specific !== null) assertFields(name, specific, specificFields);
  if (goOn !== undefined && typeof goOn !== 'boolean')
    throw new Error('continue in the answer of the hook command is not a boolean');
  return toAnswer(name, printed);
}

type Fields = Readonly<Record<string, unknown>>;
type Printed = Fields & { readonly hookSpecificOutput?: Fields | null };

const answerFields = [
  ...['behavior', 'decision', 'reason', 'updatedInput', 'additionalContext', 'updatedOutput', 'suppressOutput'],
  ...['continue', 'stopReason', 'systemMessage', 'hookSpecificOutput'],
  // Fields for terminals and schedulers. They have no effect here.
  ...['terminalTitle', 'terminalSequence', 'async', 'asyncTimeout'],
];
const specificFields = [
  ...['hookEventName', 'permissionDecision', 'permissionDecisionReason'],
  ...['updatedInput', 'additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput'],
];

/**
 * Before a call, any unknown field is an error, because it may be a misspelt deny. After a call, an unknown field is an
 * error only if the answer has no known field.
 */
function assertFields(name: HookEventName, answer: object, known: readonly string[]): void {
  if (Array.isArray(answer) || typeof answer !== 'object')
    throw new Error('the hook command answered with a value that is not an object of fields');
  const fields = Object.keys(answer);
  const unknown = fields.filter((field) => !known.includes(field));
  if (unknown.length > 0 && (name === 'PreToolUse' || unknown.length === fields.length))
    throw new Error(`the answer of the hook command has unknown fields: ${unknown.slice(0, 3).join(', ')}`);
}

/**
 * Maps the fields of this library and of Claude Code to an answer. A value of a wrong type stays as it is, so that the
 * check of hook answers refuses it.
 */
function toAnswer(name: HookEventName, printed: Printed): object {
  const specific = printed.hookSpecificOutput ?? {};
  const fields = {
    behavior: printed.behavior,
    decision: printed.continue === false ? 'deny' : printed.decision,
    permissionDecision: specific.permissionDecision,
    reason: specific.permissionDecisionReason ?? printed.reason ?? printed.stopReason,
    updatedInput: specific.updatedInput ?? printed.updatedInput,
    additionalContext: specific.additionalContext ?? printed.additionalContext,
    updatedOutput: specific.updatedToolOutput ?? printed.updatedOutput,
    suppressOutput: printed.suppressOutput,
  };
  const answer = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (name === 'PreToolUse' || (readDecision(answer) ?? allowed).behavior === 'allow') return answer;
  // The call has already run, so a deny only gives the model its reason.
  return { ...answer, additionalContext: [answer.additionalContext, answer.reason].filter(Boolean).join('\n') };
}

/**
 * The JSON object in the output of a hook command; undefined if there is none. Text for people may stand before the
 * object, and also after it, if it is on the line on which the object ends. Throws for an invalid output that may be
 * meant as an answer: a list, text or boolean in JSON, a broken object, or an object with lines after it.
 */
function printedAnswer(stdout: string): object | undefined {
  const text = stdout.trim();
  const whole = parsed(text);
  if (Array.isArray(whole) || typeof whole === 'string' || typeof whole === 'boolean') {
    throw new Error(
      `the hook command answered with ${Array.isArray(whole) ? 'a list' : typeof whole}, not an object of fields`,
    );
  }
  return typeof whole === 'object' && whole !== null ? whole : amongText(text);
}

/**
 * The answer in an output that also has text for people. The answer begins at the first `{` before a quoted field name.
 * If the text from there to the last `}` is not a valid object, or if lines follow it, the function throws.
 */
function amongText(text: string): object | undefined {
  const opening = /\{\s*"/.exec(text);
  if (opening === null && !text.startsWith('{')) return undefined;
  const end = text.lastIndexOf('}') + 1;
  const answer = text.includes('\n', end) ? undefined : parsed(text.slice(opening?.index, end));
  if (typeof answer === 'object' && answer !== null) return answer;
  throw new Error('the hook command printed an answer that is not valid JSON, or lines after the answer');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
