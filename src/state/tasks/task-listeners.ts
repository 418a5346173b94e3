import type { Caller } from '../../core/context.js';
import type { ToolEvent, ToolEventListener } from '../../core/event.js';
import { joinListeners, tell } from '../../core/join-listeners.js';
import { shellNumbers } from '../../core/numbers.js';
import type { Scrubber } from '../../text/secrets/scrubber.js';

/**
 * Who hears of a background task: the one that hears everything, and that of the latest turn of the session that
 * started it.
 */
export class TaskListeners {
  readonly #scrubber: Scrubber | false;
  readonly #always: ToolEventListener | undefined;
  readonly #bySession = new Map<string, ToolEventListener>();

  constructor(scrubber: Scrubber | false, always?: ToolEventListener) {
    this.#scrubber = scrubber;
    this.#always = always;
  }

  /** Sets the listener of a session. The session idle longest is forgotten past a thousand. */
  set({ sessionId }: Caller, listener: ToolEventListener): void {
    this.#bySession.delete(sessionId);
    this.#bySession.set(sessionId, listener);
    const [oldest] = this.#bySession.keys();
    if (this.#bySession.size > shellNumbers.maxSessions && oldest !== undefined) this.#bySession.delete(oldest);
  }

  /** Forgets the listener of a session. */
  endSession(sessionId: string): void {
    this.#bySession.delete(sessionId);
  }

  /** Tells the listener of everything and that of the session of `owner`. What they do wrong changes nothing. */
  tell(event: ToolEvent & { readonly type: 'task-update' }, owner: Caller | undefined): void {
    const listener = joinListeners(this.#always, owner && this.#bySession.get(owner.sessionId));
    if (listener === undefined) return;
    const label =
      event.label === undefined || this.#scrubber === false ? event.label : this.#scrubber.text(event.label);
    tell(listener, { ...event, ...(label === undefined ? {} : { label }) });
  }
}
