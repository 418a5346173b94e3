import { describe, expect, test } from 'vitest';
import type { QueuedCall } from '../../src/core.js';
import type { PlanMode, ToolRun } from '../../src/index.js';
import { runPlan } from '../../src/sessions/plan.js';
import { table } from '../support/each-row.js';

const queued = (callId: string): QueuedCall => ({ callId, tool: 'Write', input: {}, title: callId });
const done = { id: 'one', name: 'Write', ok: true, output: 'written' };
const never = (id: string) => ({ id, name: 'Write', ok: false, output: 'cancelled', error: { code: 'cancelled' } });

/** A queue of a host that calls `fail` before each change, which may throw. */
function queueOf(ids: readonly string[], fail: (change: string) => void) {
  let queue = ids.map(queued);
  const planMode: Pick<PlanMode, 'queue' | 'add' | 'clear'> = {
    get queue() {
      return queue;
    },
    add: (call) => {
      fail(call.callId);
      queue = [...queue, call];
    },
    clear: () => {
      fail('clear');
      queue = [];
    },
  };
  return { planMode, ids: () => queue.map(({ callId }) => callId) };
}

const runOf = (...results: readonly object[]) => ({ results }) as unknown as ToolRun;

describe('a plan queue that fails loses no results', () => {
  table<[readonly string[], readonly string[]]>([
    [[], ['two', 'three', 'new']],
    [['two'], ['three', 'new']],
    [['two', 'three'], ['new']],
    [['new'], ['two', 'three']],
    [['two', 'three', 'new'], []],
    [['clear'], ['new', 'two', 'three']],
  ])('at a change', async (cannot, left) => {
    let hasRun = false;
    const { planMode, ids } = queueOf(['one', 'two', 'three'], (change) => {
      if (hasRun && cannot.includes(change)) throw new Error('disk full');
    });
    const run = runOf(done, never('two'), never('three'));
    const execute = async () => {
      planMode.add(queued('new'));
      hasRun = true;
      return run;
    };
    expect(await runPlan(planMode, execute)).toBe(run);
    expect(ids()).toEqual(left);
  });

  test('the error of the run is passed on unchanged', async () => {
    const { planMode, ids } = queueOf(['one', 'two'], (change) => {
      if (change === 'one') throw new Error('disk full');
    });
    await expect(runPlan(planMode, () => Promise.reject(new TypeError('signal takes a signal')))).rejects.toThrow(
      'signal takes',
    );
    expect(ids()).toEqual(['two']);
  });

  test('a queue that empties the list it returned', async () => {
    const queue = ['one', 'two'].map(queued);
    const planMode = { queue, add: (call: QueuedCall) => void queue.push(call), clear: () => void queue.splice(0) };
    const seen: unknown[] = [];
    const execute = async (calls: readonly { readonly id: string }[]) => {
      seen.push(...calls.map(({ id }) => id));
      queue.push(queued('new'));
      return runOf(done, never('two'));
    };
    await runPlan(planMode, execute);
    expect([seen, queue.map(({ callId }) => callId)]).toEqual([
      ['one', 'two'],
      ['two', 'new'],
    ]);
  });
});
