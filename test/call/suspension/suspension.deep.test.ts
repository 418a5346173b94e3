import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { memorySuspensions } from '../../../src/guards.js';
import type { AskAnswer, SuspendedRun, ToolRun } from '../../../src/index.js';
import { runs } from '../../support/runs.js';
import { callOf, moves, newWorld, outcome, toolkitOf, type World } from '../../support/suspension-world.js';

const answers = fc.constantFrom<AskAnswer>(
  'allow-once',
  'deny',
  { behavior: 'allow', updatedInput: { what: 'other', file_path: '/ws/b.txt', content: 'other\n' } },
  { behavior: 'deny', message: 'Not now.' },
);

const content = ({ files }: World) => files.paths().map((path) => [path, files.text(path)]);

test('a turn that suspends at each question has the same results as with immediate answers', async () => {
  const plan = fc.record({
    moves: fc.array(fc.constantFrom(...moves), { minLength: 1, maxLength: 6 }),
    answers: fc.array(answers, { minLength: 6, maxLength: 6 }),
    /** The number of open questions answered in each round. */
    atOnce: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
    /** The rounds that are aborted before they begin, and then repeated. */
    aborted: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
    isTwice: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ moves: wanted, answers: given, atOnce, aborted, isTwice }) => {
      const calls = wanted.map(callOf);
      const answerTo = (callId: string) => given[Number(callId.slice('call_'.length))] ?? 'deny';

      const direct = newWorld();
      const live = toolkitOf(direct, answerTo);
      onTestFinished(() => live.dispose());
      const expected = await live.execute(calls);

      const world = newWorld();
      const store = memorySuspensions();
      let run: ToolRun | SuspendedRun = await other(world).execute(calls, { approvals: 'suspend' });
      for (let round = 0; run.status === 'suspended'; round++) {
        expect(round).toBeLessThan(30);
        expect(run.questions.length).toBeGreaterThan(0);
        const asked = run.questions.slice(0, atOnce[round % atOnce.length]);
        const now = Object.fromEntries(asked.map(({ id, callId }) => [id, answerTo(callId)]));
        if (aborted[round % aborted.length] === true) {
          const stopped = await other(world).resume(run.suspension, now, { signal: AbortSignal.abort() });
          expect(stopped.status).toBe('done');
        }
        const next: ToolRun | SuspendedRun = await other(world).resume(run.suspension, now);
        if (isTwice) {
          const again = await other(world).resume(run.suspension, now);
          expect(again.results.map(outcome)).toEqual(next.results.map(outcome));
        }
        run = next;
      }
      expect(run.results.map(outcome)).toEqual(expected.results.map(outcome));
      expect(world.acted.toSorted()).toEqual(direct.acted.toSorted());
      expect(content(world)).toEqual(content(direct));

      function other(outer: World) {
        const toolkit = toolkitOf(outer, undefined, store);
        onTestFinished(() => toolkit.dispose());
        return toolkit;
      }
    }),
    { numRuns: runs(600) },
  );
});
