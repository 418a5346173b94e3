import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { ToolEvent, ToolEventListener } from '../core/event.js';
import { isRecord } from '../core/support/is-record.js';

/** What an event must at least have: a type, or some fields, those of fields inside as well. */
export type EventPattern = ToolEvent['type'] | Readonly<Record<string, unknown>>;

/** Events in the order in which they came. */
export interface RecordedEvents {
  readonly listener: ToolEventListener;
  readonly all: readonly ToolEvent[];
  /** Those that fit. */
  matching(pattern: EventPattern): readonly ToolEvent[];
  /** Throws an AssertionError that names the first pattern which no event after the one before it fits. */
  assertSequence(...patterns: readonly EventPattern[]): void;
}

/** Records what `onEvent` hears: `createToolkit({ onEvent: events.listener })`. */
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
        const told = all
          .slice(from)
          .map(({ type }) => type)
          .join(', ');
        assert.ok(
          at >= 0,
          `No event fits ${JSON.stringify(pattern)}; after the last that did came: ${told || 'nothing'}`,
        );
        from = at + 1;
      }
    },
  };
}

function fits(value: unknown, pattern: unknown): boolean {
  if (!isRecord(pattern)) return isDeepStrictEqual(value, pattern);
  return isRecord(value) && Object.entries(pattern).every(([name, part]) => fits(value[name], part));
}
