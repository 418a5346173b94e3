import type { ToolEventListener } from './event.js';
import { tell } from './support/listeners.js';

/** One listener that sends each event once to each of the given listeners; undefined if there are none. */
export function joinListeners(...listeners: readonly (ToolEventListener | undefined)[]): ToolEventListener | undefined {
  const each = [...new Set(listeners.filter((listener) => listener !== undefined))];
  return each.length < 2 ? each[0] : (event, caller) => each.forEach((listener) => void tell(listener, event, caller));
}
