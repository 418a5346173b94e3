import type { ToolEventListener } from './event.js';
import { tell } from './support/listeners.js';

/** Joins listeners into one that sends each event once to each of them; undefined without listeners. */
export function joinListeners(...listeners: readonly (ToolEventListener | undefined)[]): ToolEventListener | undefined {
  const each = [...new Set(listeners.filter((listener) => listener !== undefined))];
  return each.length < 2 ? each[0] : (event, caller) => each.forEach((listener) => void tell(listener, event, caller));
}
