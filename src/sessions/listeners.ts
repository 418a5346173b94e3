import type { Caller } from '../core/context.js';
import type { ToolEvent, ToolEventListener } from '../core/event.js';
import { shellNumbers } from '../core/fixed-limits.js';
import { LatestMap } from '../core/support/latest-map.js';
import { joinListeners, tell } from '../core/support/listeners.js';
import { jsonSafe } from '../core/text/json-safe.js';
import type { Scrub } from '../core/text/scrub-excerpt.js';

/** Events of a session outside of its calls. */
export type SessionEvent = Extract<
  ToolEvent,
  { readonly type: 'task-update' | 'todo-update' | 'files-changed' | 'registry-warning' | 'canvas-event' }
>;
type SharedEvent = Extract<ToolEvent, { readonly type: 'mcp-update' | 'rule-warning' }>;

const updateBounds = { maxDepth: 8, maxChars: 1_000_000, maxItems: 100_000 };

/**
 * The listeners for events that occur outside of calls, such as the end of a background task. There is one listener for
 * all sessions, and for each session the listener of its latest turn.
 */
export function sessionListeners(scrub: Scrub, always?: ToolEventListener) {
  const bySession = new LatestMap<string, ToolEventListener>(shellNumbers.maxSessions);

  /** Sets the listener of a session. Beyond the limit, the least recently used listener is removed. */
  function set({ sessionId }: Caller, listener: ToolEventListener): void {
    bySession.set(sessionId, listener);
  }

  function endSession(sessionId: string): void {
    bySession.delete(sessionId);
  }

  /** Sends an event to the global listener and to the listener of the owner's session. Their errors are ignored. */
  function tellOwner(event: SessionEvent, owner: Caller | undefined): void {
    send(event, joinListeners(always, owner && bySession.get(owner.sessionId)), owner);
  }

  function tellAll(event: SharedEvent): void {
    send(event, joinListeners(always, ...bySession.values()));
  }

  function send(event: ToolEvent, listener: ToolEventListener | undefined, owner?: Caller): void {
    if (listener !== undefined) tell(listener, jsonSafe(event, scrub, updateBounds).copy as ToolEvent, owner);
  }

  return { set, endSession, tell: tellOwner, tellAll };
}
