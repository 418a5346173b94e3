import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Timers } from '../../core/support/timer.js';
import type { SessionDirectory } from '../../ports/agents/sessions.js';
import { askHost } from '../../ports/ask-host.js';

/** The dependencies of the tools of sessions. */
export interface SessionDependencies {
  readonly sessions: () => Promise<SessionDirectory>;
  /** How long the host may take; 0 = no limit. */
  readonly timeoutMs: number;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** The session of a caller: a subagent has one of its own. */
export function ownSession({ caller: { sessionId, agentId, depth = 0 } }: CallScope): string {
  return depth > 0 && agentId !== undefined ? agentId : sessionId;
}

/**
 * Asks the host about one session. `isUsable` checks the host's answer. Throws `invalid_input` for a session that the
 * caller may not see.
 */
export async function askForSession<Answer>(
  { sessions, timeoutMs, timers }: SessionDependencies,
  id: string,
  scope: CallScope,
  ask: (directory: SessionDirectory, scope: CallScope) => Promise<Answer | undefined> | Answer | undefined,
  isUsable: (answer: Answer) => boolean,
): Promise<Answer> {
  const answer = await askHost<Answer | undefined>(
    { option: 'sessions', timeoutMs, timers, isUsable: (one) => one === undefined || isUsable(one) },
    scope,
    async (inner) => ask(await sessions(), inner),
  );
  if (answer !== undefined) return answer;
  throw new ToolError(
    'invalid_input',
    `session_key: there is no session ${JSON.stringify(id)} that you started. See sessions_list.`,
  );
}
