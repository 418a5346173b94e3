import type { ToolCall } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { displayWarnings, escapeLines } from '../core/text/escape-for-people.js';
import { uncovered } from '../permissions/decide-by-rules.js';
import { askInTurn, hearAnswer, nobodyToAsk } from '../permissions/prompt-queue.js';
import { suggestRules } from '../permissions/suggest-rules.js';
import { denial, readDecision } from '../ports/parse-decision.js';
import type { PermissionRequest } from '../ports/permissions.js';
import { questionPrefix } from './given-answers.js';
import type { PreparedCall } from './prepared-call.js';
import { copyInput } from './read-input.js';
import { failureOf, type Outcome } from './run-with-deadline.js';
import { scrubLine, scrubText } from './scrub-and-cut.js';
import type { Run } from './turn-run.js';

/**
 * Settles a question with the first available answer: from the answers of the turn, from the classifier, or from a
 * person. People are asked one question at a time. A turn that may suspend asks nobody: it resolves with undefined, and
 * a later turn gets the answer. `redecide` applies rules that have changed meanwhile. Its argument `isQueued` tells
 * that the question was queued: an "always" answer to an earlier question may have added a rule. A new deny rule
 * overrides an allow answer.
 */
export async function putQuestion(
  request: PermissionRequest,
  question: PermissionQuestion,
  redecide: (isQueued?: boolean) => Promise<Decision | undefined>,
  run: Run,
): Promise<{ readonly decision: Decision; readonly wasAsked: boolean } | undefined> {
  const { permissions, limits } = run.settings;
  const { onAsk } = permissions;
  const settle = async (answer: unknown, wasAsked: boolean) => {
    const decision = await hearAnswer(permissions, question, answer, run.caller.sessionId, redecide);
    if (wasAsked) announceAnswer(question, decision, run);
    return { decision, wasAsked };
  };

  const given = run.approvals?.answerTo(question, request);
  if (given !== undefined) return await settle(given, true);
  const judged = await classify(question, run);
  if (judged?.behavior === 'allow') return await settle(judged, false);
  if (judged?.behavior === 'deny') {
    const reason = judged.reason || `${question.reason} The host's classifier denied it.`;
    return await settle({ ...judged, ...denial(reason) }, false);
  }
  if (run.approvals?.suspends === true) {
    if (!run.approvals.isRehearsal) announceQuestion(question, run);
    return undefined;
  }
  if (onAsk === undefined) return await settle(denial(nobodyToAsk(question)), false);
  const { reason, suggestions, title, agent } = question;
  const asked = { ...request, reason, suggestions, title, agent };
  let wasAsked = false;
  // The time limit for the answer of a person starts after the time in the queue.
  const waited = await run.consult('Permission', 0, (scope) =>
    askInTurn(permissions, scope, async (isQueued): Promise<Outcome<unknown>> => {
      const decided = await redecide(isQueued);
      if (decided !== undefined && decided.behavior !== 'ask') return { kind: 'value', value: decided };
      return await run.consult('Permission', limits.approval.timeoutMs, (asking) => {
        announceQuestion(question, run);
        wasAsked = true;
        // A listener may have ended the turn because of the announcement.
        scope.signal.throwIfAborted();
        return onAsk(asked, asking);
      });
    }),
  );
  const outcome = waited.kind === 'value' ? waited.value : waited;
  if (outcome.kind !== 'value' && wasAsked) announceAnswer(question, undefined, run);
  return await settle(hostAnswer(outcome), wasAsked);
}

/** The classifier's decision; undefined if it failed or gave no valid answer, so that a person is asked. */
async function classify(question: PermissionQuestion, run: Run): Promise<Decision | undefined> {
  const { permissions, limits } = run.settings;
  const judge = permissions.classify;
  // A question that a rule or the tool demands always goes to a person.
  if (judge === undefined || question.source !== 'mode') return undefined;
  const outcome = await run.consult('The permission classifier', limits.approval.timeoutMs, (scope) =>
    judge(question, scope),
  );
  if (outcome.kind === 'value') return readDecision(outcome.value, 'word or object');
  failureOf(outcome);
  return undefined;
}

/** Adds the preview, the warnings, the reason and the suggestions for a person. */
export async function describeForPeople(
  request: PermissionRequest,
  { input, assessment }: PreparedCall,
  run: Run,
): Promise<PermissionRequest> {
  const { preview: made = wholeInput(input.raw), notes = [] } = assessment;
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

/** The preview if the tool makes none: the whole input, because a person must see everything that is approved. */
function wholeInput(input: unknown): string | undefined {
  const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return Object.keys(Object(input)).length === 0 ? undefined : JSON.stringify(input, plain, 2);
}

/**
 * The rules to suggest. The list is empty if no rule can be made from the targets or if scrubbing would change a rule.
 */
function suggestionsFor(request: PermissionRequest, run: Run): readonly string[] {
  try {
    const rules = suggestRules(request);
    return rules.every((rule) => scrubLine(rule, run) === rule) ? rules : [];
  } catch {
    return [];
  }
}

/** The maximum length of a reason that is shown to a person. */
export const maxReasonChars = 1_000;
const sources: ReadonlySet<unknown> = new Set(['ask', 'deny', 'safety', 'mode']);

/**
 * The question as a person sees it, with scrubbed texts. The id of the question is a hash of everything that the answer
 * is about. An answer therefore never applies to another input, to the new target of a changed link, or under other
 * rules.
 */
export async function questionOf(
  { stage: { occurrence = 0 } }: PreparedCall,
  request: PermissionRequest,
  asked: Partial<PermissionQuestion>,
  run: Run,
): Promise<PermissionQuestion> {
  const { callId, tool, title, preview, risk, warnings, suggestions, input, targets } = request;
  const { reason: given = request.reason ?? '', suggestions: wanted } = asked;
  const own =
    Array.isArray(wanted) && wanted.every((rule) => typeof rule === 'string' && scrubLine(rule, run) === rule);
  const reason = scrubLine(String(given), run, maxReasonChars);
  // An `ask` decision without a valid source counts as the decision of an ask rule.
  const source = sources.has(asked.source) ? (asked.source as PermissionQuestion['source']) : 'ask';
  const agent = asked.agent && {
    id: scrubLine(asked.agent.id, run),
    description: scrubLine(asked.agent.description, run),
  };
  const { permissions, places } = run.settings;
  const about = [permissions.version, places?.root, run.caller.sessionId, callId, occurrence, tool, input];
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(JSON.stringify([...about, targets, source, reason, risk], bigIntAsText));
  return {
    id: `${questionPrefix}${hash.digest('hex').slice(0, 32)}`,
    callId,
    tool,
    title: agent === undefined ? title : `${title} (for ${agent.id}: ${agent.description})`,
    ...(preview === undefined ? {} : { preview }),
    reason,
    source,
    risk,
    warnings,
    suggestions: own ? wanted : suggestions,
    ...(agent === undefined ? {} : { agent }),
  };
}

/** JSON has no big integers, but the input of a program's call may contain them. */
function bigIntAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** Tells the listener the answer to a question. */
function announceAnswer(
  { callId, tool }: Pick<PermissionQuestion, 'callId' | 'tool'>,
  decision: Decision | undefined,
  run: Run,
): void {
  if (!run.hasListener) return;
  const behavior = decision?.behavior === 'allow' ? 'allow' : 'deny';
  const message = behavior === 'deny' && decision?.reason ? { message: scrubText(decision.reason, run) } : {};
  run.emit({ type: 'permission-decision', callId, name: tool, behavior, ...message });
}

/** Tells the listener that a question needs the answer of a person. */
function announceQuestion({ callId, tool, title, risk, reason }: PermissionQuestion, run: Run): void {
  if (run.hasListener) run.emit({ type: 'permission-ask', callId, name: tool, title, risk, reason });
}

export function refused({ reason, interrupt }: Extract<Decision, { readonly behavior: 'deny' }>): ToolError {
  const message = reason || 'Permission was denied. Do something else, or ask the user.';
  return new ToolError('permission_denied', message, { interrupt });
}

/** The answer of a host that was asked for permission. Throws a refusal if the host failed or was late. */
export function hostAnswer<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'value') return outcome.value;
  const { message } = failureOf(outcome);
  if (outcome.kind === 'thrown')
    throw new ToolError('permission_denied', `Permission could not be asked: ${message}`, { cause: outcome.thrown });
  const late = `${message}, so the call did not run. Go on without it, or ask the user.`;
  throw new ToolError('permission_denied', late);
}

/** Announces a refusal that was given before the turn started or resumed. Returns the error of the refusal. */
export function refusedEarlier(
  { id: callId, name: tool }: ToolCall,
  question: PermissionQuestion | undefined,
  refusal: Extract<Decision, { readonly behavior: 'deny' }>,
  run: Run,
): ToolError {
  announceAnswer(question ?? { callId, tool }, refusal, run);
  return refused(refusal);
}
