import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { nextTurn } from '../../src/core/support/timers.js';
import { McpManager } from '../../src/mcp.js';
import { eachRow } from '../support/each-row.js';
import { hostileServer, mcpWorld, newMark, processesOf } from '../support/mcp-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const absent = { command: 'no-such-program-anywhere' };

test('the pauses double up to the maximum, and after the last attempt the server is given up until a restart', async () => {
  const timers = fakeTimers(5, 1);
  const { manager, stateOf, updates } = mcpWorld({ gone: absent }, { timers });
  await manager.connect();
  const pauses: number[] = [];
  for (let attempts = 1; attempts <= 10; attempts++) {
    await until(() => stateOf('gone')?.attempts === attempts);
    pauses.push(...timers.waits);
    await timers.advance(timers.waits[0] ?? 0);
  }
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000]);
  await until(() => stateOf('gone')?.state === 'failed');
  expect(timers.waits).toEqual([]);
  expect(updates.map(({ state }) => state)).toEqual(['connecting', ...Array(10).fill('reconnecting'), 'failed']);
  await manager.restart('gone');
  expect(stateOf('gone')).toMatchObject({ state: 'reconnecting', attempts: 1 });
});

test('a pause is at most a tenth shorter than its maximum', async () => {
  const pauses: (readonly number[])[] = [];
  for (const chance of [0, 0.5]) {
    const timers = fakeTimers(5, chance);
    const { manager } = mcpWorld({ gone: absent }, { timers });
    await manager.connect();
    pauses.push(timers.waits);
  }
  expect(pauses).toEqual([[1_800], [1_900]]);
});

test('two unanswered pings end the server, an answered one does not', async () => {
  const timers = fakeTimers();
  const { manager, stateOf, call } = mcpWorld({ deaf: hostileServer('no_answer_to_ping') }, { timers });
  await manager.connect();
  await timers.advance(89_999);
  expect(stateOf('deaf')?.state).toBe('connected');
  await call('deaf', 'echo');
  // A message in between shows that the server is alive.
  await timers.advance(60_000);
  expect(stateOf('deaf')?.state).toBe('connected');
  await timers.advance(30_001);
  expect(stateOf('deaf')).toMatchObject({ state: 'reconnecting', error: expect.stringContaining('does not answer') });
});

test('attempts are counted again after a stable time', async () => {
  const timers = fakeTimers();
  const mark = newMark();
  const { manager, stateOf } = mcpWorld({ one: hostileServer('good', '', mark) }, { timers });
  await manager.connect();
  const fall = async () => {
    for (const pid of processesOf(mark)) process.kill(pid, 'SIGKILL');
    await until(() => stateOf('one')?.state === 'reconnecting');
    await timers.advance(timers.waits[0] ?? 0);
    await until(() => stateOf('one')?.state === 'connected');
  };
  await fall();
  await fall();
  expect(stateOf('one')?.attempts).toBe(2);
  await timers.advance(59_999);
  expect(stateOf('one')?.attempts).toBe(2);
  await timers.advance(1);
  expect(stateOf('one')?.attempts).toBe(0);
});

test('tools stay while a server reconnects, and calls report its state', async () => {
  const timers = fakeTimers();
  const mark = newMark();
  const { manager, stateOf, call } = mcpWorld({ one: hostileServer('good', '', mark) }, { timers });
  await manager.connect();
  for (const pid of processesOf(mark)) process.kill(pid, 'SIGKILL');
  await until(() => stateOf('one')?.state === 'reconnecting');
  expect(manager.tools().map(({ name }) => name)).toEqual(['echo']);
  expect(manager.servers()).toMatchObject([{ state: 'reconnecting', error: 'It ended with signal SIGKILL.' }]);
  await expect(call('one', 'echo')).rejects.toMatchObject({
    code: 'mcp_unavailable',
    message: expect.stringContaining('is reconnecting: It ended with signal SIGKILL. Try again'),
  });
});

test('changes within the debounce time are one event with the differences', async () => {
  const timers = fakeTimers();
  const { manager, call, updates } = mcpWorld({ one: hostileServer('renames') }, { timers });
  await manager.connect();
  expect(manager.tools().map(({ name }) => name)).toEqual(['t1']);
  await call('one', 't1');
  await until(() => timers.waits.includes(300));
  await timers.advance(299);
  expect(timers.waits[0]).toBe(1);
  await timers.advance(1);
  await until(() => manager.tools()[0]?.name === 't2');
  expect(updates.at(-1)).toEqual({ server: 'one', state: 'connected', added: ['t2'], removed: ['t1'] });
  expect(updates).toHaveLength(3);
});

test('a list that changes during reading is read once more, for any number of changes', async () => {
  const file = join(temporaryFolder(), 'lists');
  const { manager, call, scope } = mcpWorld(
    { one: hostileServer('slow_list', file) },
    { limits: { listDebounceMs: 1 } },
  );
  await manager.connect();
  await call('one', 'echo');
  await until(() => manager.tools()[0]?.name === 'at3');
  await manager.listResources({ server: 'one' }, scope);
  expect(readFileSync(file, 'utf8')).toBe('xx');
});

test('waiting for a person is not inactivity of the server', async () => {
  const timers = fakeTimers();
  let give: ((text: string) => void) | undefined;
  const sample = () =>
    new Promise<{ readonly model: string; readonly text: string }>((resolve) => {
      give = (text) => resolve({ model: 'm', text });
    });
  const { manager, call } = mcpWorld(
    { one: hostileServer('asks_back') },
    { timers, limits: { pingMs: 0 }, answers: { sampling: { sample } } },
  );
  await manager.connect();
  const running = call('one', 'echo');
  await until(() => give !== undefined);
  await timers.advance(300_000);
  give?.('yes');
  expect((await running).content[0]).toMatchObject({ text: expect.stringContaining('"text":"yes"') });
});

test('the time in which a server waits for a person is not inactivity, also between two checks', async () => {
  const timers = fakeTimers();
  const file = join(temporaryFolder(), 'heard');
  let give: (() => void) | undefined;
  const elicit = () =>
    new Promise<{ readonly action: 'decline' }>((resolve) => {
      give = () => resolve({ action: 'decline' });
    });
  const { manager, call } = mcpWorld(
    { one: hostileServer('asks_aside', file) },
    { timers, limits: { pingMs: 0, inactivityMs: 60_000 }, answers: { elicitation: { elicit } } },
  );
  await manager.connect();
  let outcome = 'running';
  const running = call('one', 'echo', { hang: true }).catch(({ message }: Error) => {
    outcome = message;
  });
  await until(() => give !== undefined);
  await timers.advance(59_000);
  give?.();
  await until(() => existsSync(file));
  await timers.advance(59_999);
  expect(outcome).toBe('running');
  await timers.advance(1);
  await running;
  expect(outcome).toContain('It sent no answer or progress for 60000 ms.');
});

test('servers are added, restarted and removed, and disabled ones do not start', async () => {
  const file = join(temporaryFolder(), 'starts');
  const { manager, call, updates } = mcpWorld({ off: { ...hostileServer('good'), enabled: false } });
  await manager.connect();
  expect(manager.status()).toMatchObject([{ name: 'off', state: 'disabled', tools: [] }]);
  await manager.add('one', hostileServer('counts_starts', file));
  await expect(manager.add('one', hostileServer('good'))).rejects.toThrow('a server named "one" already exists');
  await Promise.all([manager.restart('one'), manager.restart('one')]);
  expect((await call('one', 'echo')).content).toHaveLength(1);
  expect(readFileSync(file, 'utf8').length).toBeGreaterThanOrEqual(2);
  await manager.remove('one');
  expect(manager.tools('one')).toEqual([]);
  await expect(call('one', 'echo')).rejects.toMatchObject({
    code: 'mcp_unavailable',
    message: expect.stringContaining('no MCP server'),
  });
  await expect(manager.restart('of')).rejects.toThrow('Did you mean "off"?');
  expect(updates.map(({ server, state }) => `${server} ${state}`).at(-1)).toBe('one stopped');
});

test('a server that was never started is started by ensure', async () => {
  const config = hostileServer('good');
  const { manager, stateOf } = mcpWorld({ one: config });
  await manager.ensure('one', config);
  expect(stateOf('one')?.state).toBe('connected');
});

test('an input larger than maxMessageBytes does not end the server', async () => {
  const { manager, call, updates } = mcpWorld(
    { one: hostileServer('echo_env') },
    { limits: { maxMessageBytes: 100_000 } },
  );
  await manager.connect();
  const inputs = [{ x: 'y'.repeat(2_000_000) }, {}];
  for (const { content } of await Promise.all(inputs.map((input) => call('one', 'echo', input))))
    expect(content).toHaveLength(1);
  expect(updates.map(({ state }) => state)).not.toContain('reconnecting');
});

test('a running call fails at once if its server is removed', async () => {
  const { manager, call } = mcpWorld({ one: hostileServer('hang') });
  await manager.connect();
  const running = call('one', 'echo');
  const removed = manager.remove('one');
  await expect(running).rejects.toMatchObject({ code: 'mcp_unavailable' });
  await removed;
});

const mistakes = [
  [{ servers: { a: {} } }, 'MCP server "a" needs either command or url'],
  [{ servers: { a: { command: 'x', url: 'http://x' } } }, 'needs either command or url'],
  [{ servers: { a: { command: 'x', type: 'http' } } }, 'type http needs url'],
  [{ servers: { a: { comand: 'x' } } }, 'comand is no option. Did you mean "command"?'],
  [{ servers: { a: { command: 'x', args: 'y' } } }, 'args takes a list of texts'],
  [{ servers: { '': { command: 'x' } } }, 'needs a name'],
  [{ servers: { constructor: {} } }, 'MCP server "constructor" needs either command or url'],
  [{ servers: { a: null } }, 'takes an object'],
  [{ limits: { pingMS: 1 } }, 'Did you mean "pingMs"?'],
  [{ limits: { mcp: { maxPages: 0.5 } } }, 'must be a whole number'],
  [{ consent: true }, 'consent takes a function'],
  [{ server: {} }, 'server is no option. Did you mean "servers"?'],
] as const;
test('invalid options are rejected by name', () =>
  eachRow(mistakes, ([options, message]) => expect(() => new McpManager(options as never)).toThrow(message)));

test('a burst followed by a pause is not a flood, and results do not count', async () => {
  const { manager, updates, call } = mcpWorld({
    odd: hostileServer('progress_burst', '3000'),
    echo: hostileServer('good'),
  });
  await manager.connect();
  expect((await call('odd', 'echo')).content).toHaveLength(1);
  await Promise.all(Array.from({ length: 3_000 }, () => call('echo', 'echo')));
  expect(updates.map(({ state }) => state)).not.toContain('reconnecting');
});

test('no timer remains after a manager is disposed, for any state of its servers', async () => {
  const timers = fakeTimers();
  const running = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = running();
  const file = join(temporaryFolder(), 'lists');
  const { manager, call, updates } = mcpWorld(
    {
      good: hostileServer('good'),
      gone: absent,
      silent: hostileServer('never_answers_initialize'),
      changed: hostileServer('slow_list', file),
      late: hostileServer('hang'),
    },
    { timers },
  );
  void manager.connect();
  await until(() => updates.filter(({ state }) => state === 'connected').length === 3);
  const hanging = call('late', 'echo').catch(() => {});
  await call('changed', 'echo');
  await until(() => timers.waits.includes(300));
  // The manager is disposed while a changed list is being read.
  await timers.advance(300);
  await until(() => existsSync(file));
  await call('changed', 'echo');
  await manager.dispose();
  await hanging;
  await nextTurn();
  expect(timers.waits).toEqual([]);
  expect(running()).toBeLessThanOrEqual(before);
});

test('tools with partly read schemas are offered, and the status names the parts', async () => {
  const { manager, stateOf, call } = mcpWorld({ odd: hostileServer('odd_schemas') });
  await manager.connect();
  expect(stateOf('odd')).toMatchObject({
    tools: ['any', 'look', 'plain'],
    quarantined: [],
    diagnostics: [
      { tool: 'any', notes: ['a: type is not valid JSON Schema'] },
      { tool: 'look', notes: ['a: the pattern "^(?!b)" is left to the server'] },
    ],
  });
  expect((await call('odd', 'any', { a: [1] })).content).toHaveLength(1);
});
