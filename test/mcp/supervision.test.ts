import { describe, expect, test } from 'vitest';
import { FakeTimers, hostileServer, mcpWorld } from '../support/mcp-world.js';
import { until } from '../support/shell.js';

test('a server that stays away is tried after 2 seconds, then twice as long up to a minute, ten times', async () => {
  const timers = new FakeTimers();
  const { manager, stateOf } = mcpWorld({ odd: hostileServer('exit_at_once') }, { timers });
  await manager.connect();
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) {
    await until(() => stateOf('odd')?.attempts === attempt && timers.waits.length > 0);
    const [pause = 0] = timers.waits;
    pauses.push(pause);
    timers.advance(pause);
  }
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000]);
  await until(() => stateOf('odd')?.state === 'failed');
  expect(timers.waits).toEqual([]);
  await manager.restart('odd');
  await until(() => stateOf('odd')?.attempts === 1);
});

test('each pause is anywhere between nothing and its longest', async () => {
  const timers = new FakeTimers();
  timers.chance = 0.25;
  const { manager, stateOf } = mcpWorld({ odd: hostileServer('exit_at_once') }, { timers });
  await manager.connect();
  await until(() => stateOf('odd')?.state === 'reconnecting');
  expect(timers.waits).toEqual([500]);
});

test('attempts count anew when a server was there for a minute', async () => {
  const timers = new FakeTimers();
  const { manager, call, stateOf } = mcpWorld({ odd: hostileServer('crash_during_call') }, { timers });
  await manager.connect();
  for (const attempts of [1, 2]) {
    await expect(call('odd', 'echo')).rejects.toMatchObject({ code: 'mcp_unavailable' });
    expect(stateOf('odd')?.attempts).toBe(attempts);
    timers.advance(4_000);
    await until(() => stateOf('odd')?.state === 'connected');
  }
  timers.advance(59_999);
  expect(stateOf('odd')?.attempts).toBe(2);
  timers.advance(1);
  expect(stateOf('odd')?.attempts).toBe(0);
});

test('a server that answers two pings in a row no more is dead, and its tools stay', async () => {
  const timers = new FakeTimers();
  const { manager, stateOf } = mcpWorld({ odd: hostileServer('no_answer_to_ping') }, { timers });
  await manager.connect();
  timers.advance(30_000);
  timers.advance(29_999);
  expect(stateOf('odd')?.state).toBe('connected');
  timers.advance(30_001);
  await until(() => stateOf('odd')?.state === 'reconnecting');
  expect(manager.tools('odd').map(({ name }) => name)).toEqual(['echo']);
});

describe('changes of a list', () => {
  test('within 300 ms are one', async () => {
    const timers = new FakeTimers();
    const { manager, updates, call } = mcpWorld({ odd: hostileServer('renames') }, { timers });
    await manager.connect();
    expect(manager.tools('odd').map(({ name }) => name)).toEqual(['t1']);
    await call('odd', 't1');
    await until(() => timers.waits.includes(300));
    timers.advance(299);
    const before = updates.length;
    timers.advance(1);
    await until(() => updates.length > before);
    expect(updates.at(-1)).toEqual({ server: 'odd', state: 'connected', added: ['t2'], removed: ['t1'] });
  });
});

test('what changed after it was offered is disabled until it is approved', async () => {
  const { manager, updates, call, stateOf } = mcpWorld(
    { odd: hostileServer('changes') },
    { limits: { listDebounceMs: 1 } },
  );
  await manager.connect();
  await call('odd', 'b', { description: 'second' });
  await until(() => updates.some(({ changed }) => changed !== undefined));
  expect(updates.find(({ changed }) => changed !== undefined)?.changed).toEqual([
    { tool: 'a', fields: ['description'] },
  ]);
  expect(stateOf('odd')?.tools).toEqual(['b']);
  expect(stateOf('odd')?.quarantined).toMatchObject([{ tool: 'a', reason: expect.stringContaining('description') }]);
  await expect(call('odd', 'a')).rejects.toMatchObject({ code: 'not_allowed' });
  await manager.approve('odd', 'a');
  expect(stateOf('odd')?.tools.toSorted()).toEqual(['a', 'b']);
  expect((await call('odd', 'a')).content).toHaveLength(1);
});

test('a grant holds at the listing and at the call alike, and a deny in it wins', async () => {
  const grantsFor = ({ sessionId }: { readonly sessionId: string }) =>
    sessionId === 's1' ? { odd: { toolAllow: ['a'], toolDeny: ['a'] } } : { odd: { toolAllow: ['a'] } };
  const { manager, call, scope } = mcpWorld({ odd: hostileServer('changes') }, { grantsFor });
  await manager.connect();
  await expect(call('odd', 'a')).rejects.toMatchObject({ code: 'not_allowed' });
  const other = { ...scope, caller: { sessionId: 's2' } };
  expect((await manager.callTool({ server: 'odd', tool: 'a', input: {} }, other)).content).toHaveLength(1);
  await expect(manager.callTool({ server: 'odd', tool: 'b', input: {} }, other)).rejects.toMatchObject({
    code: 'not_allowed',
  });
  const granted = (sessionId: string) =>
    manager.tools('odd').filter(({ name }) => manager.isGranted({ server: 'odd', tool: name }, { sessionId }));
  expect([granted('s1'), granted('s2').map(({ name }) => name)]).toEqual([[], ['a']]);
});
