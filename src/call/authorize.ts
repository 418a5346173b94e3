import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../core/assessment.js';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Decision } from '../core/permission-question.js';
import { withHandledRejection } from '../core/support/check-values.js';
import type { Tool } from '../core/tool.js';
import { targetsOf as fieldTargets } from '../permissions/rule.js';
import { readDecision, wrongAnswer } from '../ports/parse-decision.js';
import type { PermissionRequest } from '../ports/permissions.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';
import { isOffered, whyNotOffered } from '../ports/policy.js';
import { type CallStage, CallWaits, type Consent, type PreparedCall } from './prepared-call.js';
import { describeForPeople, hostAnswer, maxReasonChars, putQuestion, questionOf, refused } from './put-question.js';
import { copyInput, readRewrite } from './read-input.js';
import type { Places } from './run-options.js';
import { scrubLine } from './scrub-and-cut.js';
import type { Run } from './turn-run.js';

/**
 * Decides whether a call may run. The tool's own verdict, deny rules, plan mode, permissions and the answer to a
 * permission question are applied in this order. Plan mode does not queue a call that a deny rule refuses. Throws the
 * refusal, or a {@link CallWaits} if the call needs an answer and the turn does not wait for one.
 */
export async function authorize(prepared: PreparedCall, run: Run): Promise<Consent> {
  const { places, permissions, hooks, rateLimiter } = run.settings;
  // Without a workspace, permissions resolve relative paths themselves.
  const targets = places === undefined ? prepared.assessment.targets : await targetsOf(prepared, places, run);
  const described = describeRequest(prepared, targets, run);
  const { version } = permissions;
  const decided = decideAtOnce(described, run);
  // During a wait, rules can change, and links can be changed to lead to other files (TOCTOU).
  const isWaiting = decided?.behavior !== 'allow' || hooks.before.length > 0 || rateLimiter !== undefined;
  const mayChange = (wanted: Target['kind']) => isWaiting && targets?.some(({ kind }) => kind === wanted) === true;
  const consent = (decision: Decision | undefined, decidedBy: string | undefined, wasAsked?: boolean): Consent => {
    const next = apply(decision, prepared, wasAsked);
    const checkAgain = () => {
      if (permissions.version !== decidedBy || mayChange('command')) {
        const now = decideAtOnce(described, run);
        if (now?.behavior === 'deny') throw refused(now);
        if (decided?.behavior === 'allow' && now?.behavior !== 'allow')
          throw new ToolError('file_changed', rulesChanged);
      }
      return targets !== undefined && mayChange('edit') ? assertSameFiles(prepared, targets, run) : undefined;
    };
    return { next, checkAgain };
  };
  if (decided?.behavior !== 'deny' && described.isPlanned === true) throw queuedForPlan(prepared, run);
  if (decided !== undefined && decided.behavior !== 'ask') return consent(decided, version);
  // A rule decides most calls. The preview and the warnings are made only for the other calls.
  const request = await describeForPeople(described, prepared, run);
  const checkedBy = permissions.version;
  const decision = decided ?? (await check(request, run));
  if (decision?.behavior !== 'ask') return consent(decision, checkedBy);
  const redecide = async (isQueued = false) => {
    const hasChanged = permissions.version !== version;
    if (!isQueued && !hasChanged) return undefined;
    return decideAtOnce(request, run) ?? (hasChanged ? await check(request, run) : undefined);
  };
  const question = await questionOf(prepared, request, decision.question, run);
  const answer = await putQuestion(request, question, redecide, run);
  if (answer !== undefined) return consent(answer.decision, permissions.version, answer.wasAsked);
  const { stage, input, assessment } = prepared;
  throw new CallWaits({ ...stage, input: input.raw, question }, assessment.footprint);
}

const rulesChanged =
  'The permission rules, or the files that the command names, changed since this call was decided. ' +
  'The call did not run. Call it again.';

/** Throws `file_changed` if a path of the call now leads to another file than at the decision. */
async function assertSameFiles(prepared: PreparedCall, decided: readonly Target[], run: Run): Promise<void> {
  const { tool, input, assessment: before } = prepared;
  const { places } = run.settings;
  const assessment = await run.expect('The assessment of the tool', (scope) => tool.assess(input.parsed, scope));
  const targets = places === undefined ? assessment.targets : await targetsOf({ ...prepared, assessment }, places, run);
  if (isDeepStrictEqual([targets, assessment.verdict], [decided, before.verdict])) return;
  const changed =
    'The workspace changed since this call was decided, so a path of the call may lead to another file now.';
  throw new ToolError('file_changed', `${changed} The call did not run. Call it again.`);
}

/** The request that rules are matched against. */
function describeRequest(prepared: PreparedCall, targets: readonly Target[] | undefined, run: Run): PermissionRequest {
  const { call, tool, input, assessment, title, stage } = prepared;
  const { registry, isApproved } = run.settings;
  const objection = objectionOf(prepared);
  return {
    callId: call.id,
    tool: tool.name,
    aliases: registry.aliasesOf(tool.name),
    mcp: tool.mcp,
    input: input.raw,
    sideEffect: tool.sideEffect,
    risk: assessment.risk,
    title,
    warnings: [],
    suggestions: [],
    targets,
    traits: tool.traits,
    autoAllowed: registry.isAllowed(tool.name),
    mustAsk: objection === undefined ? undefined : scrubLine(objection, run, maxReasonChars),
    isPlanned: isPlanned(tool, run) || undefined,
    isApproved,
    rewrittenBy: stage.rewrittenBy,
    wasAsked: stage.wasAsked,
  };
}

/**
 * The targets that the tool declares, with resolved paths. If the tool declares none but has the name or an alias of a
 * built-in tool, the targets are taken from the fields of the input. Otherwise the list is empty.
 */
async function targetsOf({ tool, input, assessment }: PreparedCall, places: Places, run: Run) {
  const named: readonly Target[] =
    assessment.targets ?? fieldTargets({ targets: undefined, tool: tool.name, input: input.raw }, places.root);
  if (!named.some(isUnresolved)) return named;
  return await run.expect('The file system', (scope) =>
    Promise.all(named.map((target) => resolveTarget(target, places, scope))),
  );
}

type FileTarget = Target & { readonly kind: 'read' | 'edit' };

function isUnresolved(target: Target): target is FileTarget {
  if (target.kind === 'edit') return target.root === undefined || target.isInside === undefined;
  return target.kind === 'read' && target.root === undefined;
}

/**
 * Resolves the path of a target, so that rules match real paths for custom tools too. A path outside the workspace
 * stays as it is.
 */
async function resolveTarget(target: Target, places: Places, scope: CallScope): Promise<Target> {
  if (!isUnresolved(target)) return target;
  const path = await places.resolve(target.path, scope).catch(() => undefined);
  const isInside = path !== undefined;
  if (target.root !== undefined) return { ...target, isInside };
  return { ...target, path: path ?? target.path, given: target.given ?? target.path, root: places.root, isInside };
}

/**
 * The reason why the tool's verdict requires a permission question; undefined if the verdict requires none. Throws
 * `command_denied` for a deny and for an invalid verdict, which may be a misspelt deny.
 */
function objectionOf({ assessment: { verdict } }: PreparedCall): string | undefined {
  if (verdict === undefined) return undefined;
  const { behavior, reason } = readDecision(verdict) ?? {};
  if (behavior === undefined || behavior === 'allow')
    throw blocked('the safety check of the tool gave no usable verdict');
  const said = reason?.trim() ? reason : 'no reason was given';
  if (behavior === 'deny') throw blocked(said);
  return said;
}

function blocked(reason: string): ToolError {
  return new ToolError('command_denied', `blocked by safety policy: ${reason}`);
}

/** Throws `not_allowed` for a tool that is disabled, or that the policy withholds from this caller. */
export function checkPolicy(tool: Tool, run: Run): void {
  const { registry, policy } = run.settings;
  if (registry.isDisabled(tool.name)) throw new ToolError('not_allowed', `${tool.name} is disabled. Use another tool.`);
  if (isOffered(policy, tool, run.caller)) return;
  const reason = whyNotOffered(policy, tool, run.caller);
  throw new ToolError('not_allowed', `${tool.name} is not available here: ${reason}. Use another tool.`);
}

function isPlanned({ sideEffect }: Tool, run: Run): boolean {
  if (sideEffect === 'none' || sideEffect === 'readonly') return false;
  const { permissions, isApproved } = run.settings;
  return planOf(run)?.isActive === true || (isApproved !== true && permissions.mode === 'plan');
}

function planOf({ settings: { planMode }, caller }: Run): PlanMode | undefined {
  return planMode?.of?.(caller) ?? planMode;
}

function queuedForPlan({ call, tool, input, title }: PreparedCall, run: Run): ToolError {
  const plan = planOf(run);
  const next = 'It has not run; go on planning with read-only tools, then present the plan.';
  // Without the option `planMode`, there is no queue for the call.
  if (plan === undefined)
    return new ToolError('permission_denied', `plan mode is on and stops this call: ${title}. ${next}`);
  if (run.approvals?.isRehearsal !== true)
    plan.add({ callId: call.id, tool: tool.name, input: copyInput(input.raw), title });
  return new ToolError('queued_for_plan', `queued for plan approval: ${title}. ${next}`);
}

/** The decision of `decide`; undefined if `check` has to decide. Throws a refusal for an invalid answer. */
function decideAtOnce(request: PermissionRequest, run: Run): Decision | undefined {
  let answer: unknown;
  try {
    answer = withHandledRejection(run.settings.permissions.decide?.(request, run.caller));
  } catch (thrown) {
    throw new ToolError('permission_denied', `Permission could not be decided: ${ToolError.from(thrown).message}`, {
      cause: thrown,
    });
  }
  const decision = readDecision(answer);
  if (answer === undefined || decision !== undefined) return decision;
  throw unusable(request.tool, 'decide must return a decision (not a promise), or undefined to let check decide');
}

async function check(request: PermissionRequest, run: Run): Promise<Decision | undefined> {
  const { permissions, limits } = run.settings;
  const isAnswered = permissions.onAsk !== undefined || run.approvals?.mayAnswer(request.callId) === true;
  const asked = isAnswered ? { ...request, mayAnswerAsk: true } : request;
  const outcome = await run.consult('Permission', limits.approval.timeoutMs, (scope) =>
    permissions.check(asked, scope),
  );
  return readDecision(hostAnswer(outcome));
}

/**
 * The stage at which an allowed call starts again with a rewritten input; undefined if the input is unchanged. Throws
 * the refusal of a call that is not allowed.
 */
function apply(
  decision: Decision | undefined,
  { tool, stage }: PreparedCall,
  wasAsked?: boolean,
): CallStage | undefined {
  if (decision?.behavior === 'deny') throw refused(decision);
  if (decision?.behavior !== 'allow')
    throw unusable(tool.name, 'answer { behavior: "allow" } or { behavior: "deny", message }, or a question');
  try {
    const input = readRewrite(decision.updatedInput);
    return input === undefined ? undefined : { ...stage, input, rewrittenBy: 'permission', wasAsked };
  } catch (cause) {
    throw unusable(tool.name, ToolError.from(cause).message, cause);
  }
}

function unusable(name: string, why: string, cause?: unknown): ToolError {
  const { reason } = wrongAnswer(name, `Permission gave no usable answer about ${name}: ${why}`);
  return new ToolError('permission_denied', reason, { cause });
}
