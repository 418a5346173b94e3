import { expect, test } from 'vitest';
import { joinListeners } from '../../src/core/support/listeners.js';
import type { ToolEvent } from '../../src/index.js';

const event: ToolEvent = { type: 'task-update', taskId: 't', state: 'completed' };

test('each listener is called once, for any behaviour of the others', () => {
  const heard: unknown[] = [];
  const good = (one: ToolEvent) => void heard.push(one);
  const throws = () => {
    throw new Error('listener');
  };
  const rejects = (() => Promise.reject(new Error('listener'))) as never;
  const hostile = (() => Object.defineProperty({}, 'then', { get: throws })) as never;
  joinListeners<[ToolEvent]>(throws, rejects, undefined, hostile, good, good)?.(event);
  expect(heard).toEqual([event]);
  expect([joinListeners<[ToolEvent]>(undefined, good), joinListeners(undefined)]).toEqual([good, undefined]);
});
