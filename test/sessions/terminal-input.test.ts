import { PassThrough } from 'node:stream';
import { terminalInput } from 'toolwright';
import { expect, test } from 'vitest';
import { callScope } from '../support/call-scope.js';

const question = (text: string) => ({
  question: text,
  header: 'H',
  options: [
    { label: 'A', description: '' },
    { label: 'B', description: '' },
  ],
  multiSelect: false,
});

function terminal() {
  const input = new PassThrough();
  const asked = terminalInput({ input, output: new PassThrough().resume() });
  const ask = (text: string, signal?: AbortSignal) =>
    asked.ask({ questions: [question(text)] }, { ...callScope(), ...(signal && { signal }) });
  return { input, ask };
}

test('lines that are typed early answer the next questions', async () => {
  const { input, ask } = terminal();
  input.write('1\n2\nown words\n');
  expect((await ask('one')).answers).toEqual({ one: 'A' });
  expect((await ask('two')).answers).toEqual({ two: 'B' });
  expect((await ask('three')).answers).toEqual({ three: 'own words' });
  input.end();
  expect(await ask('four')).toEqual({ answers: {}, skipped: ['four'] });
});

test('a destroyed input skips the remaining questions', async () => {
  const { input, ask } = terminal();
  const waiting = ask('one');
  setImmediate(() => input.destroy(new Error('EIO')));
  expect((await waiting).skipped).toEqual(['one']);
  expect((await ask('two')).skipped).toEqual(['two']);
  const gone = terminal();
  gone.input.destroy();
  expect((await gone.ask('three')).skipped).toEqual(['three']);
});

test('an abort ends the open question, and the next one is asked', async () => {
  const { input, ask } = terminal();
  const stop = new AbortController();
  const waiting = ask('one', stop.signal);
  setImmediate(() => stop.abort(new Error('stopped')));
  await expect(waiting).rejects.toThrow('stopped');
  input.write('2\n');
  expect((await ask('two')).answers).toEqual({ two: 'B' });
});
