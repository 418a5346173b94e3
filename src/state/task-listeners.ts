import type { Caller } from '../core/context.js';
import type { ToolEvent, ToolEventListener } from '../core/event.js';
import { shellNumbers } from '../core/limits.js';
import type { Scrubber } from '../text/scrubber.js';

/** Who hears of a background task: the listener of the latest turn of the session that started it, which may be over by then. */
export class TaskListeners {
  readonly #scrubber: Scrubber | false;
  readonly #bySession = new Map<string, ToolEventListener>();

  constructor(scrubber: Scrubber | false) {
    this.#scrubber = scrubber;
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

  /** Tells the session of `owner`, and nobody else. What its listener does wrong changes nothing. */
  tell(event: ToolEvent & { readonly type: 'task-update' }, owner: Caller | undefined): void {
    const listener = owner === undefined ? undefined : this.#bySession.get(owner.sessionId);
    if (listener === undefined) return;
    const label = event.label === undefined || this.#scrubber === false ? event.label : this.#scrubber.text(event.label);
    try {
      const answer: unknown = listener({ ...event, ...(label === undefined ? {} : { label }) });
      if (answer instanceof Promise) answer.catch(() => {});
    } catch {
      // Observing a task never changes it.
    }
  }
}
