import { getEventListeners, getMaxListeners, setMaxListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { calls, deferred, run, settle, tool } from '../support/pipeline.js';

/** Runs fifty simultaneous turns on one signal, or the given number. `meanwhile` is called when all their calls run. */
async function whileTheyWork(signal: AbortSignal, meanwhile: () => void, turns = 50, callsEach = 1): Promise<void> {
  const warnings: string[] = [];
  const listen = ({ message }: Error) => warnings.push(message);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const gate = deferred();
  const waiting = tool('Wait', async (_, context) => {
    context.signal.throwIfAborted();
    await gate.promise;
    return 'done';
  });
  const turn = calls(...Array.from({ length: callsEach }, () => 'Wait'));
  const running = Array.from({ length: turns }, () => run([waiting], turn, { signal }));
  await settle();
  meanwhile();
  gate.resolve();
  for (const { results } of await Promise.all(running)) expect(results.map(({ ok }) => ok)).not.toContain(false);
  await settle();
  expect(warnings).toEqual([]);
}

test.each([
  ['many turns', 50, 1],
  ['a turn of many calls', 1, 100],
])('%s at once on one signal add one listener, and none remains', async (_, turns, callsEach) => {
  const { signal } = new AbortController();
  const room = getMaxListeners(signal);
  const look = () => expect([getEventListeners(signal, 'abort').length, getMaxListeners(signal)]).toEqual([1, room]);
  await whileTheyWork(signal, look, turns, callsEach);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(getMaxListeners(signal)).toBe(room);
});

test('an abort reaches every turn with the signal, also after another turn has ended', async () => {
  const control = new AbortController();
  const { signal } = control;
  const quick = tool('Quick', () => 'done');
  const hears = tool(
    'Hears',
    (_, context) => new Promise((_resolve, reject) => context.signal.addEventListener('abort', reject)),
  );
  const waiting = [1, 2, 3].map(() => run([hears], calls('Hears'), { signal }));
  await run([quick], calls('Quick'), { signal });
  await settle();
  control.abort();
  for (const { results } of await Promise.all(waiting)) expect(results).toMatchObject([{ ok: false }]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('the listener limit of the host stays, and a signal of another class works', async () => {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  await whileTheyWork(signal, () => {
    for (let count = 0; count < 11; count++) signal.addEventListener('abort', () => {});
  });
  const foreign = {
    aborted: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  } as unknown as AbortSignal;
  expect((await run([tool('T', () => 'x')], calls('T'), { signal: foreign })).results).toMatchObject([{ ok: true }]);
});
