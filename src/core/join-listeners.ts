import type { Caller } from './context.js';
import type { ToolEvent, ToolEventListener } from './event.js';

/** Tells a listener. What it throws, or rejects with, is swallowed: observing changes nothing. */
export function tell(listener: ToolEventListener, event: ToolEvent, caller?: Caller): void {
  try {
    const answer: unknown = listener(event, caller);
    if (answer !== undefined) Promise.resolve(answer).catch(() => {});
  } catch {
    // See above.
  }
}

/** One listener that tells each of some once. Undefined for none. */
export function joinListeners(...listeners: readonly (ToolEventListener | undefined)[]): ToolEventListener | undefined {
  const each = [...new Set(listeners.filter((listener) => listener !== undefined))];
  return each.length < 2 ? each[0] : (event, caller) => each.forEach((listener) => void tell(listener, event, caller));
}
