import { nobodyToAsk } from '../../access/nobody-to-ask.js';
import { promptsOf } from '../../access/prompt-queue.js';
import { readAnswer } from '../../access/read-answer.js';
import type { PermissionQuestion, PermissionVerdict } from '../../core/permission-question.js';
import type { PermissionDecision } from '../../host/permissions.js';
import type { Run } from '../run/run.js';
import { Announcement, maxReasonChars, show } from './announcement.js';
import type { Draft } from './describe-request.js';
import { hostAnswer } from './host-answer.js';
import { readDecision } from './read-decision.js';

/** What became of a question: a verdict, or nothing yet where it has to be answered elsewhere. */
export interface PutQuestion {
  readonly question: PermissionQuestion;
  readonly verdict?: PermissionVerdict | undefined;
  /** Whether a person was asked, or has answered before. */
  readonly wasAsked: boolean;
}

/**
 * Puts a question to whoever may answer: those who have answered it already, what judges before people, a later turn,
 * or a person now, when those before it are answered. `redecide` says what rules make of the call by then.
 */
export async function putQuestion(
  request: Draft,
  asked: Partial<PermissionQuestion>,
  redecide: () => PermissionDecision | undefined,
  run: Run,
): Promise<PutQuestion> {
  const { permissions, limits } = run.settings;
  const question = await questionOf(request, asked, run);
  const put = (verdict: PermissionVerdict | undefined, wasAsked = false) => ({ question, verdict, wasAsked });

  const given = run.approvals?.answerTo(question, request);
  if (given !== undefined) return put(accept(given, question, run), true);
  const judged = await classify(question, run);
  if (judged === 'allow') return put({ behavior: 'allow' });
  if (judged === 'deny') return put({ behavior: 'deny', message: `${question.reason} It was judged and not allowed.` });
  const announcement = new Announcement(question, run);
  if (run.approvals?.suspends === true) {
    if (!run.approvals.isRehearsal) announcement.make();
    return put(undefined);
  }
  const { onAsk } = permissions;
  if (onAsk === undefined) return put({ behavior: 'deny', message: nobodyToAsk(question) });

  request.reason = question.reason;
  request.suggestions = question.suggestions;
  const prompts = promptsOf(permissions);
  const { version } = permissions;
  let answer: unknown;
  const outcome = await run.consult('Permission', limits.approval.timeoutMs, (scope) => {
    const isQueued = prompts.isBusy(run.caller.sessionId);
    run.pause(scope);
    return prompts.add(scope, async (): Promise<PermissionVerdict | undefined> => {
      // An "always" that came in while this call waited may have decided it.
      const decided = isQueued || permissions.version !== version ? redecide() : undefined;
      if (decided !== undefined && decided.behavior !== 'ask') return decided;
      run.restart(scope);
      announcement.make();
      scope.signal.throwIfAborted();
      answer = await onAsk(request, scope);
      return readVerdict(readAnswer(answer, request.tool));
    });
  });
  const verdict = outcome.kind === 'value' ? outcome.value : undefined;
  announcement.answer(verdict);
  hostAnswer(outcome);
  if (answer === 'allow-always') permissions.remember?.(question.suggestions, run.caller.sessionId);
  return put(verdict ?? unusable, announcement.isMade);
}

const unusable: PermissionVerdict = {
  behavior: 'deny',
  message: 'Permission gave no usable answer: { behavior: "allow" } or { behavior: "deny", message } is expected.',
};

function readVerdict(answer: PermissionVerdict): PermissionVerdict | undefined {
  const decision = readDecision(answer);
  return decision?.behavior === 'ask' ? undefined : decision;
}

/** An answer that was given before: what it allows for always counts from now on. */
function accept(answer: unknown, question: PermissionQuestion, run: Run): PermissionVerdict {
  const announcement = new Announcement(question, run);
  const verdict = readVerdict(readAnswer(answer, question.tool));
  announcement.answer(verdict, 'elsewhere');
  if (answer === 'allow-always') run.settings.permissions.remember?.(question.suggestions, run.caller.sessionId);
  return verdict ?? unusable;
}

/** What judges before a person is asked; whatever goes wrong leaves it to them. */
async function classify(question: PermissionQuestion, run: Run): Promise<unknown> {
  const { permissions, limits } = run.settings;
  const judge = permissions.classify;
  // What a rule or the tool wants asked goes to a person, whoever brought the judge.
  if (judge === undefined || question.source !== 'mode') return undefined;
  const outcome = await run.consult('The judge of permissions', limits.approval.timeoutMs, (scope) =>
    judge(question, scope),
  );
  if (outcome.kind === 'stopped' && outcome.error.code === 'cancelled') throw outcome.error;
  return outcome.kind === 'value' ? outcome.value : undefined;
}

const sources: ReadonlySet<unknown> = new Set(['ask', 'deny', 'safety', 'mode']);

/** The question as it is shown: what permissions say of it is text like any other. */
async function questionOf(request: Draft, asked: Partial<PermissionQuestion>, run: Run): Promise<PermissionQuestion> {
  const { callId, tool, title, preview, risk, warnings, suggestions, input } = request;
  const { reason = request.reason ?? '', source, suggestions: wanted } = asked;
  const own = Array.isArray(wanted) && wanted.every((rule) => typeof rule === 'string' && show(rule, run) === rule);
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(JSON.stringify([run.settings.permissions.version, callId, tool, input]));
  return {
    id: `question_${hash.digest('hex').slice(0, 32)}`,
    callId,
    tool,
    title,
    ...(preview === undefined ? {} : { preview }),
    reason: show(String(reason), run, maxReasonChars),
    source: sources.has(source) ? (source as PermissionQuestion['source']) : 'mode',
    risk,
    warnings,
    suggestions: own ? wanted : suggestions,
  };
}
