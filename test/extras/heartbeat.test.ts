import { heartbeat } from 'toolwright/extras/cron';
import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';

const everyMs = 60_000;

test('only real content of the file starts the agent', async () => {
  const rows: readonly (readonly [text: string | undefined, isWoken: boolean])[] = [
    [undefined, false],
    ['', false],
    [' \n\t\n', false],
    ['# Heartbeat\n\n## Morning\r\n', false],
    ['<!-- Write here what to\nlook at. -->\n# Tasks\n- \n* [ ]\n---\n', false],
    ['<!-- never closed\nLook at the mail.', false],
    ['#hashtag', true],
    ['# Tasks\n- Look at the mail.', true],
    ['# Tasks\n- [ ] Look at the mail.', true],
    ['Look at the mail.', true],
    ['<!-- note --> Look at the mail.', true],
  ];
  await eachRow(rows, async ([text, isWoken]) => {
    const timers = fakeTimers();
    const woken: string[] = [];
    await using beats = heartbeat({ everyMs, timers, read: () => text, run: (given) => woken.push(given) });
    expect(await beats.beat()).toBe(isWoken);
    await timers.advance(everyMs);
    expect(woken).toEqual(isWoken ? [text, text] : []);
  });
});

test('the file of the current folder is read, and may be missing', async () => {
  const woken: string[] = [];
  await using beats = heartbeat({ everyMs, timers: fakeTimers(), run: (text) => woken.push(text) });
  expect(await beats.beat()).toBe(false);
  expect(woken).toEqual([]);
});

test('beats do not overlap, and each comes a pause after the end of the previous one', async () => {
  const timers = fakeTimers();
  const ends: (() => void)[] = [];
  const run = () => new Promise<void>((end) => ends.push(end));
  await using beats = heartbeat({ everyMs, timers, read: () => 'x', run });
  await timers.advance(10 * everyMs);
  expect(ends).toHaveLength(1);
  const asked = beats.beat();
  ends[0]?.();
  expect(await asked).toBe(true);
  await timers.advance(everyMs - 1);
  expect(ends).toHaveLength(1);
  await timers.advance(1);
  expect(ends).toHaveLength(2);
  ends[1]?.();
});

test('a failed beat is reported, and the next one comes', async () => {
  const timers = fakeTimers();
  const errors: string[] = [];
  const failures = [new Error('no line'), undefined];
  await using _beats = heartbeat({
    ...{ everyMs, timers, read: () => 'x' },
    run: () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    },
    onError: ({ message }) => {
      errors.push(message);
      throw new Error('a listener that fails');
    },
  });
  await timers.advance(2 * everyMs);
  expect([errors, failures]).toEqual([['no line'], []]);
  const unread = heartbeat({
    ...{ everyMs, timers, run: () => {} },
    read: () => Promise.reject(new Error('no file')),
    onError: ({ message }) => errors.push(message),
  });
  expect(await unread.beat()).toBe(false);
  await unread.dispose();
  expect(errors).toEqual(['no line', 'no file']);
});

test('the end of the heartbeat ends the running beat, and leaves no timer', async () => {
  const timers = fakeTimers();
  const signals: AbortSignal[] = [];
  const run = (_: string, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
  };
  const beats = heartbeat({ everyMs, timers, read: () => 'x', run });
  await timers.advance(everyMs);
  await beats.dispose();
  await beats.dispose();
  expect([signals.map(({ aborted }) => aborted), timers.pending]).toEqual([[true], 0]);
  expect(await beats.beat()).toBe(false);
  expect(signals).toHaveLength(1);
});

test('a beat that does not end is waited for at most five seconds', async () => {
  const timers = fakeTimers();
  const beats = heartbeat({ everyMs, timers, read: () => new Promise(() => {}), run: () => {} });
  void beats.beat();
  let isDisposed = false;
  const disposing = beats.dispose().then(() => {
    isDisposed = true;
  });
  await timers.advance(4_999);
  expect(isDisposed).toBe(false);
  await timers.advance(1);
  await disposing;
  expect(timers.pending).toBe(0);
});

test('mistakes of the program are TypeErrors', async () => {
  const run = () => {};
  const rows = [
    [{}, 'heartbeat: pass everyMs, run'],
    [{ everyMs: 10, run }, 'everyMs takes a number from 1000 up, not 10'],
    [{ everyMs, run: 'x' }, 'run takes a function'],
    [{ everyMs, run, raed: run }, 'read'],
  ] as const;
  await eachRow(rows, ([options, message]) => expect(() => heartbeat(options as never)).toThrow(message));
});
