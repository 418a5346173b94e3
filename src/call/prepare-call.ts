import { isDeepStrictEqual } from 'node:util';
import type { CallAssessment, Footprint } from '../core/assessment.js';
import type { ToolCall } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import type { Tool } from '../core/tool.js';
import { allowed, denial } from '../ports/parse-decision.js';
import { isOffered } from '../ports/policy.js';
import { authorize, checkPolicy } from './authorize.js';
import { fireBefore } from './fire-hooks.js';
import { Approvals } from './given-answers.js';
import { conflict } from './in-flight.js';
import { type AcceptedInput, parseInput } from './parse-input.js';
import { type AuthorisedCall, type CallStage, CallWaits } from './prepared-call.js';
import { readInput } from './read-input.js';
import type { RunSettings } from './run-options.js';
import { scrubError, scrubLine, scrubTitle } from './scrub-and-cut.js';
import { type AnsweredTurn, Run } from './turn-run.js';

/**
 * Runs every stage that may ask, refuse or rewrite, in this order: find the tool, policy, parse, wait for earlier calls
 * that conflict, the tool's own verdict, deny rules, plan mode, permission, PreToolUse hooks. Calls are prepared one at
 * a time, so that prompts never overlap. Rejects with the refusal. If permission or a hook rewrites the input, the call
 * starts again at parsing, so that only an authorised input runs (TOCTOU).
 */
export function prepareCall(call: ToolCall, context: string[], run: Run, stage: CallStage): Promise<AuthorisedCall> {
  const admitted = admitCall(call, run, stage);
  // Hooks run once for a call, even if it waits afterwards.
  return stage.isAfterHooks === true || run.settings.hooks.before.length === 0
    ? admitted
    : withHooks(admitted, context, run);
}

/** {@link prepareCall} without hooks. */
function admitCall(call: ToolCall, run: Run, stage: CallStage): Promise<AuthorisedCall> {
  run.beginPreparation();
  return admit(call, undefined, stage, run);
}

/** Decides about a call without its hooks. The call does not run and is not queued, and no person is asked. */
export async function decideCall(
  call: ToolCall,
  settings: RunSettings,
  turn: AnsweredTurn,
): Promise<Decision<PermissionQuestion>> {
  const run = new Run(settings, { ...turn, approvals: new Approvals({ suspends: true, isRehearsal: true }) });
  try {
    await run.chooseRegistry(turn);
    if (run.settings.registry.hasPending) await run.makeReady();
    await admitCall(call, run, { input: call.input });
    return allowed;
  } catch (thrown) {
    if (thrown instanceof CallWaits && thrown.stage.question !== undefined)
      return { behavior: 'ask', question: thrown.stage.question };
    return denial(scrubError(ToolError.from(thrown), run).message);
  } finally {
    run.end();
  }
}

async function withHooks(admitted: Promise<AuthorisedCall>, context: string[], run: Run): Promise<AuthorisedCall> {
  const prepared = await admitted;
  const { updatedInput } = await fireBefore(prepared, context, run);
  if (updatedInput === undefined) return prepared;
  const rewritten = readInput(updatedInput, run.settings.limits.call);
  if (isDeepStrictEqual(rewritten, prepared.input.raw)) return prepared;
  const { call, tool, stage } = prepared;
  const { occurrence } = stage;
  return await admit(call, tool, { input: rewritten, rewrittenBy: 'hook', occurrence, isAfterHooks: true }, run);
}

/**
 * Finds the tool, then parses, waits and authorises. Repeats the last three steps after each rewrite by permission, up
 * to a limit.
 */
async function admit(call: ToolCall, known: Tool | undefined, from: CallStage, run: Run): Promise<AuthorisedCall> {
  run.assertLive();
  const found = known ?? knownTool(call.name, run);
  const tool = found !== undefined && found.init === undefined ? found : await findTool(call.name, run);
  // A tool with `init` is the stand-in for a tool that is not ready. The stand-in itself refuses the call, with the
  // reason.
  if (tool.init === undefined) checkPolicy(tool, run);
  const { maxRewrites } = run.settings.limits.call;
  // Copied only if necessary: the copy takes a third of the dispatch time of a small call.
  let stage: CallStage = from.question === undefined ? from : { ...from, question: undefined };
  let rewritten: unknown;
  for (let rewrites = 0; rewrites <= maxRewrites; rewrites++) {
    const input = await parseInput(tool, stage.input, run.settings.limits.call, (ask) =>
      run.expect('The schema of the tool', ask),
    );
    const assessment = await assessInTurn(tool, input, run, (footprint) => {
      if (run.waiting.some((other) => conflict(footprint, other))) throw new CallWaits(stage, footprint);
    });
    const title = scrubTitle(assessment.title, run);
    const { next, checkAgain } = await authorize({ call, stage, tool, input, assessment, title }, run);
    run.assertLive();
    const prepared = { call, stage, tool, input, assessment, title, checkAgain };
    if (next === undefined) return prepared;
    const wanted = readInput(next.input, run.settings.limits.call);
    // If permission returns the current input again, coerced or not, that is not a further rewrite.
    if (isDeepStrictEqual(wanted, input.raw) || isDeepStrictEqual(wanted, rewritten)) return prepared;
    rewritten = wanted;
    stage = { ...next, input: wanted };
  }
  throw new ToolError(
    'permission_denied',
    `Permission rewrote the input more than ${maxRewrites} times without allowing the call.`,
  );
}

const touchesAll: Footprint = Object.freeze({ reads: 'everything', writes: 'everything' });

/**
 * Assesses a call, waits until no running call conflicts with it, and assesses it again if a running call did conflict.
 * The wait comes before permission, so that a question shows the state in which the call will run. A failed assessment
 * is tried again after the running calls end, because these calls may remove the cause of the failure.
 */
async function assessInTurn(
  tool: Tool,
  input: AcceptedInput,
  run: Run,
  assertMayWait: (footprint: Footprint) => void,
): Promise<CallAssessment> {
  for (;;) {
    let assessment: CallAssessment | undefined;
    let failure: unknown;
    try {
      assessment = await run.expect('The assessment of the tool', (scope) => tool.assess(input.parsed, scope));
    } catch (thrown) {
      failure = thrown;
    }
    const { footprint } = assessment ?? { footprint: touchesAll };
    assertMayWait(footprint);
    if (run.inFlight.obstacle(footprint) !== undefined && (await waitForTurn(footprint, run))) continue;
    if (assessment === undefined) throw failure;
    return assessment;
  }
}

/** Waits until a call may run. Resolves with true if a running call conflicted with it. */
async function waitForTurn(footprint: Footprint, run: Run): Promise<boolean> {
  let hasConflict = false;
  const obstacle = () => run.inFlight.obstacle(footprint);
  for (let departure = obstacle(); departure !== undefined; departure = obstacle()) {
    hasConflict ||= run.inFlight.conflicts(footprint);
    await departure;
    run.assertLive();
  }
  return hasConflict;
}

/** The maximum lengths of an unknown name and of the resolver's reason in an error message. */
const maxNameChars = 100;
const maxReasonChars = 1_000;

/**
 * The tool of a call: by name, by alias, or by name in another letter case; undefined if the run does not know the tool
 * yet.
 */
function knownTool(name: string, run: Run): Tool | undefined {
  return run.settings.registry.find(name, run.tools) ?? run.resolved?.get(name);
}

/**
 * The tool of a call; runs its init function or the resolver if necessary. Throws an `unknown_tool` error that suggests
 * similar names.
 */
export async function findTool(name: string, run: Run): Promise<Tool> {
  const known = knownTool(name, run);
  if (known !== undefined) return known.init === undefined ? known : await makeTool(known, run);
  if (run.settings.toolResolver === undefined) throw unknownTool(name, run);
  return await resolveTool(name, run);
}

/**
 * Runs the init function of a tool again. Resolves with the tool. If the init function fails again, resolves with the
 * stand-in, which refuses calls with the reason.
 */
async function makeTool(standIn: Tool, run: Run): Promise<Tool> {
  await run.makeReady(standIn.name);
  return run.settings.registry.get(standIn.name) ?? standIn;
}

async function resolveTool(name: string, run: Run): Promise<Tool> {
  const { registry, toolResolver, limits } = run.settings;
  const outcome = await run.consult('The tool resolver', limits.resolver.timeoutMs, (scope) =>
    toolResolver?.(name, scope),
  );
  if (outcome.kind === 'stopped') {
    if (outcome.error.code === 'cancelled') throw outcome.error;
    throw unknownTool(name, run, outcome.error.message);
  }
  if (outcome.kind === 'thrown') {
    // If the tool is disabled, or if a retry may find it, the resolver's error stays; `unknown_tool` would be wrong.
    if (ToolError.is(outcome.thrown) && (outcome.thrown.retryable || outcome.thrown.code === 'not_allowed'))
      throw outcome.thrown;
    throw unknownTool(name, run, ToolError.from(outcome.thrown).message);
  }
  if (outcome.value === undefined || outcome.value === null) throw unknownTool(name, run);
  try {
    const { name: own } = outcome.value;
    if (own !== name && registry.get(own) !== undefined)
      throw new TypeError(`the resolver answered with ${own}, which is already registered`);
    // Another turn may have registered the tool meanwhile.
    if (registry.get(own) === undefined) registry.register(outcome.value);
  } catch (thrown) {
    throw unknownTool(name, run, ToolError.from(thrown).message);
  }
  if (registry.hasPending) await run.makeReady();
  const tool = registry.get(outcome.value.name) ?? outcome.value;
  run.resolved = new Map([...(run.resolved ?? []), [name, tool]]);
  return tool;
}

function unknownTool(name: string, run: Run, reason?: string): ToolError {
  const near = run.settings.registry.near(name).filter((candidate) => maySuggest(candidate, run));
  const hint =
    near.length > 0
      ? ` Did you mean ${near.map((candidate) => JSON.stringify(candidate)).join(' or ')}?`
      : ' Use one of the tools you were given.';
  // The model may have invented the name, so it is scrubbed.
  const why = reason === undefined ? '.' : ` (${scrubLine(reason, run, maxReasonChars)}).`;
  return new ToolError('unknown_tool', `unknown tool: ${scrubLine(name, run, maxNameChars)}${why}${hint}`);
}

/** Only tools that this caller may use are suggested. */
function maySuggest(name: string, run: Run): boolean {
  const { registry, policy } = run.settings;
  const tool = registry.get(name);
  return tool !== undefined && isOffered(policy, tool, run.caller);
}
