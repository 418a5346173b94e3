import type { Caller } from './context.js';
import type { ToolEvent, ToolEventListener } from './event.js';

/**
 * Sends an event to a listener. Errors that it throws or rejects with are swallowed: a listener cannot change a call.
 */
export function tell(listener: ToolEventListener, event: ToolEvent, caller?: Caller): void {
  try {
    const answer: unknown = listener(event, caller);
    if (answer !== undefined) Promise.resolve(answer).catch(() => {});
  } catch {
    // See above.
  }
}

/** Joins listeners into one that sends each event once to each of them; undefined without listeners. */
export function joinListeners(...listeners: readonly (ToolEventListener | undefined)[]): ToolEventListener | undefined {
  const each = [...new Set(listeners.filter((listener) => listener !== undefined))];
  return each.length < 2 ? each[0] : (event, caller) => each.forEach((listener) => void tell(listener, event, caller));
}
