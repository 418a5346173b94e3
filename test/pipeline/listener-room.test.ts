import { getEventListeners, getMaxListeners, setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { calls, deferred, run, settle, tool } from '../support/pipeline.js';

async function warningsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const warnings: string[] = [];
  const listen = ({ message }: Error) => warnings.push(message);
  process.on('warning', listen);
  try {
    await work();
    await settle();
  } finally {
    process.off('warning', listen);
  }
  return warnings;
}

/** Fifty turns that work at the same time on one signal. */
async function fiftyTurns(signal: AbortSignal, meanwhile: () => void = () => {}) {
  const gate = deferred();
  const waiting = tool('Wait', async () => {
    await gate.promise;
    return 'done';
  });
  const turns = Array.from({ length: 50 }, () => run([waiting], calls('Wait'), { signal }));
  await settle();
  meanwhile();
  gate.resolve();
  for (const { results } of await Promise.all(turns)) expect(results).toMatchObject([{ ok: true }]);
}

function leakOn(signal: AbortSignal): void {
  for (let count = 0; count < 11; count++) signal.addEventListener('abort', () => {});
}

test('many turns at once on one signal are no leak', async () => {
  const { signal } = new AbortController();
  const before = getMaxListeners(signal);
  expect(await warningsDuring(() => fiftyTurns(signal))).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(getMaxListeners(signal)).toBe(before);
});

test('a leak of the host is told as before', async () => {
  const { signal } = new AbortController();
  expect(await warningsDuring(() => fiftyTurns(signal, () => leakOn(signal)))).toEqual([
    expect.stringContaining('abort listeners added'),
  ]);
});

test('a host that sets no limit keeps it so, and a signal of another making will do', async () => {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  expect(await warningsDuring(() => fiftyTurns(signal, () => leakOn(signal)))).toEqual([]);
  const foreign = {
    aborted: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  } as unknown as AbortSignal;
  expect((await run([tool('T', () => 'x')], calls('T'), { signal: foreign })).results).toMatchObject([{ ok: true }]);
});
