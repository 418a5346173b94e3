import fc from 'fast-check';
import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { type AnnounceQueueOptions, announceQueue } from '../../src/agents/announcement-queue.js';
import type { AnnounceListener, Caller, SubagentEnd } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { never } from '../support/pipeline.js';
import { runs } from '../support/runs.js';

const limits = { announceMs: 1_000, maxAnnounceMs: 10_000 };
const lead: Caller = { sessionId: 's' };

function end(agentId: string, caller: Caller = lead, output = `${agentId} is done`): SubagentEnd {
  return { agentId, caller, description: `work of ${agentId}`, state: 'completed', output, durationMs: 2_000 };
}

function started(onAnnounce?: AnnounceListener, more: Partial<AnnounceQueueOptions> = {}) {
  const timers = fakeTimers(1);
  const queue = announceQueue({ limits, maxChars: 30_000, timeoutMs: 60_000, onAnnounce, timers, ...more });
  return { timers, queue };
}

/** The reaction of a host to an announcement. */
const answer = fc.constantFrom('takes', 'takes later', 'throws', 'rejects');

test('every end is announced in order: once to a host that takes it, and again to one that fails', async () => {
  const steps = fc.array(
    fc.record({ pauseMs: fc.nat(2_500), parent: fc.constantFrom('a', 'b'), answer: fc.option(answer) }),
    { minLength: 1, maxLength: 30 },
  );
  const property = fc.asyncProperty(steps, async (all) => {
    const answers = all.flatMap((one) => (one.answer === null ? [] : [one.answer]));
    const isPrompt = answers.every((one) => one === 'takes');
    const endedAt = new Map<string, number>();
    const taken: string[][] = [];
    const ages: number[][] = [];
    const { timers, queue } = started((batch, { caller }) => {
      const next = answers.shift() ?? 'takes';
      if (next === 'throws') throw new Error('not now');
      if (next === 'rejects') return Promise.reject(new Error('not now'));
      const ids = batch.ends.map(({ agentId }) => agentId);
      taken.push(...ids.map((id) => [caller.agentId ?? '', id]));
      ages.push(ids.map((id) => timers.now() - (endedAt.get(id) ?? 0)));
      return next === 'takes' ? undefined : new Promise<void>((resolve) => timers.set(resolve, 3_000));
    });
    const sent: string[][] = [];
    for (const [index, { pauseMs, parent }] of all.entries()) {
      await timers.advance(pauseMs);
      endedAt.set(`agent_${index}`, timers.now());
      sent.push([parent, `agent_${index}`]);
      queue.add(end(`agent_${index}`, { sessionId: 's', agentId: parent }));
    }
    await timers.advance(10_000_000);
    for (const parent of ['a', 'b'])
      expect(taken.filter(([of]) => of === parent)).toEqual(sent.filter(([of]) => of === parent));
    expect(timers.pending).toBe(0);
    for (const batch of isPrompt ? ages : []) {
      expect(Math.max(...batch)).toBeLessThanOrEqual(limits.maxAnnounceMs);
      expect([Math.max(...batch) - limits.maxAnnounceMs, Math.min(...batch) - limits.announceMs]).toContain(0);
    }
  });
  await fc.assert(property, { numRuns: runs(1_000) });
});

test('a host that never answers is called again, and its signal aborts with a timeout', async () => {
  const signals: AbortSignal[] = [];
  const { timers, queue } = started((_batch, { signal }) => {
    signals.push(signal);
    return signals.length === 1 ? never : undefined;
  });
  queue.add(end('a'));
  await timers.advance(1_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await timers.advance(61_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(timers.pending).toBe(0);
});

test('nothing is announced after the end of agent, session or queue', () =>
  eachRow(['endAgent', 'endSession', 'dispose'], async (method) => {
    const told: string[] = [];
    const parent = { sessionId: 's', agentId: 'a' };
    const { timers, queue } = started(({ ends }) => {
      told.push(...ends.map(({ agentId }) => agentId));
      throw new Error('again');
    });
    queue.add(end('b', parent));
    queue.add(end('c', { sessionId: 'other' }));
    await timers.advance(1_000);
    expect(told).toEqual(['b', 'c']);
    queue[method]('s', 'a');
    expect(timers.pending).toBe(method === 'dispose' ? 0 : 1);
    queue.dispose();
    queue.add(end('late'));
    expect(timers.pending).toBe(0);
    await timers.advance(100_000);
    expect(told).toEqual(['b', 'c']);
  }));

test('without a host, the next result of the parent has the announcements, once', () => {
  const { timers, queue } = started();
  queue.add(end('a'));
  queue.add(end('b'));
  queue.add(end('c', { sessionId: 's', agentId: 'other' }));
  expect(timers.pending).toBe(0);
  expect(queue.take({ ...lead, messageId: 'another turn' })).toBe(
    'Subagent a (work of a) completed after 2 s:\na is done\n\nSubagent b (work of b) completed after 2 s:\nb is done',
  );
  expect(queue.take(lead)).toBeUndefined();
});

test('an announcement is scrubbed and stays within the limit, with a share for each end', () => {
  const { queue } = started(undefined, { maxChars: 1_000, scrub: (text) => text.replaceAll('secret', '[REDACTED]') });
  queue.add(end('a', lead, `secret ${'x'.repeat(5_000)}`));
  queue.add(end('b', lead, 'short'));
  const text = queue.take(lead) ?? '';
  expect(text).toContain('[REDACTED] xxx');
  expect(text).toMatch(/\[\d+ characters omitted; resume the agent to ask for them\]/);
  expect(text).toContain('\nshort');
  expect(text.length).toBeLessThan(1_200);
});

test('the outputs of one announcement never exceed its limit', () => {
  for (const maxChars of [3, 100, 600]) {
    const { queue } = started(undefined, { maxChars });
    for (let index = 0; index < 5; index++) queue.add(end(`a${index}`, lead, ''));
    const empty = queue.take(lead)?.length ?? 0;
    for (let index = 0; index < 5; index++) queue.add(end(`a${index}`, lead, 'z'.repeat(1_000)));
    expect((queue.take(lead)?.length ?? 0) - empty).toBeLessThanOrEqual(maxChars);
  }
});
