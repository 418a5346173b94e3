import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type createPermissions, ToolError } from 'toolwright';
import { cronTool, fileSchedule, pgSchedule, type Schedule, type ScheduledJob } from 'toolwright/extras/cron';
import { fakeTimers } from 'toolwright/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { storedSchedule } from '../../src/extras/cron/running-schedule.js';
import { scheduleTimes } from '../../src/extras/cron/schedule-times.js';
import { processIdentity } from '../../src/files/disk/process-identity.js';
import { askingToolkit } from '../support/asking-toolkit.js';
import { assessed } from '../support/assessed.js';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { memoryJobs } from '../support/memory-jobs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const scope = callScope();
const job = { name: 'report', schedule: '0 * * * *', prompt: 'Report.', session: 's1' };

/** A clock that moves only when the test says so. */
function clockAt(time: string) {
  const timers = fakeTimers();
  const start = Date.parse(time);
  return { timers, now: () => start + timers.now() };
}

type Clock = ReturnType<typeof clockAt>;
type OnDue = Parameters<typeof fileSchedule>[1]['onDue'];

/** A schedule in a file with a clock, and its runs with their times. */
function scheduled(clock: Clock = clockAt('2026-01-01T00:00:00Z'), onDue: OnDue = () => {}, path = jobsFile()) {
  const ran: string[] = [];
  const errors: string[] = [];
  const schedule = fileSchedule(path, {
    ...clock,
    timeZone: 'UTC',
    maxRunMs: 10 * minute,
    onError: ({ message }) => errors.push(message),
    onDue: (due, inner) => {
      ran.push(`${due.name} ${new Date(clock.now()).toISOString().slice(0, 16)}`);
      return onDue(due, inner);
    },
  });
  onTestFinished(() => schedule.dispose());
  const only = async () => (await schedule.list(scope)).jobs[0] as ScheduledJob;
  return { schedule, clock, path, ran, errors, only, runs: async () => (await schedule.list(scope)).runs };
}

/** A schedule in memory whose runs last until the test ends them. */
function heldRuns() {
  const clock = clockAt('2026-01-01T00:00:00Z');
  const store = memoryJobs(clock.now);
  const ends = new Map<string, () => void>();
  const onDue = ({ name }: ScheduledJob) => new Promise<void>((resolve) => ends.set(name, resolve));
  const schedule = storedSchedule(store, { timers: clock.timers, timeZone: 'UTC', onDue, onError: () => {} });
  onTestFinished(async () => {
    const disposed = schedule.dispose();
    for (const end of ends.values()) end();
    await disposed;
  });
  const begin = async (name: string) => {
    const { id } = await schedule.add({ ...job, name, schedule: '0 0 1 7 *' }, scope);
    await schedule.run(id, scope);
  };
  return { clock, store, schedule, begin, ends };
}

const jobsFile = () => join(temporaryFolder(), 'jobs.json');
const never = () => new Promise<never>(() => {});

describe('times', () => {
  const nexts = (text: string, zone: string, after: string, count: number) => {
    const { next } = scheduleTimes(text, zone, Date.parse('2026-01-01T00:00:17Z'));
    let time = Date.parse(after);
    return Array.from({ length: count }, () => {
      time = next(time) ?? Number.NaN;
      return Number.isNaN(time) ? 'none' : new Date(time).toISOString().slice(5, 19);
    }).join(' ');
  };

  test('are cron fields, intervals or single times, also at daylight saving changes', async () => {
    const [berlin, york] = ['Europe/Berlin', 'America/New_York'];
    const rows: readonly (readonly [text: string, zone: string, after: string, expected: string])[] = [
      ['0 9 * * 1-5', berlin, '2026-01-02T12:00Z', '01-05T08:00:00 01-06T08:00:00'],
      ['0 9 * * mon America/New_York', berlin, '2026-01-02T12:00Z', '01-05T14:00:00'],
      // The clock goes from 2:00 to 3:00: a time between is due at 3:00.
      ['30 2 * * *', berlin, '2026-03-28T12:00Z', '03-29T01:00:00 03-30T00:30:00'],
      ['30 2 * * *', york, '2026-03-07T12:00Z', '03-08T07:00:00 03-09T06:30:00'],
      ['*/30 * * * *', berlin, '2026-03-29T00:15Z', '03-29T00:30:00 03-29T01:00:00'],
      // The clock goes from 3:00 to 2:00: a time that comes twice is due at the first.
      ['30 2 * * *', berlin, '2026-10-24T12:00Z', '10-25T00:30:00 10-26T01:30:00'],
      ['30 1,13 * * *', york, '2026-10-31T20:00Z', '11-01T05:30:00 11-01T18:30:00'],
      ['*/30 * * * *', berlin, '2026-10-25T00:15Z', '10-25T00:30:00 10-25T01:00:00 10-25T01:30:00'],
      ['every 10m', berlin, '2026-03-29T00:55Z', '03-29T01:00:17 03-29T01:10:17'],
      ['Every 2 h', berlin, '2026-03-29T00:00Z', '03-29T00:00:17 03-29T02:00:17'],
      ['every 1d', berlin, '2026-03-28T00:01Z', '03-29T00:00:17 03-30T00:00:17'],
      ['2026-05-01T09:00', berlin, '2026-01-01T00:00Z', '05-01T07:00:00 none'],
      ['2026-05-01T09:00:30 America/New_York', berlin, '2026-01-01T00:00Z', '05-01T13:00:30 none'],
      ['2026-05-01T09:00:00.250+02:00', york, '2026-01-01T00:00Z', '05-01T07:00:00 none'],
      ['2026-03-29T02:30', berlin, '2026-01-01T00:00Z', '03-29T01:00:00 none'],
      ['2026-04-30T24:00', berlin, '2026-01-01T00:00Z', '04-30T22:00:00 none'],
      ['2026-05-01T09:00:30.5', berlin, '2026-01-01T00:00Z', '05-01T07:00:30 none'],
      ['2026-10-25T02:30', berlin, '2026-01-01T00:00Z', '10-25T00:30:00 none'],
      ['2026-05-01T09:00Z', berlin, '2026-06-01T00:00Z', 'none'],
      ['0 0 30 2 *', berlin, '2026-01-01T00:00Z', 'none'],
    ];
    await eachRow(rows, ([text, zone, after, expected]) =>
      expect(nexts(text, zone, after, expected.split(' ').length)).toBe(expected),
    );
  });

  test('that are invalid are rejected with the expected form', async () => {
    const rows = [
      ['', 'five fields such as'],
      ['* * * *', 'five fields such as'],
      ['* * * * * *', 'five fields such as'],
      ['@daily', 'five fields such as'],
      ['tomorrow', 'five fields such as'],
      ['2026-05-01', 'five fields such as'],
      ['61 * * * *', 'invalid value for minute: 61'],
      ['a * * * *', 'schedule: '],
      ['? * * * *', 'expected no ?'],
      ['every 10s', 'one minute to 366 days'],
      ['every 0m', 'one minute to 366 days'],
      ['every 400d', 'one minute to 366 days'],
      ['every', 'one minute to 366 days'],
      ['every 10m Europe/Berlin', 'no time zone after "every"'],
      ['0 9 * * * Europe/Berln', 'no time zone Europe/Berln. Did you mean'],
      ['2026-02-30T10:00', 'no time 2026-02-30T10:00'],
      ['2026-02-30T10:00Z', 'no time 2026-02-30T10:00Z'],
      ['2026-13-01T10:00', 'no time 2026-13-01T10:00'],
      ['2026-01-01T25:00', 'no time 2026-01-01T25:00'],
    ] as const;
    await eachRow(rows, ([text, message]) => expect(() => scheduleTimes(text, 'UTC')).toThrow(message));
  });
});

test('in a year with both daylight saving changes each job runs once at each of its times', async () => {
  const clock = clockAt('2026-01-01T00:00:00Z');
  const store = memoryJobs(clock.now);
  const ran = new Map<string, number[]>();
  const schedule = storedSchedule(
    store,
    {
      timeZone: 'Europe/Berlin',
      timers: clock.timers,
      onDue: ({ schedule: text }) => void (ran.get(text) ?? ran.set(text, []).get(text))?.push(clock.now()),
    },
    10 * day,
  );
  const texts = [
    ...['30 2 * * *', '0 3 * * *', '30 2 * * * America/New_York', '30 1 * * * America/New_York'],
    ...['0 */6 * * * America/New_York', '15 9 * * 1-5', '0 0 1 * *', 'every 12h', '2026-03-29T02:30'],
  ];
  for (const text of texts) await schedule.add({ ...job, schedule: text }, scope);
  await clock.timers.advance(365 * day - 1);
  await schedule.dispose();

  const seen = (text: string) => {
    const timeZone = text.endsWith('New_York') ? 'America/New_York' : 'Europe/Berlin';
    const local = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    return (ran.get(text) ?? []).map((time) => local.format(time));
  };
  const days = (text: string) => new Set(seen(text).map((time) => time.slice(0, 10))).size;
  const odd = (text: string, usual: string) => seen(text).filter((time) => !time.endsWith(usual));
  expect(Object.fromEntries(texts.map((text) => [text, seen(text).length]))).toEqual({
    '30 2 * * *': 365,
    '0 3 * * *': 365,
    '30 2 * * * America/New_York': 365,
    '30 1 * * * America/New_York': 365,
    // Four a day; the one at 0:00 in New York is the first.
    '0 */6 * * * America/New_York': 1_460,
    '15 9 * * 1-5': 261,
    // That of January was an hour before the start.
    '0 0 1 * *': 11 + 1,
    'every 12h': 729,
    '2026-03-29T02:30': 1,
  });
  for (const text of texts.slice(0, 4)) expect(days(text)).toBe(365);
  expect(odd('30 2 * * *', '02:30')).toEqual(['2026-03-29 03:00']);
  expect(odd('0 3 * * *', '03:00')).toEqual([]);
  expect(odd('30 2 * * * America/New_York', '02:30')).toEqual(['2026-03-08 03:00']);
  expect(odd('30 1 * * * America/New_York', '01:30')).toEqual([]);
  expect([...store.books.values()][0]?.runs.every(({ state }) => state === 'ok')).toBe(true);
  expect(clock.timers.pending).toBe(0);
});

describe('a schedule in a file', () => {
  test('keeps its jobs for the next process', async () => {
    const clock = clockAt('2026-01-01T00:00:00Z');
    const { schedule, path, ran } = scheduled(clock);
    expect(existsSync(path)).toBe(false);
    const { id, nextAt } = await schedule.add(job, scope);
    expect(nextAt).toBe('2026-01-01T01:00:00.000Z');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await schedule.dispose();
    await expect(schedule.add(job, scope)).rejects.toMatchObject({ code: 'cancelled' });
    await clock.timers.advance(90 * minute);
    const other = scheduled(clock, undefined, path);
    expect(await other.only()).toMatchObject({ ...job, id, timeZone: 'UTC' });
    await clock.timers.advance(hour);
    // Without a process nothing ran, then the job ran once for the missed times.
    expect([ran, other.ran]).toEqual([[], ['report 2026-01-01T01:30', 'report 2026-01-01T02:00']]);
    expect(readdirSync(join(path, '..'))).toEqual(['jobs.json']);
  });

  test('runs each time in one of the processes that use the file', async () => {
    const clock = clockAt('2026-01-01T00:00:00Z');
    const path = jobsFile();
    const all = Array.from({ length: 4 }, () => scheduled(clock, undefined, path));
    for (let count = 0; count < 10; count++)
      await all[count % 4]?.schedule.add({ ...job, name: `${count}`, schedule: 'every 5m' }, scope);
    await clock.timers.advance(10 * minute + 1);
    const ran = all.flatMap((one) => one.ran);
    expect([ran.length, new Set(ran).size]).toEqual([20, 20]);
  });

  test('runs a job once after several missed times, and continues', async () => {
    const { schedule, path, clock } = scheduled();
    await schedule.add({ ...job, schedule: '*/10 * * * *' }, scope);
    await schedule.dispose();
    await clock.timers.advance(3 * hour + 5 * minute);
    const { ran } = scheduled(clock, undefined, path);
    await clock.timers.advance(10 * minute);
    expect(ran).toEqual(['report 2026-01-01T03:05', 'report 2026-01-01T03:10']);
  });

  test('runs a job once at a time, and skips times meanwhile', async () => {
    const ends: (() => void)[] = [];
    const { schedule, clock, ran, only } = scheduled(undefined, ({ name }) =>
      name === 'report' ? new Promise<void>((end) => ends.push(end)) : undefined,
    );
    const { id } = await schedule.add({ ...job, schedule: 'every 1m' }, scope);
    // Another job is due meanwhile, so that the schedule checks both.
    const { id: other } = await schedule.add({ ...job, name: 'other', schedule: 'every 1m' }, scope);
    await clock.timers.advance(3.5 * minute);
    expect(ran.filter((run) => run.startsWith('report'))).toEqual(['report 2026-01-01T00:01']);
    expect(ran).toContain('other 2026-01-01T00:03');
    await schedule.remove(other, scope);
    ran.length = 1;
    expect((await only()).running?.since).toBe('2026-01-01T00:01:00.000Z');
    await expect(schedule.run(id, scope)).rejects.toThrow('report is already running');
    ends[0]?.();
    await clock.timers.advance(minute);
    expect(ran).toEqual(['report 2026-01-01T00:01', 'report 2026-01-01T00:04']);
  });

  test('runs a job on request, at most once a minute', async () => {
    const { schedule, clock, ran } = scheduled();
    const { id } = await schedule.add({ ...job, schedule: '* * * * *' }, scope);
    await clock.timers.advance(minute + 10_000);
    await expect(schedule.run(id, scope)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 50_000 });
    await clock.timers.advance(49_999);
    expect(ran).toEqual(['report 2026-01-01T00:01']);
    await clock.timers.advance(1);
    expect(ran).toHaveLength(2);
    expect(await schedule.run('none', scope)).toBeUndefined();
  });

  test('delays a failing job longer each time until it succeeds', async () => {
    let isBroken = true;
    const secret = ['ghp', 'roW0YFxDqcPLFAKEhnn6CpteeaZYNRvC9ndx'].join('_');
    const { schedule, clock, ran, only, runs } = scheduled(undefined, () => {
      if (isBroken) throw new Error(`no line with ${secret}`);
    });
    await schedule.add({ ...job, schedule: '* * * * *' }, scope);
    await clock.timers.advance(20 * minute);
    expect(ran.map((run) => run.slice(-2))).toEqual(['01', '02', '04', '08', '16']);
    expect((await only()).failures).toBe(5);
    isBroken = false;
    await clock.timers.advance(15 * minute);
    expect(ran.map((run) => run.slice(-2)).slice(5)).toEqual(['32', '33', '34', '35']);
    expect((await only()).failures).toBe(0);
    expect((await runs())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('no line with [') });
    expect(JSON.stringify(await runs())).not.toContain(secret);
  });

  test('removes a one-time job after its run, and keeps a failed one', async () => {
    const outcomes = [undefined, new Error('no line')];
    const { schedule, clock, ran, runs } = scheduled(undefined, () => {
      const failure = outcomes.shift();
      if (failure !== undefined) throw failure;
    });
    await schedule.add({ ...job, schedule: '2026-01-01T01:00' }, scope);
    const { id } = await schedule.add({ ...job, name: 'other', schedule: '2026-01-01T02:00' }, scope);
    await clock.timers.advance(3 * hour);
    expect(ran).toEqual(['report 2026-01-01T01:00', 'other 2026-01-01T02:00']);
    expect((await schedule.list(scope)).jobs).toMatchObject([{ name: 'other', isEnabled: false, failures: 1 }]);
    expect((await runs()).map(({ state }) => state)).toEqual(['ok', 'failed']);
    await expect(schedule.setEnabled(id, true, scope)).rejects.toThrow('is never due again');
    await schedule.run(id, scope);
    await clock.timers.advance(0);
    expect((await schedule.list(scope)).jobs).toEqual([]);
  });

  test('runs enabled jobs only, and no removed ones', async () => {
    const { schedule, clock, ran } = scheduled();
    const [first, second] = [await schedule.add(job, scope), await schedule.add({ ...job, name: 'other' }, scope)];
    expect(await schedule.setEnabled(first.id, false, scope)).toMatchObject({ isEnabled: false, nextAt: undefined });
    expect(await schedule.remove(second.id, scope)).toBe(true);
    expect(await schedule.remove(second.id, scope)).toBe(false);
    await clock.timers.advance(2 * hour);
    expect(ran).toEqual([]);
    expect((await schedule.setEnabled(first.id, true, scope))?.nextAt).toBe('2026-01-01T03:00:00.000Z');
    expect(await schedule.setEnabled('none', true, scope)).toBeUndefined();
    await clock.timers.advance(hour);
    expect(ran).toEqual(['report 2026-01-01T03:00']);
  });

  test('keeps the jobs of each owner separate, and runs them for their session', async () => {
    const scopes: unknown[] = [];
    const { schedule, clock } = scheduled(undefined, (_, { caller }) => scopes.push(caller));
    const ada = callScope({ caller: { sessionId: 's1', userId: 'ada' } });
    const { id } = await schedule.add({ ...job, session: 's2' }, ada);
    const others = [scope, callScope({ caller: { sessionId: 's1', userId: 'ada', agentId: 'a' } })];
    for (const other of others) {
      expect((await schedule.list(other)).jobs).toEqual([]);
      expect(await schedule.run(id, other)).toBeUndefined();
      expect(await schedule.remove(id, other)).toBe(false);
    }
    await clock.timers.advance(hour);
    expect(scopes).toEqual([{ sessionId: 's2', userId: 'ada' }]);
  });

  test('keeps 100 jobs of an owner and 50 runs, and rejects times that never come', async () => {
    const { schedule, clock, runs } = scheduled();
    for (let count = 0; count < 100; count++) await schedule.add({ ...job, name: `${count}` }, scope);
    await expect(schedule.add(job, scope)).rejects.toMatchObject({ code: 'limit_reached' });
    await schedule.add(job, callScope({ caller: { sessionId: 's1', userId: 'ada' } }));
    await clock.timers.advance(hour);
    expect((await runs()).map(({ name }) => Number(name))).toEqual(Array.from({ length: 50 }, (_, at) => 50 + at));
    const rows = [
      ['0 0 30 2 *', '0 0 30 2 * is never due again'],
      ['2026-01-01T00:00', 'is never due again'],
      ['every', 'one minute'],
    ] as const;
    const ada = callScope({ caller: { sessionId: 's1', userId: 'ada' } });
    await eachRow(rows, async ([text, message]) => {
      await expect(schedule.add({ ...job, schedule: text }, ada)).rejects.toMatchObject({
        ...{ code: 'invalid_input', message: expect.stringContaining(message) },
      });
    });
  });

  test('ends a run over its time limit, and all runs with itself', async () => {
    const signals: AbortSignal[] = [];
    const { schedule, clock, path, runs } = scheduled(undefined, (_, { signal }) => {
      signals.push(signal);
      return never();
    });
    const { id } = await schedule.add({ ...job, schedule: 'every 20m' }, scope);
    await schedule.run(id, scope);
    await clock.timers.advance(10 * minute);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const late = 'It did not end within 600000 ms';
    expect(await runs()).toMatchObject([{ state: 'failed', error: late, durationMs: 10 * minute }]);
    await clock.timers.advance(11 * minute);
    expect(signals).toHaveLength(2);
    await schedule.dispose();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(clock.timers.pending).toBe(0);
    const { runs: after, only } = scheduled(clock, undefined, path);
    expect((await after()).map(({ state }) => state)).toEqual(['failed', 'interrupted']);
    expect(await only()).toMatchObject({ failures: 1 });
    expect((await only()).running).toBeUndefined();
  });

  test('treats a run of an ended process as lost, and continues once that is certain', async () => {
    const clock = clockAt('2026-01-01T00:00:00Z');
    const dead = { ...fakeTimers(), now: clock.timers.now };
    const path = jobsFile();
    // Its timers never fire, like those of a killed process.
    const killed = fileSchedule(path, { timers: dead, now: clock.now, timeZone: 'UTC', onDue: never });
    const { id } = await killed.add({ ...job, schedule: 'every 1m' }, scope);
    await killed.run(id, scope);
    const { ran, runs, only } = scheduled(clock, undefined, path);
    await clock.timers.advance(minute - 1);
    expect([ran, await runs()]).toEqual([[], []]);
    await clock.timers.advance(1);
    expect(await runs()).toMatchObject([{ state: 'lost', at: '2026-01-01T00:00:00.000Z', durationMs: minute }]);
    expect((await only()).failures).toBe(1);
    await clock.timers.advance(minute);
    expect(ran).toEqual(['report 2026-01-01T00:02']);
    await killed.dispose();
    expect((await runs()).map(({ state }) => state)).toEqual(['lost', 'ok']);
  });

  test('keeps the claim of a long run', async () => {
    const clock = clockAt('2026-01-01T00:00:00Z');
    const first = scheduled(clock, never);
    const { id } = await first.schedule.add(job, scope);
    await first.schedule.run(id, scope);
    const second = scheduled(clock, undefined, first.path);
    await clock.timers.advance(5 * minute);
    expect([second.ran, await second.runs()]).toEqual([[], []]);
  });

  test('ends a run as lost whose end could not be stored, also beside a longer run', async () => {
    const { clock, store, schedule, begin, ends } = heldRuns();
    const change = store.change.bind(store);
    await begin('short');
    await begin('long');
    store.change = () => Promise.reject(new Error('down'));
    ends.get('short')?.();
    await clock.timers.advance(1);
    store.change = change;
    await clock.timers.advance(3 * minute);
    const { jobs, runs } = await schedule.list(scope);
    expect(jobs.map(({ running }) => running === undefined)).toEqual([true, false]);
    expect(runs).toMatchObject([{ name: 'short', state: 'lost' }]);
  });

  test('renews each run once in a while, also if a renewal was slow', async () => {
    const { clock, store, schedule, begin, ends } = heldRuns();
    const change = store.change.bind(store);
    const slow: (() => void)[] = [];
    await begin('first');
    store.change = async (owner, how) => {
      const result = await change(owner, how);
      await new Promise<void>((resolve) => slow.push(resolve));
      return result;
    };
    await clock.timers.advance(minute / 3);
    expect(slow).toHaveLength(1);
    store.change = change;
    ends.get('first')?.();
    await clock.timers.advance(minute / 6);
    await begin('second');
    slow[0]?.();
    await clock.timers.advance(1);
    await schedule.dispose();
    expect(clock.timers.pending).toBe(0);
  });

  test('that is damaged is reported, and not changed', async () => {
    const good = {
      ...{ id: 'a', name: 'a', schedule: '* * * * *', timeZone: 'UTC', prompt: 'x', session: 's', isEnabled: true },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', nextAt: '2026-01-01T00:01:00.000Z', failures: 0 },
    };
    const book = (change: object) =>
      JSON.stringify({ version: 1, books: [{ jobs: [{ ...good, ...change }], runs: [] }] });
    const rows: readonly (readonly [text: string, reason: string])[] = [
      ['', 'JSON'],
      ['{"version":1,"books":[', 'JSON'],
      ['[]', 'expected an object'],
      ['{"version":2,"books":[]}', 'version: '],
      ['{"version":1,"books":[{"jobs":{},"runs":[]}]}', 'books.0.jobs: expected an array'],
      [book({ prompt: 7 }), 'books.0.jobs.0.prompt: expected a string'],
      [book({ nextAt: 'soon' }), 'books.0.jobs.0.nextAt: expected a time'],
      [book({ schedule: 'soon' }), 'five fields'],
    ];
    await eachRow(rows, async ([text, reason]) => {
      const path = jobsFile();
      writeFileSync(path, text);
      expect(() => scheduled(undefined, undefined, path)).toThrow(reason);
      expect(readFileSync(path, 'utf8')).toBe(text);
      // The same while it runs: each call reports it, and so does the first check by timer.
      writeFileSync(path, book({}));
      const { schedule, clock, errors } = scheduled(undefined, undefined, path);
      writeFileSync(path, text);
      await expect(schedule.add(job, scope)).rejects.toMatchObject({ code: 'storage_failed' });
      await clock.timers.advance(5 * minute);
      expect(errors).toEqual([expect.stringMatching(/jobs\.json cannot be used: .*\. Tell the user\.$/)]);
      expect(readFileSync(path, 'utf8')).toBe(text);
    });
    expect(() => scheduled(undefined, undefined, temporaryFolder())).toThrow(/cannot be used/);
  });

  test('is changed by one process at a time: a lock of an ended process is ignored', async () => {
    const { schedule, path, clock } = scheduled();
    // No process has this number.
    symlinkSync(processIdentity(2 ** 22 + 1), `${path}.lock`);
    await schedule.add(job, scope);
    symlinkSync(processIdentity(), `${path}.lock`);
    let isAdded = false;
    const added = (async () => {
      await schedule.add(job, scope);
      isAdded = true;
    })();
    await clock.timers.advance(4_000);
    expect(isAdded).toBe(false);
    rmSync(`${path}.lock`);
    await clock.timers.advance(100);
    await added;
    expect((await schedule.list(scope)).jobs).toHaveLength(2);
  });

  test('gives up on a lock that stays: of a hanging process, of another machine, or garbage', async () => {
    await eachRow([[processIdentity()], ['garbage']], async ([mark]) => {
      const { schedule, path, clock } = scheduled();
      await schedule.add(job, scope);
      symlinkSync(mark, `${path}.lock`);
      const failure = (async () => schedule.add(job, scope))().catch((error: ToolError) => error);
      const disposed = schedule.dispose();
      await clock.timers.advance(20_000);
      expect(await failure).toMatchObject({ code: 'storage_failed', message: expect.stringContaining('.lock') });
      await disposed;
      expect(clock.timers.pending).toBe(0);
      expect(readlinkSync(`${path}.lock`)).toBe(mark);
    });
  });
});

describe('the tool', () => {
  function cron(schedule: Schedule, options: Parameters<typeof createPermissions>[0] = {}) {
    const { toolkit, asked } = askingToolkit({}, options);
    toolkit.registry.register(cronTool(schedule));
    const call = (input: object, caller: object = {}) =>
      toolkit.call('cron', input, { caller: { sessionId: 's1', ...caller } });
    return { toolkit, asked, call };
  }

  test('adds, lists, runs, disables, enables and removes jobs', async () => {
    const { schedule, clock } = scheduled(undefined, () => {
      throw new Error('no line');
    });
    const { call, asked } = cron(schedule);
    const added = await call({ action: 'add', schedule: '0 9 * * * Europe/Berlin', prompt: 'Sum up\nthe issues.' });
    const id = String(added.metadata?.id);
    expect(added.output).toBe(
      `Scheduled: ${id} "Sum up the issues.": 0 9 * * * Europe/Berlin (UTC) for the session s1, next 2026-01-01T08:00:00.000Z`,
    );
    expect(asked).toEqual([
      {
        title: expect.stringMatching(/^Schedule 0 9 \* \* \* Europe\/Berlin: Sum up/),
        preview: 'When: 0 9 * * * Europe/Berlin\nSession: its own\nSum up\nthe issues.',
        risk: 'high',
      },
    ]);
    expect((await call({ action: 'run', id })).output).toBe('Sum up the issues. has begun; list shows its result');
    await clock.timers.advance(minute);
    expect((await call({ action: 'list' })).output.split('\n')).toEqual([
      expect.stringMatching(/^\w+ "Sum up the issues\.": .*, failures in a row: 1$/),
      '',
      'Last runs:',
      '2026-01-01T00:00:00.000Z "Sum up the issues.": failed after 0 ms: no line',
    ]);
    expect((await call({ action: 'list', id })).output).toContain('\n\nSum up\nthe issues.\n\nLast runs:\n');
    expect((await call({ action: 'disable', id })).output).toContain(', disabled');
    expect((await call({ action: 'enable', id })).output).toContain(', next 2026-01-01T08:00');
    expect((await call({ action: 'remove', id })).output).toBe(`The job ${id} is removed`);
    const { output } = await call({ action: 'list' });
    expect(output).toMatch(/^There are no scheduled jobs\n\nLast runs:/);
  });

  test('keeps no credentials', async () => {
    const { schedule, path } = scheduled();
    const { call, asked } = cron(schedule);
    const secret = ['ghp', 'roW0YFxDqcPLFAKEhnn6CpteeaZYNRvC9ndx'].join('_');
    const result = await call({ action: 'add', name: secret, schedule: 'every 1d', prompt: `Push with ${secret}` });
    expect(result.ok).toBe(true);
    expect(JSON.stringify([asked, result]) + readFileSync(path, 'utf8')).not.toContain(secret.slice(4, 20));
  });

  test('rejects an invalid input before a question', async () => {
    const { schedule, path } = scheduled();
    const { call, asked } = cron(schedule);
    const rows = [
      [{ action: 'destroy' }, 'expected one of "add", "list"'],
      [{ action: 'add', prompt: 'x' }, 'expected schedule for the action add'],
      [{ action: 'remove' }, 'expected id for the action remove'],
      [{ action: 'remove', id: 'a', prompt: 'x' }, 'expected no prompt for the action remove, which takes id'],
      [{ action: 'add', id: 'a', schedule: 'every 1d', prompt: 'x' }, 'expected no id for the action add'],
      [{ action: 'list', schedule: 'every 1d' }, 'expected no schedule for the action list'],
      [{ action: 'add', schedule: 'tomorrow', prompt: 'x' }, 'expected five fields'],
      [{ action: 'add', schedule: 'every 1s', prompt: 'x' }, 'one minute to 366 days'],
      [{ action: 'add', schedule: '0 9 * * * Mars/Base', prompt: 'x' }, 'no time zone Mars/Base'],
      [{ action: 'add', schedule: 'every 1d', prompt: ' ' }, 'not empty'],
      [{ action: 'add', schedule: 'every 1d', prompt: 'x'.repeat(10_001) }, 'at most 10000'],
    ] as const;
    await eachRow(rows, async ([input, message]) => {
      const result = await call(input);
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      expect(result.output).toContain(message);
    });
    expect([asked, existsSync(path)]).toEqual([[], false]);
  });

  test('names an unknown job, also one of another owner', async () => {
    const { schedule } = scheduled();
    const { call } = cron(schedule);
    const id = String((await call({ action: 'add', schedule: 'every 1d', prompt: 'x' })).metadata?.id);
    const slip = `${id.slice(0, -1)}_`;
    for (const action of ['list', 'remove', 'run', 'enable', 'disable']) {
      const { output, ...result } = await call({ action, id: slip });
      expect(result).toMatchObject({ ok: false, error: { code: 'task_not_found' } });
      expect(output).toContain(`Did you mean "${id}"? Look at the list.`);
      const foreign = await call({ action, id }, { userId: 'ada' });
      expect(foreign).toMatchObject({ error: { code: 'task_not_found' } });
      expect(foreign.output).not.toContain('Did you mean');
    }
  });

  test('asks about a prompt to another session in spite of an allow rule, and asks once', async () => {
    const { schedule, only } = scheduled();
    const { call, asked } = cron(schedule, { allow: ['cron'] });
    await call({ action: 'add', schedule: 'every 1d', prompt: 'x', session: 's1' });
    expect(asked).toEqual([]);
    await call({ action: 'add', schedule: 'every 1d', prompt: 'x', session: 's2' });
    expect(asked).toMatchObject([{ preview: 'When: every 1d\nSession: s2\nx' }]);
    expect(await only()).toMatchObject({ session: 's1' });
  });

  test('is for the main agent only', async () => {
    const { schedule } = scheduled();
    const { toolkit, call, asked } = cron(schedule);
    const names = (depth: number) => toolkit.definitions({ sessionId: 's1', depth }).map(({ name }) => name);
    expect([names(0).includes('cron'), names(1).includes('cron')]).toEqual([true, false]);
    const inner = callScope({ caller: { sessionId: 's1', depth: 1 } });
    const assessment = await assessed(toolkit.registry.get('cron'), { action: 'list' }, inner);
    expect(assessment.verdict).toMatchObject({ behavior: 'deny' });
    expect(await call({ action: 'list' }, { depth: 1 })).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
  });

  test('fails one call if the schedule fails or returns an invalid answer', async () => {
    const fails = () => Promise.reject(new Error('the disk is gone'));
    const broken = { add: fails, list: fails, remove: fails, run: fails, setEnabled: fails };
    expect(await cron(broken).call({ action: 'list' })).toMatchObject({
      ...{ error: { code: 'execution_failed' }, output: expect.stringContaining('the disk is gone') },
    });
    const nonsense = cron({ ...broken, list: () => 'none' as never, run: () => undefined });
    expect((await nonsense.call({ action: 'list' })).output).toContain('gave no usable answer');
    expect(await nonsense.call({ action: 'run', id: 'a' })).toMatchObject({ error: { code: 'execution_failed' } });
  });
});

test('mistakes of the program are TypeErrors with the correct form', async () => {
  const onDue = () => {};
  const rows: readonly (readonly [make: () => unknown, message: string])[] = [
    [() => cronTool({} as never), 'cronTool(fileSchedule(path, { onDue }))'],
    [() => fileSchedule('jobs.json', { onDue }), 'fileSchedule takes an absolute path'],
    [() => fileSchedule('/jobs.json', {} as never), 'fileSchedule: pass onDue'],
    [() => fileSchedule('/jobs.json', { onDue, onDeu: onDue } as never), 'onDue'],
    [() => fileSchedule('/jobs.json', { onDue, timeZone: 'Berlin' }), 'fileSchedule: timeZone: there is no time zone'],
    [() => fileSchedule('/jobs.json', { onDue, maxRunMs: -1 }), 'maxRunMs takes'],
    [() => pgSchedule({} as never, { onDue }), 'pgSchedule(fromPg(pool), { onDue })'],
    [() => pgSchedule({ query: onDue, transaction: onDue } as never, {} as never), 'pgSchedule: pass onDue'],
  ];
  await eachRow(rows, ([make, message]) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(ToolError);
  });
});
