import type { CallScope } from '../core/context.js';
import { displayWarnings, escapeLines } from '../core/text/display.js';
import type { Target } from '../core/tool.js';
import { uncovered } from '../permissions/rules/permission-rules.js';
import { targetsOf as fieldTargets } from '../permissions/rules/rule.js';
import { suggestRules } from '../permissions/rules/suggest-rules.js';
import type { PermissionRequest } from '../ports/permissions.js';
import { copyInput } from './input/read-input.js';
import type { PreparedCall } from './run/prepared-call.js';
import type { Run } from './run/run.js';
import { scrubLine, scrubText } from './run/scrub-result.js';

/** Of what a tool says to a person. */
const maxReasonChars = 1_000;
const none: readonly string[] = Object.freeze([]);

/** What rules are matched against. */
export async function describeRequest(
  prepared: PreparedCall,
  objection: string | undefined,
  isPlanned: boolean,
  run: Run,
): Promise<PermissionRequest> {
  const { call, tool, input, assessment, title, stage } = prepared;
  const { registry, isApproved } = run.settings;
  return {
    callId: call.id,
    tool: tool.name,
    aliases: registry.aliasesOf(tool.name),
    mcp: tool.mcp,
    input: input.raw,
    sideEffect: tool.sideEffect,
    risk: assessment.risk,
    title,
    warnings: none,
    suggestions: none,
    targets: await targetsOf(prepared, run),
    traits: tool.traits,
    autoAllowed: registry.isAllowed(tool.name),
    mustAsk: objection === undefined ? undefined : scrubLine(objection, run, maxReasonChars),
    isPlanned: isPlanned || undefined,
    isApproved,
    rewrittenBy: stage.rewrittenBy,
    wasAsked: stage.wasAsked,
  };
}

/** Adds what a person wants to see. */
export async function describeForPeople(
  request: PermissionRequest,
  { input, assessment }: PreparedCall,
  run: Run,
): Promise<PermissionRequest> {
  const { preview: made, notes = none } = assessment;
  const preview = typeof made === 'function' ? await run.expect('The preview of the tool', made) : made;
  return {
    ...request,
    preview: preview === undefined ? undefined : escapeLines(scrubText(preview, run)),
    input: copyInput(input.raw),
    warnings: [...displayWarnings(input.raw), ...notes.map((note) => scrubLine(String(note), run, maxReasonChars))],
    reason: request.mustAsk ?? uncovered(request),
    suggestions: suggestionsFor(request, run),
  };
}

/**
 * Targets of a tool that no rule could be made from leave a person without suggestions, not the call without an answer;
 * so do rules that cannot be shown as they are.
 */
function suggestionsFor(request: PermissionRequest, run: Run): readonly string[] {
  try {
    const rules = suggestRules(request);
    return rules.every((rule) => scrubLine(rule, run) === rule) ? rules : none;
  } catch {
    return none;
  }
}

/**
 * What the tool says it acts on; of one that does not say, what its fields say where it goes by the name of a built-in
 * tool. Undefined where neither says.
 */
async function targetsOf({ tool, input, assessment }: PreparedCall, run: Run): Promise<readonly Target[] | undefined> {
  const { places } = run.settings;
  const { targets: declared } = assessment;
  // Where there is no workspace, permissions know from where relative paths are taken.
  if (places === undefined) return declared;
  const named = declared ?? fieldTargets({ targets: undefined, tool: tool.name, input: input.raw }, places.root);
  if (!named.some(isUnplaced)) return named;
  return await run.expect('The file system', (scope) => Promise.all(named.map((target) => place(target, run, scope))));
}

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
