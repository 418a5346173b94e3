import type { Caller } from './context.js';
import { kindOf, type OptionKind } from './support/check-values.js';

const callerFields: Readonly<Record<keyof Required<Caller>, true>> = {
  sessionId: true,
  agentId: true,
  parentId: true,
  userId: true,
  messageId: true,
  channel: true,
  chatId: true,
  peerKind: true,
  sandboxKey: true,
  depth: true,
  provider: true,
};

const plainCallerFields = new Set(Object.keys(callerFields).map((name) => name.toLowerCase()));

/** A host may add fields, but a misspelt `agentID` would silently select the policy of the main agent. */
function isMisspelt(name: string): boolean {
  return !Object.hasOwn(callerFields, name) && plainCallerFields.has(name.replaceAll('_', '').toLowerCase());
}

/** A `Caller` with a session id and no misspelt field. */
export const callerKind: OptionKind = {
  takes: 'a caller such as { sessionId, agentId }, whose sessionId is text',
  holds: (value) =>
    kindOf.record.holds(value) &&
    typeof (value as Partial<Caller>).sessionId === 'string' &&
    !Object.keys(value as Caller).some(isMisspelt),
};
