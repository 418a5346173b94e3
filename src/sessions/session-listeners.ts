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
export class SessionListeners {
  readonly #scrub: Scrub;
  readonly #always: ToolEventListener | undefined;
  readonly #bySession = new LatestMap<string, ToolEventListener>(shellNumbers.maxSessions);

  constructor(scrub: Scrub, always?: ToolEventListener) {
    this.#scrub = scrub;
    this.#always = always;
  }

  /** Sets the listener of a session; beyond the limit the least recently used one is forgotten. */
  set({ sessionId }: Caller, listener: ToolEventListener): void {
    this.#bySession.set(sessionId, listener);
  }

  endSession(sessionId: string): void {
    this.#bySession.delete(sessionId);
  }

  /** Sends an event to the global listener and that of the owner's session, whose errors are ignored. */
  tell(event: SessionEvent, owner: Caller | undefined): void {
    this.#send(event, joinListeners(this.#always, owner && this.#bySession.get(owner.sessionId)), owner);
  }

  tellAll(event: SharedEvent): void {
    this.#send(event, joinListeners(this.#always, ...this.#bySession.values()));
  }

  #send(event: ToolEvent, listener: ToolEventListener | undefined, owner?: Caller): void {
    if (listener !== undefined) tell(listener, jsonSafe(event, this.#scrub, updateBounds).copy as ToolEvent, owner);
  }
}
