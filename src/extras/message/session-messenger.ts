import { sessionOf } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { assertMethods } from '../../core/support/check-values.js';
import { answeredWithin, systemTimers, type Timers } from '../../core/support/timers.js';
import type { SessionDirectory } from '../../ports/agents/sessions.js';
import { assertPlainText, type Messenger } from './messenger.js';

const maxSessions = 50;
const answerMs = 30_000;

/**
 * Sends messages to sessions. Each session that the directory lists, except the caller's own, is a channel named by its
 * id. Waits up to 30 seconds for an answer. Throws a TypeError for an invalid directory.
 */
export function sessionMessenger(directory: SessionDirectory, timers: Timers = systemTimers): Messenger {
  const write = 'sessionMessenger(directory)';
  assertMethods('sessionMessenger takes a directory of sessions', directory, ['list', 'send'], write);
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
      const sending = async () => ({ sent: await directory.send({ id, message: text }, scope) });
      const { sent } = (await answeredWithin(sending(), answerMs, timers)) ?? { sent: {} };
      return sent;
    },
  };
}
