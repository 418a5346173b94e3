import { expect, test } from 'vitest';
import type { ToolEvent } from '../../src/core.js';
import { createScrubber } from '../../src/core.js';
import { sessionListeners } from '../../src/sessions/listeners.js';
import { eachRow } from '../support/each-row.js';

const event = { type: 'task-update', taskId: 't', state: 'completed', label: 'make' } as const;

test('only the session that started a task gets its events, scrubbed', () => {
  const heard: [string, ToolEvent][] = [];
  const listeners = sessionListeners(createScrubber({ values: ['hunter2hunter2'] }).text);
  listeners.set({ sessionId: 'a' }, (one) => heard.push(['a', one]));
  listeners.set({ sessionId: 'b' }, (one) => heard.push(['b', one]));
  listeners.tell({ ...event, label: 'login hunter2hunter2' }, { sessionId: 'a' });
  listeners.tell(event, undefined);
  listeners.tell(event, { sessionId: 'c' });
  expect(heard).toEqual([['a', { ...event, label: 'login [REDACTED]' }]]);
});

test('a listener of all sessions gets every task event, and once if it also listens to the session', () => {
  const heard: ToolEvent[] = [];
  const listener = (one: ToolEvent) => void heard.push(one);
  const listeners = sessionListeners(createScrubber().text, listener);
  listeners.set({ sessionId: 'a' }, listener);
  for (const owner of [{ sessionId: 'a' }, { sessionId: 'b' }, undefined]) listeners.tell(event, owner);
  expect(heard).toEqual([event, event, event]);
});

const rows: readonly [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('listener');
    },
  ],
  ['rejects', () => Promise.reject(new Error('listener'))],
];
test('a failing listener has no effect', () =>
  eachRow(rows, ([, listener]) => {
    const listeners = sessionListeners((text) => text);
    listeners.set({ sessionId: 'a' }, listener);
    expect(() => listeners.tell(event, { sessionId: 'a' })).not.toThrow();
  }));
