import { uncovered } from '../../access/rules/permission-rules.js';
import { suggestRules } from '../../access/rules/suggest-rules.js';
import type { PermissionRequest } from '../../host/permissions.js';
import { displayWarnings, escapeLines } from '../../text/display.js';
import { copyInput } from '../input/read-input.js';
import type { PreparedCall } from '../run/prepared-call.js';
import type { Run } from '../run/run.js';
import { scrubText } from '../run/scrub-result.js';
import type { Earlier } from './call-waits.js';
import { maxReasonChars, show } from './question-events.js';
import type { Targets } from './targets-of.js';

const none: readonly string[] = Object.freeze([]);

/** What rules are matched against. */
export function describeRequest(
  { call, tool, input, assessment, title }: PreparedCall,
  targets: Targets,
  objection: string | undefined,
  { rewrittenBy, wasAsked }: Earlier,
  isPlanned: boolean,
  run: Run,
): PermissionRequest {
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
    targets,
    traits: tool.traits,
    autoAllowed: registry.isAllowed(tool.name),
    mustAsk: objection === undefined ? undefined : show(objection, run, maxReasonChars),
    isPlanned: isPlanned || undefined,
    isApproved,
    rewrittenBy,
    wasAsked,
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
    warnings: [...displayWarnings(input.raw), ...notes.map((note) => show(String(note), run, maxReasonChars))],
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
    return rules.every((rule) => show(rule, run) === rule) ? rules : none;
  } catch {
    return none;
  }
}
