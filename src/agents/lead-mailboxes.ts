import type { Caller } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import type { AgentMessage } from '../core/subagent-types.js';

/** Limits of mailboxes. */
export type MailboxLimits = Pick<Limits['subagents'], 'maxMessages' | 'maxMessageChars'> & {
  /** The maximum number of characters of the messages that the lead takes at once. Further messages follow later. */
  readonly maxChars: number;
};

/** The messages that wait for leads of teams. Messages may outlive their team. */
export function leadMailboxes({ maxMessages, maxMessageChars, maxChars }: MailboxLimits) {
  const mailboxes = new Map<string, { readonly sessionId: string; readonly waiting: AgentMessage[] }>();

  /** Adds a message. Throws `limit_reached` for a message that is too long, and for a full mailbox. */
  function put({ sessionId, agentId }: Caller, message: AgentMessage): void {
    const key = keyOf({ sessionId, agentId });
    const { waiting } = mailboxes.get(key) ?? { waiting: [] };
    if (message.text.length > maxMessageChars)
      throw new ToolError('limit_reached', `A message has at most ${maxMessageChars} characters. Write a shorter one.`);
    if (waiting.length >= maxMessages)
      throw new ToolError(
        'limit_reached',
        `The lead's mailbox is full (${maxMessages} messages). Continue without sending this one.`,
      );
    mailboxes.set(key, { sessionId, waiting: [...waiting, message] });
  }

  /** Removes and returns the oldest messages within the limit of characters, but at least one. */
  function take(caller: Caller): readonly AgentMessage[] {
    const { waiting = [] } = mailboxes.get(keyOf(caller)) ?? {};
    let count = 0;
    for (let chars = 0; count < waiting.length; count++) {
      chars += waiting[count]?.text.length ?? 0;
      if (chars > maxChars && count > 0) break;
    }
    const taken = waiting.splice(0, count);
    if (waiting.length === 0) mailboxes.delete(keyOf(caller));
    return taken;
  }

  function endSession(sessionId: string): void {
    for (const [key, one] of mailboxes) if (one.sessionId === sessionId) mailboxes.delete(key);
  }

  return { put, take, endSession };
}

function keyOf({ sessionId, agentId }: Pick<Caller, 'sessionId'> & { readonly agentId?: string | undefined }): string {
  return JSON.stringify([sessionId, agentId]);
}
