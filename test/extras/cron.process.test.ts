import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileSchedule, pgSchedule, type Schedule, type ScheduledJob } from 'toolwright/extras/cron';
import { fromPg, migrate } from 'toolwright/managed';
import { fakeTimers } from 'toolwright/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { compiled } from '../support/compiled-programs.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const scope = callScope();
const count = 60;
const yearly = { name: 'report', schedule: '0 0 1 1 *', prompt: 'Report.', session: 's1' };
const never = () => new Promise<never>(() => {});

/** A separate process that runs the jobs of a store until it is ended, or adds jobs. */
function startHost(...given: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [compiled('test/support/cron-host'), ...given]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { out: '', err: '' };
  child.stdout?.on('data', (data) => {
    printed.out += data;
  });
  child.stderr?.on('data', (data) => {
    printed.err += data;
  });
  const closed = once(child, 'close');
  return {
    printed,
    begin: async () => {
      await until(() => printed.out.startsWith('ready'));
      return () => child.stdin?.write('go');
    },
    end: async () => {
      child.stdin?.end();
      await closed;
      expect([child.exitCode, printed.err]).toEqual([0, '']);
    },
  };
}

/** Two processes start with due jobs. Checks that each job runs once. */
async function runOnce(kind: string, place: string, jobs: () => Promise<readonly ScheduledJob[]>): Promise<void> {
  const log = join(temporaryFolder(), 'log');
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const hosts = [startHost(kind, place, log), startHost(kind, place, log)];
  for (const begin of await Promise.all(hosts.map((host) => host.begin()))) begin();
  await until(() => lines().length >= count);
  for (const { end } of hosts) await end();
  const ran = lines().map((line) => line.split(' ')[0]);
  expect([ran.length, new Set(ran).size]).toEqual([count, count]);
  const after = await jobs();
  expect(after.map(({ id }) => id).toSorted()).toEqual(ran.toSorted());
  expect(after.filter(({ running, failures }) => running !== undefined || failures > 0)).toEqual([]);
}

async function addAll(schedule: Schedule): Promise<void> {
  for (let index = 0; index < count; index++) await schedule.add(yearly, scope);
}

describe('on one file', () => {
  const path = () => join(temporaryFolder(), 'jobs.json');

  test('a job due in two processes runs once', async () => {
    const file = path();
    const past = { now: () => Date.parse('2020-06-01T00:00Z'), timers: fakeTimers(), onDue: never };
    const first = fileSchedule(file, past);
    await addAll(first);
    await first.dispose();
    await runOnce('file', file, async () => {
      const look = fileSchedule(file, past);
      const { jobs } = await look.list(scope);
      await look.dispose();
      return jobs;
    });
    expect(readdirSync(join(file, '..'))).toEqual(['jobs.json']);
  });

  test('simultaneous additions of processes are all kept', async () => {
    const file = path();
    const hosts = Array.from({ length: 3 }, () => startHost('file', file, '', '30'));
    for (const begin of await Promise.all(hosts.map((host) => host.begin()))) begin();
    for (const { end } of hosts) await end();
    const added = hosts.flatMap(({ printed }) => printed.out.trim().split('\n').slice(1));
    const look = fileSchedule(file, { onDue: never, timers: fakeTimers() });
    const { jobs } = await look.list(scope);
    await look.dispose();
    expect(jobs.map(({ id }) => id).toSorted()).toEqual(added.toSorted());
    expect(jobs).toHaveLength(90);
  });
});

describe.runIf(await hasPostgres())('on PostgreSQL', () => {
  async function database() {
    const schema = await emptySchema();
    const pool = schema.pool();
    const client = fromPg(pool);
    await migrate(client);
    /** Moves due times and claims into the past. */
    const pass = () =>
      client.query(`UPDATE schedules SET due_at = now() - interval '1 hour', jobs = (
        SELECT coalesce(json_agg((job::jsonb || jsonb_build_object('nextAt', '2020-01-01T00:00:00.000Z')
          || CASE WHEN job->'running' IS NULL THEN '{}' ELSE jsonb_build_object('running',
            (job->'running')::jsonb || '{"until": "2020-01-01T00:00:00.000Z"}') END)), '[]')
        FROM json_array_elements(jobs) AS job)`);
    return {
      schema,
      client,
      pass,
      name: async () => String((await pool.query('SHOW search_path')).rows[0].search_path),
    };
  }

  function opened(client: Parameters<typeof pgSchedule>[0], onDue: (job: ScheduledJob) => unknown = () => {}) {
    const timers = fakeTimers();
    const ran: string[] = [];
    const errors: string[] = [];
    const schedule = pgSchedule(client, {
      timers,
      onError: ({ message }) => errors.push(message),
      onDue: (job) => {
        ran.push(job.id);
        return onDue(job);
      },
    });
    onTestFinished(() => schedule.dispose());
    return { schedule, timers, ran, errors };
  }

  test('a job due in two processes runs once', async () => {
    const { client, pass, name } = await database();
    const { schedule } = opened(client);
    await addAll(schedule);
    await schedule.dispose();
    await pass();
    await runOnce('pg', await name(), async () => (await schedule.list(scope)).jobs);
  });

  test('a run in one client is seen as ended by the other', async () => {
    const { schema, client, pass } = await database();
    let end = () => {};
    const first = opened(client, () => new Promise<void>((resolve) => (end = resolve)));
    const { id } = await first.schedule.add({ ...yearly, schedule: 'every 1m' }, scope);
    await pass();
    await first.timers.advance(30_000);
    await until(() => first.ran.length === 1);
    const second = opened(fromPg(schema.pool()));
    const seen = async () => (await second.schedule.list(scope)).jobs[0];
    expect((await seen())?.running).toBeDefined();
    await expect(second.schedule.run(id, scope)).rejects.toMatchObject({ code: 'limit_reached' });
    end();
    await expect.poll(async () => (await seen())?.running).toBeUndefined();
    expect((await second.schedule.list(scope)).runs).toMatchObject([{ jobId: id, state: 'ok' }]);
    expect([first.ran, second.ran, first.errors, second.errors]).toEqual([[id], [], [], []]);
  });

  test('a run of an ended process is lost, and the job continues', async () => {
    const { client, pass } = await database();
    const killed = opened(client, never);
    const { id } = await killed.schedule.add({ ...yearly, schedule: 'every 1h' }, scope);
    await killed.schedule.run(id, scope);
    await until(() => killed.ran.length === 1);
    await pass();
    const { schedule } = opened(client);
    const runs = async () => (await schedule.list(scope)).runs.map(({ state }) => state);
    await expect.poll(runs).toEqual(['lost']);
    expect((await schedule.list(scope)).jobs).toMatchObject([{ id, failures: 1 }]);
    // It notices the loss when it renews its claim, and stores nothing.
    await killed.timers.advance(20_000);
    await killed.schedule.dispose();
    expect(await runs()).toEqual(['lost']);
  });

  test('owners have separate jobs', async () => {
    const { client, pass } = await database();
    const { schedule, ran, timers } = opened(client);
    const scopes = [{}, { userId: 'ada' }, { agentId: 'a' }, { userId: 'ada', agentId: 'a' }].map((owner) =>
      callScope({ caller: { sessionId: 's1', ...owner } }),
    );
    const ids: string[] = [];
    for (const owner of scopes) ids.push((await schedule.add(yearly, owner)).id);
    for (const [index, owner] of scopes.entries())
      expect((await schedule.list(owner)).jobs.map(({ id }) => id)).toEqual([ids[index]]);
    await pass();
    await timers.advance(30_000);
    await until(() => ran.length === 4);
    expect(ran.toSorted()).toEqual(ids.toSorted());
    expect(await schedule.remove(ids[0] ?? '', scopes[1] ?? scope)).toBe(false);
  });

  test('a database without the tables is reported once', async () => {
    const { schedule, errors, timers } = opened(fromPg((await emptySchema()).pool()));
    await expect(schedule.list(scope)).rejects.toMatchObject({ code: 'storage_failed' });
    await until(() => errors.length > 0);
    await timers.advance(120_000);
    expect(errors).toEqual([expect.stringContaining('"schedules" does not exist')]);
  });
});
