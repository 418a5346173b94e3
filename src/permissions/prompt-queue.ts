import type { CallScope } from '../core/context.js';
import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { unlessAborted } from '../core/support/timer.js';
import type { Permissions } from '../ports/permissions.js';
import { answerOrRefusal } from '../ports/read-decision.js';

/**
 * Puts the questions of a session one at a time, in order; sessions do not wait for each other. A question whose time
 * is over makes room for the next, even if it is never answered.
 */
export class PromptQueue {
  /** The last question of each session with open questions. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether a question of a session is open. */
  isBusy(sessionId: string): boolean {
    return this.#last.has(sessionId);
  }

  /** Asks when the earlier questions have been answered. Rejects as soon as the signal aborts, also while it waits. */
  add<Answer>({ caller: { sessionId }, signal }: CallScope, ask: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last.get(sessionId) ?? Promise.resolve();
    const giveUp = (): never => {
      throw signal.reason;
    };
    const answer = unlessAborted(before, signal, giveUp).then(() => {
      signal.throwIfAborted();
      return unlessAborted(ask(), signal, giveUp);
    });
    // The next question also waits for the earlier ones if this one is aborted.
    const last = Promise.allSettled([before, answer]).then(() => {
      if (this.#last.get(sessionId) === last) this.#last.delete(sessionId);
    });
    this.#last.set(sessionId, last);
    return answer;
  }
}

const queues = new WeakMap<object, PromptQueue>();

/** The queue of some permissions, which all toolkits with these permissions share. */
function promptsOf(permissions: object): PromptQueue {
  const queue = queues.get(permissions) ?? new PromptQueue();
  queues.set(permissions, queue);
  return queue;
}

/**
 * Puts a question to a person when the earlier questions of the session are answered. All questions go through here.
 * `ask` learns whether it had to wait; pass its answer to {@link hearAnswer}.
 */
export function askInTurn<Answer>(
  permissions: object,
  scope: CallScope,
  ask: (isQueued: boolean) => Promise<Answer>,
): Promise<Answer> {
  const prompts = promptsOf(permissions);
  const isQueued = prompts.isBusy(scope.caller.sessionId);
  return prompts.add(scope, () => ask(isQueued));
}

/** Lets a wrapper share the queue of its inner permissions, because the same person answers. */
export function sharePrompts(wrapper: object, inner: object): void {
  queues.set(wrapper, promptsOf(inner));
}

/**
 * The decision in an answer; an "always" is remembered. After an allow, `redecide` decides again by the rules, which
 * may have changed meanwhile: their deny overrides the answer.
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

/** The reason for denying a call that needs a question, and what the program that runs the agent can do. */
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
      ? `can allow it: permissions: createPermissions({ allow: [${JSON.stringify(rule)}] }), or pass onAsk.`
      : 'can ask a person: permissions: createPermissions({ onAsk }).';
  const why = reason.replace(/\.$/, '');
  return `${tool} needs permission, but there is no person to ask (${why}). The program that runs this agent ${help}`;
}
