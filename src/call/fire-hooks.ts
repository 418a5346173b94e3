import type { Footprint, Touched } from '../core/assessment.js';
import { isErrorCode, ToolError } from '../core/error.js';
import type { Decision } from '../core/permission-question.js';
import { didYouMean } from '../core/support/near-names.js';
import type { Tool } from '../core/tool.js';
import type { ToolResult } from '../core/tool-result.js';
import type {
  PostToolUseAnswer,
  PostToolUseEvent,
  PostToolUseFailureEvent,
  PreToolUseAnswer,
  PreToolUseEvent,
} from '../ports/hooks.js';
import { allowed, readDecision } from '../ports/parse-decision.js';
import type { CompiledHook } from './compile-hooks.js';
import { parseInput } from './parse-input.js';
import type { PreparedCall } from './prepared-call.js';
import { copyInput, isPlainObject, readRewrite } from './read-input.js';
import { scrubText } from './scrub-and-cut.js';
import type { Run } from './turn-run.js';

/**
 * Runs the PreToolUse hooks in order. Each hook gets the input that the previous hook left. The texts of hooks for the
 * model are added to `context`. A deny throws an error with the code that the answer names, or with `denied_by_hook`.
 * By default, a hook that fails also denies the call. Resolves with the rewritten input, if a hook rewrote it.
 */
export async function fireBefore(
  prepared: PreparedCall,
  context: string[],
  run: Run,
): Promise<{ readonly updatedInput?: unknown }> {
  const { tool } = prepared;
  let event = eventOf(prepared);
  let isRewritten = false;
  let isStale = false;
  for (const hook of run.settings.hooks.before) {
    if (!hook.matches(tool.name, run.settings.registry)) continue;
    if (isStale) event = { ...event, footprint: await footprintOf(tool, event.input, run) };
    isStale = false;
    const asked = { ...event, input: copyInput(event.input) };
    const { decision, code, updatedInput } = await askHook(hook, asked, context, run, 'before');
    // Permission was decided before the hooks run, so a hook that answers `ask` denies the call.
    if (decision.behavior !== 'allow') {
      const why = decision.reason?.trim() || 'no reason was given';
      throw code === undefined ? deniedByHook(why) : new ToolError(code, why);
    }
    if (updatedInput === undefined) continue;
    event = { ...event, input: updatedInput };
    isRewritten = isStale = true;
  }
  return isRewritten ? { updatedInput: event.input } : {};
}

/** A result after the PostToolUse hooks, scrubbed. */
export interface AfterOutcome {
  readonly output: string;
  readonly isSuppressed: boolean;
}

/**
 * Runs the PostToolUse hooks in order. Each hook gets the result that the previous hook left, scrubbed again. A hook
 * that fails changes nothing, because the tool has run and its result must not be lost.
 */
export async function fireAfter(
  prepared: PreparedCall,
  result: ToolResult,
  context: string[],
  run: Run,
): Promise<AfterOutcome> {
  const { tool, input } = prepared;
  let isSuppressed = false;
  let event: PostToolUseEvent = { ...eventOf(prepared), result };
  for (const hook of run.settings.hooks.after) {
    if (!hook.matches(tool.name, run.settings.registry)) continue;
    const asked = { ...event, input: copyInput(input.raw), result: structuredClone(event.result) };
    const { updatedOutput, suppressOutput } = await askHook(hook, asked, context, run, 'after');
    if (suppressOutput === true) isSuppressed = true;
    if (updatedOutput !== undefined)
      event = { ...event, result: { ...event.result, output: scrubText(updatedOutput, run) } };
  }
  return { output: event.result.output, isSuppressed };
}

export async function fireAfterFailure(
  prepared: PreparedCall,
  error: ToolError,
  context: string[],
  run: Run,
): Promise<void> {
  const { tool, input } = prepared;
  for (const hook of run.settings.hooks.afterFailure) {
    if (!hook.matches(tool.name, run.settings.registry)) continue;
    const event: PostToolUseFailureEvent = { ...eventOf(prepared), input: copyInput(input.raw), error };
    await askHook(hook, event, context, run, 'after');
  }
}

function eventOf({ call, tool, input, assessment: { footprint } }: PreparedCall): PreToolUseEvent {
  const event = { callId: call.id, tool: tool.name, input: input.raw, footprint: frozen(footprint) };
  return tool.traits === undefined ? event : { ...event, traits: tool.traits };
}

interface HookAnswer extends Pick<PreToolUseAnswer, 'code' | 'updatedInput'>, PostToolUseAnswer {
  readonly decision: Decision;
}

/**
 * Asks a hook, and adds its text for the model to `context`. By default, a PreToolUse hook that fails denies the call.
 * Any other failure counts as an empty answer.
 */
async function askHook<Event>(
  { hook, timeoutMs }: CompiledHook<Event>,
  event: Event,
  context: string[],
  run: Run,
  when: 'before' | 'after',
): Promise<HookAnswer> {
  const outcome = await run.consult('The hook', timeoutMs, (scope) => hook(event, scope), when);
  if (when === 'before') run.assertLive();
  try {
    if (outcome.kind !== 'value') throw outcome.kind === 'thrown' ? outcome.thrown : outcome.error;
    const said = readAnswer(outcome.value, when);
    if (said.additionalContext !== undefined) context.push(said.additionalContext);
    return said;
  } catch (thrown) {
    if (when === 'before' && run.settings.hooks.denyOnError)
      throw deniedByHook(`the hook failed: ${ToolError.from(thrown).message}`);
    return { decision: allowed };
  }
}

const answerFields = [
  'behavior',
  'decision',
  'permissionDecision',
  'reason',
  'code',
  'updatedInput',
  'additionalContext',
  'updatedOutput',
  'suppressOutput',
];

/**
 * Reads each field of an answer once, since a foreign object may change or throw when it is read. Before a call an
 * unknown field is an error, because it may be a misspelt deny. Throws a TypeError for an invalid answer.
 */
function readAnswer(answer: unknown, when: 'before' | 'after'): HookAnswer {
  if (answer === undefined || answer === null) return { decision: allowed };
  if (!isPlainObject(answer)) throw new TypeError('its answer is not a plain object');
  const unknown = when === 'before' ? Object.keys(answer).find((field) => !answerFields.includes(field)) : undefined;
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.slice(0, 60));
    const near = didYouMean(unknown, answerFields) || ` Known fields: ${answerFields.join(', ')}.`;
    throw new TypeError(`its answer has an unknown field ${shown}.${near}`);
  }
  const { behavior, decision: older, permissionDecision, reason, code, ...rest } = answer;
  const { additionalContext, updatedOutput, suppressOutput } = rest;
  const updatedInput = readRewrite(rest.updatedInput);
  const said = [behavior, older, permissionDecision].some((word) => word !== undefined);
  const decision = said ? readDecision({ behavior, decision: older, permissionDecision, reason }) : allowed;
  if (suppressOutput !== undefined && typeof suppressOutput !== 'boolean')
    throw new TypeError('its suppressOutput is not a boolean');
  if (when === 'before' && code !== undefined) {
    if (!isErrorCode(code)) throw new TypeError('its code is not a text in snake_case');
    if (decision?.behavior !== 'deny') throw new TypeError('its code is valid only with behavior: "deny"');
  }
  const texts = { reason, additionalContext, updatedOutput };
  const wrong = Object.entries(texts).find(([, text]) => text !== undefined && typeof text !== 'string');
  if (wrong !== undefined) throw new TypeError(`its ${wrong[0]} is not a text`);
  if (decision === undefined) throw new TypeError('its decision is neither "allow" nor "deny"');
  return { decision, code, updatedInput, additionalContext, updatedOutput, suppressOutput } as HookAnswer;
}

/**
 * The footprint of an input that a hook has rewritten: `nothing` if the tool rejects the input, because the call then
 * does not run; `everything` if the footprint cannot be determined.
 */
async function footprintOf(tool: Tool, input: unknown, run: Run): Promise<Footprint> {
  try {
    const accepted = await parseInput(tool, input, run.settings.limits.call, (ask) =>
      run.expect('The schema of the tool', ask),
    );
    const { footprint } = await run.expect('The assessment of the tool', (scope) =>
      tool.assess(accepted.parsed, scope),
    );
    return frozen(footprint);
  } catch (thrown) {
    const touched = ToolError.is(thrown) && thrown.code === 'invalid_input' ? 'nothing' : 'everything';
    return { reads: touched, writes: touched };
  }
}

/** A frozen copy for hooks, so that they cannot change the footprint that the pipeline uses. */
function frozen({ reads, writes }: Footprint): Footprint {
  return Object.freeze({ reads: frozenKeys(reads), writes: frozenKeys(writes) });
}

function frozenKeys(touched: Touched): Touched {
  return typeof touched === 'string' ? touched : Object.freeze([...touched]);
}

function deniedByHook(reason: string): ToolError {
  return new ToolError('denied_by_hook', `denied by hook: ${reason}`);
}
