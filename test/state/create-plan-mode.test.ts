import { expect, test } from 'vitest';
import { createPlanMode } from '../../src/core.js';

test('plan mode is off at first, and keeps what is queued until it is cleared', () => {
  const mode = createPlanMode();
  expect(mode.isActive).toBe(false);
  mode.enter();
  const call = { callId: '1', tool: 'Write', input: {}, title: 'Write a' };
  mode.add(call);
  const before = mode.queue;
  mode.add({ ...call, callId: '2' });
  expect(before).toHaveLength(1);
  mode.exit();
  expect([mode.isActive, mode.queue.length]).toEqual([false, 2]);
  mode.clear();
  expect(mode.queue).toEqual([]);
});
