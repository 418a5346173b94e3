import { nobodyToAsk } from '../../access/nobody-to-ask.js';
import { askPerson } from '../../access/prompt-queue.js';
import { denial, heardAnswer, readDecision, type Settled } from '../../access/read-decision.js';
import type { Decision, PermissionQuestion } from '../../core/permission-question.js';
import type { PermissionRequest } from '../../host/permissions.js';
import type { Run } from '../run/run.js';
import { announceAnswer, announceQuestion } from './question-events.js';
import { hostAnswer } from './refusals.js';

/**
 * Puts a question to whoever may answer: those who have answered it already, what judges before people, a later turn,
 * or a person now, when those before it are answered. Answers no decision where that is for a later turn. `redecide`
 * says what rules make of the call where they may have changed meanwhile, `isQueued` by an "always" that came in while
 * it waited; one that denies it by then is above every yes.
 */
export async function putQuestion(
  request: PermissionRequest,
  question: PermissionQuestion,
  redecide: (isQueued?: boolean) => Promise<Decision | undefined>,
  run: Run,
): Promise<{ readonly decision?: Settled; readonly wasAsked: boolean }> {
  const { permissions, limits } = run.settings;
  const asking = { isMade: false, isOver: false };
  const settle = async (said: Settled, wasAsked = false, isAlways = false) => {
    const decided = said.behavior === 'deny' ? undefined : await redecide();
    const decision = decided?.behavior === 'deny' ? decided : said;
    if (wasAsked) announceAnswer(question, decision, run);
    if (isAlways && decision.behavior === 'allow') permissions.remember?.(question.suggestions, run.caller.sessionId);
    return { decision, wasAsked };
  };
  const hear = (answer: unknown, wasAsked: boolean) =>
    settle(heardAnswer(answer, question.tool), wasAsked, answer === 'allow-always');

  const given = run.approvals?.answerTo(question, request);
  if (given !== undefined) return await hear(given, true);
  const judged = await classify(question, run);
  if (judged?.behavior === 'allow') return await settle(judged);
  if (judged?.behavior === 'deny')
    return await settle(judged.reason === '' ? denial(`${question.reason} It was judged and not allowed.`) : judged);
  if (run.approvals?.suspends === true) {
    if (!run.approvals.isRehearsal) announceQuestion(question, run);
    return { wasAsked: false };
  }
  if (permissions.onAsk === undefined) return await settle(denial(nobodyToAsk(question)));

  const { reason, suggestions, title, agent } = question;
  const asked = { ...request, reason, suggestions, title, agent };
  const outcome = await run.consult('Permission', limits.approval.timeoutMs, (scope) => {
    run.pause(scope);
    return askPerson(permissions, asked, scope, async (isQueued) => {
      const decided = await redecide(isQueued);
      if (decided !== undefined && decided.behavior !== 'ask') return decided;
      run.restart(scope);
      // Its time may have run out while it was decided.
      if (asking.isOver) return undefined;
      announceQuestion(question, run);
      asking.isMade = true;
      return undefined;
    });
  });
  asking.isOver = true;
  if (outcome.kind !== 'value' && asking.isMade) announceAnswer(question, undefined, run);
  return await hear(hostAnswer(outcome), asking.isMade);
}

/** What judges before a person is asked; whatever goes wrong leaves it to them. */
async function classify(question: PermissionQuestion, run: Run): Promise<Decision | undefined> {
  const { permissions, limits } = run.settings;
  const judge = permissions.classify;
  // What a rule or the tool wants asked goes to a person, whoever brought the judge.
  if (judge === undefined || question.source !== 'mode') return undefined;
  const outcome = await run.consult('The judge of permissions', limits.approval.timeoutMs, (scope) =>
    judge(question, scope),
  );
  if (outcome.kind === 'stopped' && outcome.error.code === 'cancelled') throw outcome.error;
  return outcome.kind === 'value' ? readDecision(outcome.value, 'word or object') : undefined;
}
