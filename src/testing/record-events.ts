import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { ToolEvent, ToolEventListener } from '../core/event.js';
import { isRecord } from '../core/support/check-values.js';

/** A pattern for events: a type, or an object with expected fields; nested objects are patterns too. */
export type EventPattern = ToolEvent['type'] | Readonly<Record<string, unknown>>;

/** The recorded events in order. */
export interface RecordedEvents {
  readonly listener: ToolEventListener;
  readonly all: readonly ToolEvent[];
  /** The events that match a pattern. */
  matching(pattern: EventPattern): readonly ToolEvent[];
  /**
   * Checks that events match the patterns in this order. Throws an AssertionError with the first pattern that no event
   * matches.
   */
  assertSequence(...patterns: readonly EventPattern[]): void;
}

/** Records the events of `onEvent`: `createToolkit({ onEvent: events.listener })`. */
export function recordEvents(): RecordedEvents {
  const all: ToolEvent[] = [];
  const matches = (pattern: EventPattern) => (event: ToolEvent) =>
    typeof pattern === 'string' ? event.type === pattern : fits(event, pattern);
  return {
    all,
    listener: (event) => void all.push(event),
    matching: (pattern) => all.filter(matches(pattern)),
    assertSequence(...patterns) {
      let from = 0;
      for (const pattern of patterns) {
        const at = all.findIndex((event, index) => index >= from && matches(pattern)(event));
        const later = all.slice(from).map(({ type }) => type);
        const rest = later.join(', ') || 'none';
        assert.ok(at >= 0, `No event matches ${JSON.stringify(pattern)}; events after the last match: ${rest}`);
        from = at + 1;
      }
    },
  };
}

function fits(value: unknown, pattern: unknown): boolean {
  if (!isRecord(pattern)) return isDeepStrictEqual(value, pattern);
  return isRecord(value) && Object.entries(pattern).every(([name, part]) => fits(value[name], part));
}
