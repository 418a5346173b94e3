import { nobodyToAsk } from '../../access/nobody-to-ask.js';
import { promptsOf } from '../../access/prompt-queue.js';
import { heardAnswer, wrongAnswer } from '../../access/read-answer.js';
import type { PermissionQuestion, PermissionVerdict } from '../../core/permission-question.js';
import type { PermissionDecision } from '../../host/permissions.js';
import type { Run } from '../run/run.js';
import type { Draft } from './describe-request.js';
import { hostAnswer } from './host-answer.js';
import { QuestionEvents } from './question-events.js';
import { readDecision } from './read-decision.js';

/** What became of a question: a verdict, or nothing yet where it has to be answered elsewhere. */
export interface PutQuestion {
  readonly verdict?: PermissionVerdict | undefined;
  /** Whether a person was asked, or has answered before. */
  readonly wasAsked: boolean;
}

/** How what rules make of a call is asked again, where they may have changed since it was decided. */
export interface Redecision {
  /** That of the permissions when they decided. */
  readonly version: string | undefined;
  readonly redecide: () => Promise<PermissionDecision | undefined>;
}

/**
 * Puts a question to whoever may answer: those who have answered it already, what judges before people, a later turn,
 * or a person now, when those before it are answered. A rule that denies the call by then is above every yes.
 */
export async function putQuestion(
  request: Draft,
  question: PermissionQuestion,
  { version, redecide }: Redecision,
  run: Run,
): Promise<PutQuestion> {
  const { permissions, limits } = run.settings;
  const events = new QuestionEvents(question, run);
  const decide = async (answer: unknown, wasAsked: boolean): Promise<PutQuestion> => {
    const { tool } = question;
    const heard = readVerdict(heardAnswer(answer, tool)) ?? wrongAnswer(tool, `An answer about ${tool} cannot be read`);
    const verdict = await upheld(heard);
    if (wasAsked) events.answer(verdict, 'elsewhere');
    if (answer === 'allow-always' && verdict.behavior === 'allow')
      permissions.remember?.(question.suggestions, run.caller.sessionId);
    return { verdict, wasAsked };
  };
  const upheld = async (verdict: PermissionVerdict): Promise<PermissionVerdict> => {
    if (verdict.behavior === 'deny' || permissions.version === version) return verdict;
    const decided = await redecide();
    return decided?.behavior === 'deny' ? decided : verdict;
  };

  const given = run.approvals?.answerTo(question, request);
  if (given !== undefined) return await decide(given, true);
  const judged = await classify(question, run);
  if (judged === 'allow') return await decide({ behavior: 'allow' }, false);
  if (judged === 'deny')
    return await decide({ behavior: 'deny', message: `${question.reason} It was judged and not allowed.` }, false);
  if (run.approvals?.suspends === true) {
    if (!run.approvals.isRehearsal) events.make();
    return { verdict: undefined, wasAsked: false };
  }
  const { onAsk } = permissions;
  if (onAsk === undefined) return await decide({ behavior: 'deny', message: nobodyToAsk(question) }, false);

  request.reason = question.reason;
  request.suggestions = question.suggestions;
  request.title = question.title;
  request.agent = question.agent;
  const prompts = promptsOf(permissions);
  const outcome = await run.consult('Permission', limits.approval.timeoutMs, (scope) => {
    const isQueued = prompts.isBusy(run.caller.sessionId);
    run.pause(scope);
    return prompts.add(scope, async (): Promise<unknown> => {
      // An "always" that came in while this call waited may have decided it.
      const decided = isQueued || permissions.version !== version ? await redecide() : undefined;
      if (decided !== undefined && decided.behavior !== 'ask') return decided;
      run.restart(scope);
      events.make();
      scope.signal.throwIfAborted();
      return await onAsk(request, scope);
    });
  });
  if (outcome.kind !== 'value') events.answer(undefined);
  return await decide(hostAnswer(outcome), events.isMade);
}

function readVerdict(answer: PermissionVerdict): PermissionVerdict | undefined {
  const decision = readDecision(answer);
  return decision?.behavior === 'ask' ? undefined : decision;
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
