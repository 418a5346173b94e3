import type { CallScope } from '../core/context.js';
import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { unlessAborted } from '../core/support/timers.js';
import { answerOrRefusal } from '../ports/parse-decision.js';
import type { Permissions } from '../ports/permissions.js';

/**
 * For each permissions object and each session with open questions, a promise that settles when the last queued
 * question is answered or aborted. All toolkits that use the object share these queues.
 */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

function queueOf(permissions: object): Map<string, Promise<unknown>> {
  const queue = queues.get(permissions) ?? new Map<string, Promise<unknown>>();
  queues.set(permissions, queue);
  return queue;
}

/**
 * Asks a person after the earlier questions of the session are answered; questions of different sessions are asked in
 * parallel. Every question goes through this function. `ask` gets true if the question had to wait. Pass the answer to
 * {@link hearAnswer}. Rejects as soon as the signal aborts, also while the question waits. An aborted question no
 * longer delays the next one, even if the person never answers it.
 */
export function askInTurn<Answer>(
  permissions: object,
  { caller: { sessionId }, signal }: CallScope,
  ask: (isQueued: boolean) => Promise<Answer>,
): Promise<Answer> {
  const queue = queueOf(permissions);
  const before = queue.get(sessionId);
  const giveUp = (): never => {
    throw signal.reason;
  };
  const answer = unlessAborted(before ?? Promise.resolve(), signal, giveUp).then(() => {
    signal.throwIfAborted();
    return unlessAborted(ask(before !== undefined), signal, giveUp);
  });
  // If this question is aborted, the next question still waits for the earlier questions.
  const last = Promise.allSettled([before, answer]).then(() => {
    if (queue.get(sessionId) === last) queue.delete(sessionId);
  });
  queue.set(sessionId, last);
  return answer;
}

/** Lets a wrapper share the queue of its inner permissions, because the same person answers. */
export function sharePrompts(wrapper: object, inner: object): void {
  queues.set(wrapper, queueOf(inner));
}

/**
 * Converts an answer to a decision. After "allow-always", the suggested rules apply for the session. If the answer is
 * an allow, `redecide` checks the rules again, because they may have changed while the question was open. If the rules
 * now deny the call, the call is denied.
 */
export async function hearAnswer(
  permissions: Permissions,
  { tool, suggestions }: Pick<PermissionQuestion, 'tool' | 'suggestions'>,
  answer: unknown,
  sessionId: string,
  redecide?: () => Promise<Decision | undefined>,
): Promise<Decision> {
  const said = answerOrRefusal(answer, tool);
  const decided = said.behavior === 'deny' ? undefined : await redecide?.();
  const decision = decided?.behavior === 'deny' ? decided : said;
  if (answer === 'allow-always' && decision.behavior === 'allow') permissions.remember?.(suggestions, sessionId);
  return decision;
}

/** The reason for denying a call if no person can be asked, and what the program that runs the agent can do. */
export function nobodyToAsk({
  tool,
  reason,
  source,
  suggestions,
}: Pick<PermissionQuestion, 'tool' | 'reason' | 'source' | 'suggestions'>): string {
  const rule = suggestions[0] ?? tool;
  // An allow rule does not override an ask rule or a demand of the tool.
  const help =
    source === 'mode'
      ? `can allow it with permissions: createPermissions({ allow: [${JSON.stringify(rule)}] }), or ask a person with createPermissions({ onAsk }).`
      : 'can ask a person with permissions: createPermissions({ onAsk }).';
  const why = reason.replace(/\.$/, '');
  return `${tool} needs permission, but there is no person to ask (${why}). The program that runs this agent ${help}`;
}
