import { createToolkit } from 'toolwright';
import type { SubagentSpawner } from 'toolwright/core';
import { fromPg, leasedSpawner, migrate, type SqlClient, subagentLeases, takeOverSubagents } from 'toolwright/managed';
import { fakeTimers, subagentSpawnerConformance } from 'toolwright/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { subjects } from '../support/conformance-subjects.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const task = { description: 'count', prompt: 'Count the files.' };

async function migrated(): Promise<SqlClient> {
  const client = fromPg((await emptySchema()).pool());
  await migrate(client);
  return client;
}

/** A simulated process: a toolkit with leased subagents. The test moves its `timers`. */
function processOn(client: SqlClient, root: string, spawn: SubagentSpawner['spawn'], limits = {}) {
  const timers = fakeTimers();
  const leases = subagentLeases(client, { timers });
  const toolkit = createToolkit({
    root,
    limits: { subagents: limits },
    hosts: { subagents: (toolkit) => leasedSpawner({ spawn }, { leases, toolkit }) },
  });
  onTestFinished(() => toolkit.dispose());
  return { toolkit, leases, timers };
}

const hanging = () => {
  let finish = (_output: string) => {};
  const ended = new Promise<string>((resolve) => {
    finish = resolve;
  });
  let begun = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const signals: AbortSignal[] = [];
  const spawn: SubagentSpawner['spawn'] = async (_request, { signal }) => {
    signals.push(signal);
    begun();
    return { output: await ended };
  };
  return { spawn, finish: (output: string) => finish(output), running, signals };
};

const expired = `UPDATE subagent_leases SET held_until = now() - interval '1 second'`;

describe.runIf(await hasPostgres())('subagents of several processes', () => {
  test.each(subagentSpawnerConformance)('$name', ({ run }) =>
    run(async () => {
      const leases = subagentLeases(await migrated());
      const { spawner, ...subject } = subjects.spawner();
      const toolkit = createToolkit({ root: temporaryFolder() });
      return { ...subject, spawner: leasedSpawner(spawner, { leases, toolkit }), dispose: () => toolkit.dispose() };
    }),
  );

  test('a run with an expired claim is taken over once, and its old owner reports nothing', async () => {
    const [client, root] = [await migrated(), temporaryFolder()];
    const old = hanging();
    const first = processOn(client, root, old.spawn);
    const caller = { sessionId: 's', userId: 'ann' };
    const lost = first.toolkit.subagents.run({ ...task, mode: 'plan', name: 'counter' }, { caller });
    await old.running;
    const [{ agentId } = { agentId: '' }] = first.toolkit.subagents.list();

    const seen: unknown[] = [];
    const spawn: SubagentSpawner['spawn'] = async ({ prompt, mode, name }, { caller }) => {
      seen.push({ prompt, mode, name, caller: { ...caller, agentId: undefined } });
      return { output: 'seven' };
    };
    const others = [processOn(client, root, spawn), processOn(client, root, spawn)];
    const elsewhere = processOn(client, temporaryFolder(), spawn);
    const all = [...others, elsewhere];
    const stops = all.map(({ toolkit, leases }) => takeOverSubagents(toolkit, leases));
    for (const { timers } of all) await expect.poll(() => timers.pending).toBe(1);
    expect(seen).toEqual([]);
    await client.query(expired);
    await elsewhere.timers.advance(10_000);
    await expect.poll(() => elsewhere.timers.pending).toBe(1);
    expect(seen).toEqual([]);
    await Promise.all(all.map(({ timers }) => timers.advance(10_000)));
    const completed = { state: 'completed', output: 'seven' };
    await expect.poll(() => first.leases.outcomeOf(agentId)).toMatchObject(completed);
    const own = { agentId: undefined, sessionId: 's', userId: 'ann', depth: 1 };
    expect(seen).toEqual([{ prompt: 'Count the files.', mode: 'plan', name: undefined, caller: own }]);

    old.finish('eight');
    expect(await lost).toMatchObject({ state: 'failed', error: { code: 'interrupted' } });
    expect(await first.leases.outcomeOf(agentId)).toMatchObject(completed);
    await Promise.all(stops.map((stop) => stop()));
    for (const { timers } of [first, ...all]) expect(timers.pending).toBe(0);
  });

  test('a claim is renewed every 10 seconds, and the run is given up if another process has the claim', async () => {
    const [client, root] = [await migrated(), temporaryFolder()];
    const run = hanging();
    const { toolkit, leases, timers } = processOn(client, root, run.spawn);
    const outcome = toolkit.subagents.run(task);
    await run.running;
    expect(timers.waits).toEqual([10_000, 30_000]);
    await client.query(expired);
    await timers.advance(10_000);
    await expect.poll(() => timers.waits).toEqual([10_000, 30_000]);
    expect(await leases.takeNext(root)).toBeUndefined();
    await client.query(expired);
    expect(await subagentLeases(client, { timers: fakeTimers() }).takeNext(root)).toMatchObject({ root });
    await timers.advance(10_000);
    expect(await outcome).toMatchObject({ state: 'failed', error: { code: 'interrupted' } });
    expect(run.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(timers.pending).toBe(0);
  });

  const aways: readonly (readonly [string, () => Promise<never>])[] = [
    ['hangs', () => new Promise(() => {})],
    ['fails', () => Promise.reject(new Error('away'))],
  ];
  test.each(aways)('a run is given up if the database %s for 30 seconds', async (_what, away) => {
    const [client, root] = [await migrated(), temporaryFolder()];
    const run = hanging();
    let isAway = false;
    const query: SqlClient['query'] = (...given) => (isAway ? away() : client.query(...given));
    const { toolkit, timers } = processOn({ ...client, query }, root, run.spawn);
    const outcome = toolkit.subagents.run(task);
    await run.running;
    isAway = true;
    await timers.advance(29_999);
    expect(run.signals.map(({ aborted }) => aborted)).toEqual([false]);
    await timers.advance(1);
    expect(await outcome).toMatchObject({ state: 'failed', error: { code: 'interrupted' } });
    expect(timers.pending).toBe(0);
  });

  test('a result is stored later if the database fails', async () => {
    const [client, root] = [await migrated(), temporaryFolder()];
    let failures = 0;
    const query: SqlClient['query'] = (text, values) =>
      text.includes('SET settled') && failures++ < 1 ? Promise.reject(new Error('away')) : client.query(text, values);
    const { toolkit, leases, timers } = processOn({ ...client, query }, root, async () => ({ output: 'seven' }));
    const outcome = toolkit.subagents.run(task);
    await expect.poll(() => failures).toBe(1);
    await expect.poll(() => timers.pending).toBe(2);
    await timers.advance(10_000);
    const { agentId, state } = await outcome;
    expect([state, await leases.outcomeOf(agentId)]).toMatchObject(['completed', { output: 'seven' }]);
    expect(timers.pending).toBe(0);
  });

  test('a stored result counts, even if a renewal that finds it is answered first', async () => {
    const [client, root] = [await migrated(), temporaryFolder()];
    const run = hanging();
    let store = () => {};
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    let renewal: ReturnType<SqlClient['query']> | undefined;
    const query: SqlClient['query'] = async (text, values) => {
      if (text.includes('settled IS NULL RETURNING id')) {
        renewal = stored.then(() => client.query(text, values));
        return await renewal;
      }
      const answer = await client.query(text, values);
      if (!text.includes('SET settled')) return answer;
      store();
      await renewal;
      await new Promise(setImmediate);
      return answer;
    };
    const { toolkit, timers } = processOn({ ...client, query }, root, run.spawn);
    const outcome = toolkit.subagents.run(task);
    await run.running;
    await timers.advance(10_000);
    expect(renewal).toBeDefined();
    run.finish('seven');
    expect(await outcome).toMatchObject({ state: 'completed', output: 'seven' });
  });

  test('types and models may be defined later', async () => {
    const spawner: { -readonly [Key in keyof SubagentSpawner]: SubagentSpawner[Key] } = { spawn: hanging().spawn };
    const toolkit = createToolkit({ root: temporaryFolder() });
    const leased = leasedSpawner(spawner, { leases: subagentLeases(await migrated()), toolkit });
    spawner.types = { tester: 'Tests.' };
    spawner.models = ['small'];
    expect(leased).toMatchObject({ types: { tester: 'Tests.' }, models: ['small'] });
  });

  test('a failed or cancelled run is not taken over', async () => {
    const [client, root] = [await migrated(), temporaryFolder()];
    const run = hanging();
    const { toolkit, leases } = processOn(client, root, async (request, scope) => {
      if (request.prompt === 'fail') throw new Error('no model');
      return Promise.race([
        run.spawn(request, scope),
        new Promise<never>((_, reject) => scope.signal.addEventListener('abort', () => reject(scope.signal.reason))),
      ]);
    });
    const failed = await toolkit.subagents.run({ ...task, prompt: 'fail' });
    const cancelled = toolkit.subagents.run(task);
    await run.running;
    await toolkit.subagents.cancel('all');
    await client.query(expired);
    expect(await leases.takeNext(root)).toBeUndefined();
    expect(await leases.outcomeOf(failed.agentId)).toMatchObject({ state: 'failed', error: { message: 'no model' } });
    expect(await leases.outcomeOf((await cancelled).agentId)).toMatchObject({ error: { code: 'interrupted' } });
    expect(await leases.outcomeOf('agent_unknown')).toBeUndefined();
  });

  test('a run started by a subagent ends, one over the limits waits, and a resumed one has all its messages', async () => {
    const [client, root] = [await migrated(), temporaryFolder()];
    const gone = processOn(client, root, async () => ({ output: '' }));
    const request = (id: string, more = {}) => ({
      ...{ id, type: 'general-purpose', maxTurns: 5, tools: [], report: () => {}, inbox: () => [] },
      ...task,
      ...more,
    });
    const claim = (id: string, depth: number, more = {}) =>
      gone.leases.claim(request(id, more), { sessionId: 's', agentId: id, depth }, root);
    await claim('agent_deep', 2);
    await claim('agent_one', 1);
    await claim('agent_one', 1, { resume: 'agent_one', prompt: 'And the folders.', message: 'And the folders.' });
    await claim('agent_two', 1);
    await expect(
      subagentLeases(client).claim(request('agent_two'), { sessionId: 's', agentId: 'agent_two', depth: 1 }, root),
    ).rejects.toMatchObject({ code: 'execution_failed', message: expect.stringContaining('agent_two') });
    await client.query(expired);

    const run = hanging();
    const prompts: string[] = [];
    const spawn: SubagentSpawner['spawn'] = (request, scope) => {
      prompts.push(request.prompt);
      return run.spawn(request, scope);
    };
    const { toolkit, leases, timers } = processOn(client, root, spawn, { maxConcurrent: 1 });
    const stop = takeOverSubagents(toolkit, leases);
    onTestFinished(stop);
    await run.running;
    expect(prompts).toEqual(['Count the files.\n\nAnd the folders.']);
    expect(await leases.outcomeOf('agent_deep')).toMatchObject({ error: { code: 'interrupted' } });
    await expect.poll(() => timers.waits.length).toBe(3);
    expect(await leases.outcomeOf('agent_two')).toEqual({ state: 'running' });
    run.finish('seven');
    await expect.poll(() => leases.outcomeOf('agent_one')).toMatchObject({ output: 'seven' });
    await timers.advance(10_000);
    await expect.poll(() => leases.outcomeOf('agent_two')).toMatchObject({ output: 'seven' });
  });
});

test('invalid options are rejected', () => {
  const client = {
    query: async () => ({ rows: [] }),
    transaction: async () => undefined as never,
    listen: async () => async () => {},
  };
  expect(() => subagentLeases({} as never)).toThrow('subagentLeases takes a SqlClient');
  expect(() => subagentLeases(client, { leaseMs: 0 })).toThrow('leaseMs takes a number above 0, not 0');
  for (const leaseMs of ['5', Number.POSITIVE_INFINITY])
    expect(() => subagentLeases(client, { leaseMs: leaseMs as never })).toThrow('leaseMs takes a number above 0');
  expect(() => subagentLeases(client, { leaseMs: 5, renewMs: 5 })).toThrow('renewMs must be less than leaseMs');
  expect(() => leasedSpawner({} as never, {} as never)).toThrow('leasedSpawner takes a spawner');
  expect(() => leasedSpawner({ spawn: async () => ({ output: '' }) }, {} as never)).toThrow('pass leases, toolkit');
  expect(() => takeOverSubagents({} as never, subagentLeases(client))).toThrow('takeOverSubagents takes a toolkit');
});
