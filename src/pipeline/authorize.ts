import { uncovered } from '../access/rules/permission-rules.js';
import { suggestRules } from '../access/rules/suggest-rules.js';
import { targetsOf as fieldTargets } from '../access/rules/targets.js';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { isThenable } from '../core/support/is-thenable.js';
import type { Target, Tool, Verdict } from '../core/tool.js';
import type { PermissionDecision, PermissionRequest, Permissions } from '../host/permissions.js';
import type { PlanMode } from '../host/plan-mode.js';
import { displayWarnings, escapeLines } from '../text/display.js';
import { Announcement, maxReasonChars, show } from './announcement.js';
import { copyInput } from './input/read-input.js';
import { readRewrite } from './input/read-rewrite.js';
import { isOffered, whyNotOffered } from './is-offered.js';
import { judge } from './judge.js';
import type { PreparedCall } from './prepared-call.js';
import { proceed } from './proceed.js';
import { readDecision } from './read-decision.js';
import type { Run } from './run.js';
import { scrubText } from './scrub-result.js';

/**
 * Decides whether a call may run: the tool's own verdict, deny rules, plan mode, then permission. What could never run
 * is not queued. Throws the refusal; answers the input that permission put in place of the old one, if it did.
 */
export function authorize(prepared: PreparedCall, earlier: Earlier, run: Run): Rewrite | Promise<Rewrite> {
  return proceed(judge(prepared, run), (verdict) =>
    proceed(targetsOf(prepared, run), (targets) =>
      askPermission(prepared, describeRequest(prepared, targets, verdict, earlier, run), run),
    ),
  );
}

/** What became of the input of a call before it is decided, if anything did. */
export type Earlier = Pick<PermissionRequest, 'rewrittenBy' | 'wasAsked'>;

/** The input that permission put in place of the old one, if it did, and whether somebody was asked for it. */
interface Rewrite {
  readonly updatedInput?: unknown;
  readonly wasAsked?: boolean;
}

function isPlanned({ sideEffect }: Tool, run: Run): boolean {
  if (sideEffect === 'none' || sideEffect === 'readonly') return false;
  return planOf(run)?.isActive === true || run.settings.permissions.mode === 'plan';
}

function planOf({ settings: { planMode }, caller }: Run): PlanMode | undefined {
  return planMode?.of?.(caller) ?? planMode;
}

function queuedForPlan({ call, tool, input, title }: PreparedCall, run: Run): ToolError {
  planOf(run)?.add({ callId: call.id, tool: tool.name, input: copyInput(input.raw), title });
  return new ToolError(
    'queued_for_plan',
    `queued for plan approval: ${title}. It has not run; go on planning with read-only tools, then present the plan.`,
  );
}

/** Throws `not_allowed` for a tool that is disabled, or that the policy withholds from this caller. */
export function checkPolicy(tool: Tool, run: Run): void {
  const { registry, policy } = run.settings;
  if (registry.isDisabled(tool.name)) throw new ToolError('not_allowed', `${tool.name} is disabled. Use another tool.`);
  if (isOffered(policy, tool, run.caller)) return;
  const reason = whyNotOffered(policy, tool, run.caller);
  throw new ToolError('not_allowed', `${tool.name} is not available here: ${reason}. Use another tool.`);
}

/**
 * What the tool says it acts on; of one that does not say, what its fields say where it goes by the name of a built-in
 * tool.
 */
function targetsOf({ tool, input }: PreparedCall, run: Run): Targets | Promise<Targets> {
  const { places } = run.settings;
  return proceed(
    run.expect('The targets of the tool', (scope) => tool.targetsOf(input.parsed, scope)),
    (declared): Targets | Promise<Targets> => {
      // Where there is no workspace, permissions know from where relative paths are taken.
      if (places === undefined) return declared;
      const named = declared ?? fieldTargets({ targets: undefined, tool: tool.name, input: input.raw }, places.root);
      return named.some(isUnplaced)
        ? run.expect('The file system', (scope) => Promise.all(named.map((target) => place(target, run, scope))))
        : named;
    },
  );
}

type Targets = readonly Target[] | undefined;

/** Most calls are decided by a rule; only for the others is everything made that a person wants to see. */
function askPermission(prepared: PreparedCall, request: Draft, run: Run): Rewrite | Promise<Rewrite> {
  const decided = decideAtOnce(run.settings.permissions, request, run);
  if (decided?.behavior !== 'deny' && request.isPlanned === true) throw queuedForPlan(prepared, run);
  return decided === undefined ? consultPermission(prepared, request, run) : applyDecision(decided);
}

async function consultPermission(prepared: PreparedCall, request: Draft, run: Run): Promise<Rewrite> {
  const { permissions, limits } = run.settings;
  const announcement = new Announcement(request, run);
  let isPostponed = false;
  await describeForPeople(request, prepared, run);
  const outcome = await run.consult('Permission', limits.approval.timeoutMs, (scope) => {
    request.queued = () => run.pause(scope);
    request.announce = (reason) => {
      run.restart(scope);
      announcement.make(reason);
    };
    request.postpone = () => {
      isPostponed = true;
    };
    return permissions.check(request, scope);
  });
  const decision = outcome.kind === 'value' ? readDecision(outcome.value) : undefined;
  announcement.answer(decision);
  if (outcome.kind === 'stopped') {
    throw outcome.error.code === 'cancelled'
      ? outcome.error
      : new ToolError('permission_denied', `Permission was not given in time: ${outcome.error.message}.`);
  }
  if (outcome.kind === 'thrown') {
    throw new ToolError(
      'permission_denied',
      `Permission could not be asked: ${ToolError.from(outcome.thrown).message}`,
      {
        cause: outcome.thrown,
      },
    );
  }
  // Whatever those in front of them made of the answer.
  if (isPostponed) throw queuedForPlan(prepared, run);
  const rewrite = applyDecision(decision);
  return announcement.isMade ? { ...rewrite, wasAsked: true } : rewrite;
}

function decideAtOnce(permissions: Permissions, request: PermissionRequest, run: Run): PermissionDecision | undefined {
  try {
    const decided: unknown = permissions.decide?.(request, run.caller);
    if (isThenable(decided)) Promise.resolve(decided).catch(() => {});
    return readDecision(decided);
  } catch (thrown) {
    throw new ToolError('permission_denied', `Permission could not be decided: ${ToolError.from(thrown).message}`, {
      cause: thrown,
    });
  }
}

function applyDecision(decision: PermissionDecision | undefined): Rewrite {
  if (decision === undefined) {
    throw new ToolError(
      'permission_denied',
      'Permission gave no usable answer: { behavior: "allow" } or { behavior: "deny", message } is expected.',
    );
  }
  if (decision.behavior === 'allow') return rewriteOf(decision);
  throw new ToolError(
    'permission_denied',
    decision.message || 'Permission was denied. Do something else, or ask the user.',
    {
      interrupt: decision.interrupt ?? false,
    },
  );
}

const unchanged: Rewrite = Object.freeze({});

function rewriteOf({ updatedInput }: { readonly updatedInput?: unknown }): Rewrite {
  if (updatedInput === undefined) return unchanged;
  try {
    return { updatedInput: readRewrite(updatedInput) };
  } catch (cause) {
    throw new ToolError('permission_denied', `Permission gave no usable answer: ${ToolError.from(cause).message}.`, {
      cause,
    });
  }
}

const none: readonly string[] = Object.freeze([]);

/** A request that is still being written. */
type Draft = { -readonly [Key in keyof PermissionRequest]: PermissionRequest[Key] };

type FileTarget = Target & { readonly kind: 'read' | 'edit' };

/** A path that a tool named without looking where it leads, or to change it without saying whether it is inside. */
function isUnplaced(target: Target): target is FileTarget {
  if (target.kind === 'edit') return target.root === undefined || target.isInside === undefined;
  return target.kind === 'read' && target.root === undefined;
}

/** Rules are matched against real paths, whoever wrote the tool. A path that leads nowhere inside stays as it is. */
async function place(target: Target, run: Run, scope: CallScope): Promise<Target> {
  const { places } = run.settings;
  if (places === undefined || !isUnplaced(target)) return target;
  const path = await places.resolve(target.path, scope).catch(() => undefined);
  const isInside = path !== undefined;
  if (target.root !== undefined) return { ...target, isInside };
  return {
    kind: target.kind,
    path: path ?? target.path,
    given: target.given ?? target.path,
    root: places.root,
    isInside,
  };
}

function describeRequest(
  { call, tool, input, title }: PreparedCall,
  targets: Targets,
  verdict: Verdict | undefined,
  { rewrittenBy, wasAsked }: Earlier,
  run: Run,
): Draft {
  const { registry } = run.settings;
  return {
    callId: call.id,
    tool: tool.name,
    input: input.raw,
    sideEffect: tool.sideEffect,
    risk: tool.riskOf(input.parsed),
    title,
    preview: undefined,
    reason: undefined,
    warnings: none,
    suggestions: none,
    queued: undefined,
    announce: undefined,
    introduce: run.settings.introduce,
    targets,
    isCalled: (name) => name !== tool.name && registry.find(name) === tool,
    isPlanned: isPlanned(tool, run) || undefined,
    autoAllowed: registry.isAllowed(tool.name),
    display: undefined,
    mustAsk: verdict === undefined ? undefined : show(verdict.reason, run, maxReasonChars),
    rewrittenBy,
    wasAsked,
  };
}

async function describeForPeople(request: Draft, { tool, input }: PreparedCall, run: Run): Promise<void> {
  const preview = await run.expect('The preview of the tool', (scope) => tool.previewOf(input.parsed, scope));
  if (preview !== undefined) request.preview = escapeLines(scrubText(preview, run));
  request.display = (text) => show(text, run);
  request.input = copyInput(input.raw);
  request.warnings = displayWarnings(input.raw);
  request.reason = request.mustAsk ?? uncovered(request);
  request.suggestions = suggestionsFor(request);
}

/**
 * Targets of a tool that no rule could be made from leave a person without suggestions, not the call without an answer.
 */
function suggestionsFor(request: PermissionRequest): readonly string[] {
  try {
    return suggestRules(request);
  } catch {
    return none;
  }
}
