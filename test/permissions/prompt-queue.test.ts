import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askInTurn } from '../../src/permissions/prompt-queue.js';
import { fakeTimers } from '../../src/testing/index.js';
import { deferred, never, settle } from '../support/pipeline.js';

const scopeOf = (signal: AbortSignal) => ({ caller: { sessionId: 's' }, signal });
const live = scopeOf(new AbortController().signal);

/** Adds a question for each entry at its time, and returns which question was open when. */
async function play(questions: readonly Question[]) {
  const timers = fakeTimers(1);
  const permissions = {};
  const opened: number[] = [];
  let open = 0;
  let most = 0;
  const outcomes = questions.map(({ askedAtMs, takesMs, givesUpAtMs, how }, index) => {
    const stop = new AbortController();
    const outcome = deferred<string>();
    const ask = async (): Promise<string> => {
      opened.push(index);
      open += 1;
      most = Math.max(most, open);
      const closed = deferred();
      timers.set(closed.resolve, takesMs);
      stop.signal.addEventListener('abort', () => closed.resolve());
      await closed.promise;
      open -= 1;
      if (how === 'hangs') return await never;
      if (how === 'throws') throw new Error('thrown');
      return 'answered';
    };
    timers.set(() => {
      askInTurn(permissions, scopeOf(stop.signal), ask).then(outcome.resolve, (reason: Error) =>
        outcome.resolve(reason.message),
      );
    }, askedAtMs);
    if (givesUpAtMs !== undefined) timers.set(() => stop.abort(new Error('gave up')), givesUpAtMs);
    if (how === 'hangs') timers.set(() => stop.abort(new Error('gave up')), 10_000 + 1_000 * index);
    return outcome.promise;
  });
  await timers.advance(20_000);
  return { answers: await Promise.all(outcomes), most, opened, open };
}

interface Question {
  readonly askedAtMs: number;
  readonly takesMs: number;
  readonly givesUpAtMs: number | undefined;
  readonly how: 'answers' | 'throws' | 'hangs';
}

const question: fc.Arbitrary<Question> = fc.record({
  askedAtMs: fc.nat({ max: 300 }),
  takesMs: fc.nat({ max: 100 }),
  givesUpAtMs: fc.option(fc.nat({ max: 600 }), { nil: undefined, freq: 3 }),
  how: fc.constantFrom('answers', 'answers', 'throws', 'hangs'),
});

test('random callers get one question at a time, in order, and each gets an answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 2, maxLength: 8 }), async (questions) => {
      const { answers, most, opened, open } = await play(questions);
      expect(most).toBeLessThanOrEqual(1);
      expect(open).toBe(0);
      const order = questions
        .map((_, index) => index)
        .sort((left, right) => (questions[left]?.askedAtMs ?? 0) - (questions[right]?.askedAtMs ?? 0) || left - right);
      expect(opened).toEqual(order.filter((index) => opened.includes(index)));
      for (const [index, { givesUpAtMs, how }] of questions.entries()) {
        const possible = [
          ...(how === 'answers' ? ['answered'] : how === 'throws' ? ['thrown'] : ['gave up']),
          ...(givesUpAtMs === undefined ? [] : ['gave up']),
        ];
        expect(possible).toContain(answers[index]);
        if (givesUpAtMs === undefined && how !== 'hangs') expect(opened).toContain(index);
      }
    }),
    { numRuns: 300 },
  );
});

test('a queued question that is aborted returns at once, and the next one still waits', async () => {
  const permissions = {};
  const first = deferred<string>();
  const stop = new AbortController();
  const asked: string[] = [];
  const ask = (name: string, answer: Promise<string>) => () => {
    asked.push(name);
    return answer;
  };
  const answers = [
    askInTurn(permissions, live, ask('first', first.promise)),
    askInTurn(permissions, scopeOf(stop.signal), ask('second', Promise.resolve('2'))),
    askInTurn(permissions, live, ask('third', Promise.resolve('3'))),
  ];
  stop.abort(new Error('gave up'));
  await expect(answers[1]).rejects.toThrow('gave up');
  await settle();
  expect(asked).toEqual(['first']);
  first.resolve('1');
  expect(await answers[2]).toBe('3');
  expect(asked).toEqual(['first', 'third']);
});
