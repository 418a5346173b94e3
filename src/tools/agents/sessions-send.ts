import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { inputObject, integer, optional, text, words } from '../../core/schema/input-object.js';
import { waitFor } from '../../core/support/timer.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { dependenciesOf } from '../support/dependencies.js';
import { askForSession, ownSession, type SessionDependencies } from './session-dependencies.js';

const defaultSeconds = 30;
const maxSeconds = 120;

const input = (maxChars: number) =>
  inputObject({
    session_key: text(undefined, { minLength: 1 }),
    message: words(maxChars),
    timeout_seconds: optional(integer('How long to wait for an answer', { minimum: 0, maximum: maxSeconds })),
  });

/** The dependencies of sessions_send. */
export interface SessionsSendDependencies extends SessionDependencies {
  /** Of `limits.subagents`. */
  readonly limits: { readonly maxMessageChars: number };
}

/** Puts a message into a session, and waits a little for an answer. */
export function sessionsSendTool(dependencies: SessionsSendDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('sessionsSendTool', dependencies, 'sessions', 'timeoutMs', 'limits');
  return Tool.define('sessions_send', {
    description: `Send a message to a session that you started. The answer is waited for, ${defaultSeconds} seconds by default.`,
    input: input(dependencies.limits.maxMessageChars),
    sideEffect: 'network',
    title: ({ session_key: id, message }) => `sessions_send to ${id}: ${message}`,
    async execute(
      { session_key: id, message, timeout_seconds: seconds = defaultSeconds },
      context,
    ): Promise<ToolResult> {
      if (id === ownSession(context))
        throw new ToolError('invalid_input', 'session_key: that is your own session. Name another one.');
      const { timeoutMs } = dependencies;
      const over = new AbortController();
      const none = waitFor(seconds * 1_000, over.signal, dependencies.timers).then(() => ({ answer: undefined }));
      try {
        const { answer } = await askForSession<{ readonly answer?: string | undefined }>(
          { ...dependencies, timeoutMs: timeoutMs === 0 ? 0 : seconds * 1_000 + timeoutMs },
          id,
          context,
          (directory, scope) => Promise.race([directory.send({ id, message }, scope), none]),
          (sent) => typeof sent === 'object' && sent !== null && ['string', 'undefined'].includes(typeof sent.answer),
        );
        const output = answer ?? `Sent. No answer within ${seconds} seconds; see sessions_history for it later.`;
        return { output, metadata: { session: id, answered: answer !== undefined } };
      } finally {
        over.abort();
      }
    },
  });
}
