import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTimers } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { nextTurn } from '../../src/core/support/timers.js';
import { compiled } from '../support/compiled-programs.js';
import { hostileServer, mcpWorld, newMark, processesOf } from '../support/mcp-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const quick = { limits: { reconnectMinMs: 20, reconnectMaxMs: 40, maxReconnects: 2 } };

describe('a server that never connects is given up', () => {
  test.each([
    ['exit_at_once', /exit code 1/],
    ['crash_at_initialize', /exit code 2/],
    ['crash_after_initialize', /exit code 3/],
    ['crash_at_list', /exit code 4/],
    ['never_answers_initialize', /did not answer within 400 ms/],
    ['never_reads', /did not answer within 400 ms/],
    ['hang_at_list', /did not finish/],
    ['other_protocol', /protocol version/],
    ['huge_list', /longer than 1000000 bytes/],
  ])('%s', async (behaviour, error) => {
    const mark = newMark();
    const { manager, call, stateOf } = mcpWorld(
      { bad: hostileServer(behaviour, '', mark) },
      {
        limits: {
          ...quick.limits,
          // Servers that end by themselves get enough time for a busy machine.
          connectTimeoutMs: /^(?:never|hang)/.test(behaviour) ? 400 : 20_000,
          maxMessageBytes: 1_000_000,
        },
      },
    );
    await manager.connect();
    expect(stateOf('bad')).toMatchObject({ tools: [], error: expect.stringMatching(error) });
    await expect(call('bad', 'echo')).rejects.toMatchObject({ code: 'mcp_unavailable' });
    await until(() => stateOf('bad')?.state === 'failed');
    expect(stateOf('bad')?.attempts).toBe(2);
    await manager.dispose();
    expect(processesOf(mark)).toEqual([]);
  });
});

describe('a server that cannot be started', () => {
  test.each([
    [{ command: 'no-such-program-anywhere' }, /ENOENT/],
    [{ command: process.execPath, cwd: '/no/such/folder' }, /ENOENT/],
    [{ command: process.execPath, args: ['nul\0'] }, /null bytes/],
    [{ command: '/' }, /EACCES/],
  ])('%j', async (config, error) => {
    const { manager, stateOf } = mcpWorld({ bad: config }, quick);
    await manager.connect();
    expect(stateOf('bad')?.error).toMatch(error);
  });
});

const longest = { maxMessageBytes: 2_000_000, inactivityMs: 1_500 };

describe('a call', () => {
  test.each([
    ['hang', { code: 'timeout', message: expect.stringContaining('no answer or progress for 300 ms') }, 300],
    ['crash_during_call', { code: 'mcp_unavailable', message: expect.stringContaining('out of luck') }, 60_000],
    ['kill_during_call', { code: 'mcp_unavailable', message: expect.stringContaining('SIGKILL') }, 60_000],
    ['half_a_line', { code: 'mcp_unavailable', message: expect.stringContaining('exit code 0') }, 60_000],
    ['huge_result', { code: 'mcp_tool_error', message: expect.stringContaining('longer than 2000000 bytes') }, 60_000],
    ['huge_result_id_last', { code: 'mcp_tool_error', message: expect.stringContaining('longer than') }, 60_000],
    ['rpc_error', { code: 'mcp_tool_error', message: expect.stringContaining('no such luck') }, 60_000],
    ['late_answer', { code: 'timeout' }, 100],
    ['wrong_result', { code: 'mcp_tool_error', message: expect.stringContaining('invalid result') }, 60_000],
    ['progress_for_ever', { code: 'timeout', message: expect.stringContaining('longer than 500 ms in total') }, 60_000],
  ])('%s fails once', async (behaviour, error, inactivityMs) => {
    const detail = behaviour === 'late_answer' ? '300' : '';
    const limits = { ...longest, inactivityMs, maxCallMs: behaviour === 'progress_for_ever' ? 500 : 600_000 };
    const timers = fakeTimers();
    const { manager, call } = mcpWorld(
      { bad: hostileServer(behaviour, detail), good: hostileServer('good') },
      { limits, timers },
    );
    await manager.connect();
    const before = process.memoryUsage().rss;
    const failed = expect(call('bad', 'echo')).rejects.toMatchObject(error);
    if (error.code === 'timeout') {
      const dueMs = Math.min(inactivityMs, limits.maxCallMs);
      await until(() => timers.waits.includes(dueMs));
      await timers.advance(dueMs);
    }
    await failed;
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    expect(await call('good', 'echo')).toEqual({ content: [{ type: 'text', text: '{}' }] });
    expect(manager.tools('bad').map(({ name }) => name)).toEqual(['echo']);
  });

  test.each([
    ['answers_and_dies', 'last'],
    ['split_lines', 'ü split'],
    ['garbage_around', 'after garbage'],
    ['garbage_at_once', '{}'],
    ['flood_of_stderr', '{}'],
    ['flood_of_changes', '{}'],
    ['asks_back', '{"code":-32601,"message":"Method not found"}'],
  ])('%s gets a result', async (behaviour, text) => {
    const { manager, call } = mcpWorld({ odd: hostileServer(behaviour) });
    await manager.connect();
    expect(await call('odd', 'echo')).toEqual({ content: [{ type: 'text', text }] });
  });

  test('does not store an endless line', async () => {
    const { manager, call } = mcpWorld({ odd: hostileServer('endless_line') }, { limits: { inactivityMs: 1_000 } });
    await manager.connect();
    const before = process.memoryUsage().rss;
    await expect(call('odd', 'echo')).rejects.toMatchObject({ code: 'timeout' });
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test('shows parts outside the protocol as text', async () => {
    const { manager, call } = mcpWorld({ odd: hostileServer('odd_content'), none: hostileServer('no_content') });
    await manager.connect();
    const texts = ['{"type":"hologram","x":1}', 'null', '{"type":"text"}', '{"type":"image","data":1}'];
    expect((await call('odd', 'echo')).content).toEqual(texts.map((text) => ({ type: 'text', text })));
    expect(await call('none', 'echo')).toEqual({ content: [] });
  });

  test('overlaps with others, and each gets its own result', async () => {
    const { manager, call, scope } = mcpWorld({ odd: hostileServer('answers_by_name') });
    await manager.connect();
    setMaxListeners(0, scope.signal);
    const values = Array.from({ length: 200 }, (_, value) => value);
    const answers = await Promise.all(values.map((value) => call('odd', 'echo', { value })));
    expect(answers.map(({ content }) => content[0])).toEqual(
      values.map((value) => ({ type: 'text', text: `${value}` })),
    );
  });

  test('is cancelled at the server when it is aborted, and the server stays', async () => {
    const file = join(temporaryFolder(), 'cancelled');
    writeFileSync(file, '');
    const { manager, call, updates } = mcpWorld({ odd: hostileServer('hang', file) });
    await manager.connect();
    const controller = new AbortController();
    const running = call('odd', 'echo', {}, controller.signal);
    // A call that is aborted before it is sent needs no cancellation.
    await nextTurn();
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'interrupted' });
    await until(() => readFileSync(file, 'utf8') === 'cancelled\n');
    await expect(call('odd', 'echo', {}, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
    expect(updates.at(-1)?.state).toBe('connected');
  });

  test('lives while progress arrives, which is reported', async () => {
    const timers = fakeTimers(0);
    const { manager, scope } = mcpWorld(
      { odd: hostileServer('progress_then_answer', '20') },
      { limits: { inactivityMs: 200, pingMs: 0 }, timers },
    );
    await manager.connect();
    const heard: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }) => {
      heard.push(progress);
      void timers.advance(150);
    };
    const answer = await manager.callTool({ server: 'odd', tool: 'echo', input: {}, onProgress }, scope);
    expect(answer.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(heard).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });
});

describe('lists', () => {
  const quarantinedOf = (list: readonly { readonly tool: string; readonly reason: string }[] = []) =>
    Object.fromEntries(list.map(({ tool, reason }) => [tool, reason]));

  test('omit tools with unusable schemas, with the reasons; the others stay', async () => {
    const { manager, stateOf, call } = mcpWorld({ odd: hostileServer('bad_schemas') });
    await manager.connect();
    const kept = ['none', 'null', 'list', 'text', 'remote', 'file', 'good', 'untyped'];
    expect(stateOf('odd')?.tools).toEqual(kept);
    expect(quarantinedOf(stateOf('odd')?.quarantined)).toEqual({
      deep: 'its input schema is nested deeper than 64',
      long: 'its input schema is longer than 100000 characters',
      task: 'it can only be run as an MCP task, which this client does not support',
      '*': 'an entry of its list has no name',
    });
    await expect(call('odd', 'deep')).rejects.toMatchObject({ code: 'not_allowed' });
    for (const name of kept) expect((await call('odd', name)).content).toHaveLength(1);
    const told = stateOf('odd')?.diagnostics;
    expect(told?.map(({ tool }) => tool)).toEqual(['none', 'null', 'list', 'text', 'remote', 'file']);
  });

  test('have the names of the server, for any characters', async () => {
    const { manager, stateOf, call } = mcpWorld({
      __proto__x: hostileServer('names'),
      constructor: hostileServer('good'),
    });
    await manager.connect();
    const names = ['Read', 'a.b', 'a_b', '__proto__', 'constructor', 'ü', 'x'.repeat(500), ' '];
    expect(stateOf('__proto__x')?.tools).toEqual(names);
    for (const name of names) expect((await call('__proto__x', name)).content).toHaveLength(1);
    expect((await call('constructor', 'echo')).content).toHaveLength(1);
    await expect(call('toString', 'echo')).rejects.toMatchObject({ code: 'mcp_unavailable' });
    await expect(call('constructor', 'toString')).rejects.toMatchObject({ code: 'unknown_tool' });
    expect(Object.prototype).toEqual({});
  });

  test.each([
    ['pages', {}, 5, undefined],
    ['many', {}, 10_000, undefined],
    ['too_many', {}, 10_000, 'it lists more than 10000 tools; the rest is left out'],
    ['cyclic_cursor', {}, 3, 'its list of tools repeats a cursor'],
    ['endless_pages', { maxPages: 7 }, 7, 'it has more than 7 pages of tools'],
    ['long_description', {}, 1, undefined],
    ['endless_pages', { maxMessageBytes: 1_000 }, 21, 'its list of tools is too long; the rest is left out'],
  ])('%s %j', async (behaviour, limits, count, reason) => {
    const { manager, stateOf } = mcpWorld({ odd: hostileServer(behaviour) }, { limits });
    await manager.connect();
    expect(manager.tools('odd')).toHaveLength(count);
    expect(quarantinedOf(stateOf('odd')?.quarantined)['*']).toBe(reason);
  });

  test('keep the previous list if a new one fails', async () => {
    const { manager, call, updates } = mcpWorld(
      { odd: hostileServer('lists_once') },
      { limits: { listDebounceMs: 1 } },
    );
    await manager.connect();
    await call('odd', 'echo');
    const before = updates.length;
    await call('odd', 'echo');
    expect(manager.tools().map(({ name }) => name)).toEqual(['echo']);
    expect(updates.slice(before)).toEqual([]);
  });

  test('omit resources and prompts without required fields', async () => {
    const { manager, scope } = mcpWorld({ a: hostileServer('good'), b: hostileServer('good') });
    await manager.connect();
    expect(manager.prompts('a').map(({ name }) => name)).toEqual(['p']);
    const first = await manager.listResources({}, scope);
    expect(first).toMatchObject({ resources: [{ server: 'a', uri: 'x:1', name: 'one' }], templates: [] });
    const second = await manager.listResources({ cursor: first.nextCursor }, scope);
    expect(second.resources.map(({ server }) => server)).toEqual(['b']);
    expect(second.nextCursor).toBeUndefined();
    expect(await manager.readResource({ server: 'a', uri: 'x:1' }, scope)).toEqual({
      contents: [{ uri: 'x:1', text: 'content' }],
    });
    await expect(manager.listResources({ cursor: '{' }, scope)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('the end of a manager leaves nothing behind', () => {
  test.each(['good', 'ignores_end', 'with_children', 'ignores_end_with_children', 'never_reads', 'hang'])(
    '%s',
    async (behaviour) => {
      const mark = newMark();
      const { manager, updates } = mcpWorld(
        { odd: hostileServer(behaviour, '', mark) },
        { limits: { connectTimeoutMs: 2_000 } },
      );
      const connecting = manager.connect();
      if (behaviour !== 'never_reads') await connecting;
      await until(() => processesOf(mark).length >= (behaviour.endsWith('children') ? 3 : 1));
      await manager.dispose();
      expect(processesOf(mark)).toEqual([]);
      await connecting;
      expect(updates.at(-1)?.state).toBe('stopped');
      await manager.connect();
      await expect(manager.add('more', hostileServer('good'))).rejects.toThrow('disposed');
      expect(processesOf(mark)).toEqual([]);
    },
  );

  test('at any moment of the start', async () => {
    await Promise.all(Array.from({ length: 24 }, (_, ticks) => endsAfter(ticks)));

    async function endsAfter(ticks: number): Promise<void> {
      const mark = newMark();
      const { manager } = mcpWorld({ odd: hostileServer('ignores_end_with_children', '', mark) });
      const connecting = manager.connect();
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      if (ticks > 20) await new Promise((resolve) => setImmediate(resolve));
      await manager.dispose();
      await connecting;
      expect(processesOf(mark), `${ticks} ticks`).toEqual([]);
    }
  });

  test('a crash ends the children of a server too', async () => {
    const mark = newMark();
    const { manager, call } = mcpWorld({ odd: hostileServer('with_children', '', mark) }, quick);
    await manager.connect();
    const [first = 0] = processesOf(mark);
    process.kill(first, 'SIGKILL');
    await until(() => manager.status()[0]?.state === 'reconnecting');
    await until(() => manager.status()[0]?.state === 'connected');
    expect(processesOf(mark)).toHaveLength(3);
    expect((await call('odd', 'echo')).content).toHaveLength(1);
  });

  test('a server that closes its output has ended', async () => {
    const { manager, updates } = mcpWorld({ odd: hostileServer('closes_stdout') }, quick);
    await manager.connect();
    await until(() => updates.some(({ state }) => state === 'reconnecting'));
  });

  test.each(['exit', 'throw', 'SIGTERM', 'SIGINT'])('the host ends by %s', async (way) => {
    const mark = newMark();
    const host = spawn(process.execPath, [compiled('test/support/exiting-mcp-host'), way, mark], { stdio: 'ignore' });
    await once(host, 'exit');
    await until(() => processesOf(mark).length === 0);
  });
});
