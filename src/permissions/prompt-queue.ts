import type { CallScope } from '../core/context.js';
import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { unlessAborted } from '../core/support/on-abort.js';
import type { Permissions } from '../ports/permissions.js';
import { heardAnswer } from '../ports/read-decision.js';

/**
 * Lets the person of a session be asked one thing at a time, in order; sessions do not wait for each other.
 * A question whose time is over makes room for the next, even if it is never answered.
 */
export class PromptQueue {
  /** The last question of each session that is being asked something. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether the person of a session is being asked something. */
  isBusy(sessionId: string): boolean {
    return this.#last.has(sessionId);
  }

  /** Asks when the questions before have been answered. Rejects as soon as the signal aborts, also while it waits. */
  add<Answer>({ caller: { sessionId }, signal }: CallScope, ask: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last.get(sessionId) ?? Promise.resolve();
    const giveUp = (): never => {
      throw signal.reason;
    };
    const answer = unlessAborted(before, signal, giveUp).then(() => {
      signal.throwIfAborted();
      return unlessAborted(ask(), signal, giveUp);
    });
    // One that gives up while it waits does not open the way for the next.
    const last = Promise.allSettled([before, answer]).then(() => {
      if (this.#last.get(sessionId) === last) this.#last.delete(sessionId);
    });
    this.#last.set(sessionId, last);
    return answer;
  }
}

const queues = new WeakMap<object, PromptQueue>();

/** The questions of the people behind some permissions, whichever toolkits share them. */
function promptsOf(permissions: object): PromptQueue {
  const queue = queues.get(permissions) ?? new PromptQueue();
  queues.set(permissions, queue);
  return queue;
}

/**
 * Lets a question be put to the person behind some permissions, the one way to do so: when those before it in the session
 * are answered. `ask` hears whether it had to wait; its answer is for {@link hearAnswer}.
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

/** Has questions that come through a wrapper wait for those that do not: the same person answers. */
export function sharePrompts(wrapper: object, inner: object): void {
  queues.set(wrapper, promptsOf(inner));
}

/**
 * The decision that an answer comes to; an "always" is remembered. `redecide` asks the rules once more after a yes, since
 * they may have changed meanwhile: a no of theirs is above it.
 */
export async function hearAnswer(
  permissions: Permissions,
  { tool, suggestions }: Pick<PermissionQuestion, 'tool' | 'suggestions'>,
  answer: unknown,
  sessionId: string,
  redecide?: () => Promise<Decision | undefined>,
): Promise<Decision> {
  const said = heardAnswer(answer, tool);
  const decided = said.behavior === 'deny' ? undefined : await redecide?.();
  const decision = decided?.behavior === 'deny' ? decided : said;
  if (answer === 'allow-always' && decision.behavior === 'allow') permissions.remember?.(suggestions, sessionId);
  return decision;
}

/** Why a call is denied that should be asked about, and what the program that runs the agent can do. */
export function nobodyToAsk({
  tool,
  reason,
  source,
  suggestions,
}: Pick<PermissionQuestion, 'tool' | 'reason' | 'source' | 'suggestions'>): string {
  const rule = suggestions[0] ?? tool;
  // No allow rule is above an ask rule or what the tool itself demands.
  const help =
    source === 'mode'
      ? `can allow it: permissions: createPermissions({ allow: [${JSON.stringify(rule)}] }), or pass onAsk.`
      : 'can ask somebody: permissions: createPermissions({ onAsk }).';
  const why = reason.replace(/\.$/, '');
  return `${tool} needs permission and there is nobody to ask (${why}). The program that runs this agent ${help}`;
}
