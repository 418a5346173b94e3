import { sessionOf } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { assertArgument, having } from '../../core/support/check-values.js';
import { systemTimers, type Timers, waitFor } from '../../core/support/timers.js';
import type { SessionDirectory } from '../../ports/agents/sessions.js';
import { assertPlainText, type Messenger } from './messenger.js';

const maxSessions = 50;
const answerMs = 30_000;

/**
 * Sends messages to sessions. The channels are the ids of the sessions that the directory lists for the caller, without
 * its own. Waits up to 30 seconds for an answer. Throws a TypeError for an invalid directory.
 */
export function sessionMessenger(directory: SessionDirectory, timers: Timers = systemTimers): Messenger {
  const kind = having('a directory of sessions', 'list', 'send');
  assertArgument('sessionMessenger takes a directory of sessions', directory, kind, 'sessionMessenger(directory)');
  return {
    async channels(scope) {
      const sessions = await directory.list({ limit: maxSessions }, scope);
      const others = sessions.filter(({ id }) => id !== sessionOf(scope.caller));
      return others.map(({ id, title }) => ({ name: id, about: title }));
    },
    async send(message, scope) {
      const { channel: id, text } = message;
      assertPlainText(message);
      if (id === sessionOf(scope.caller))
        throw new ToolError('invalid_input', 'channel: that is your own session. Name another one.');
      const over = new AbortController();
      const none = waitFor(answerMs, over.signal, timers).then(() => ({}));
      try {
        return await Promise.race([directory.send({ id, message: text }, scope), none]);
      } finally {
        over.abort();
      }
    },
  };
}
