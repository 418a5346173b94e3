import { createPermissions } from 'toolwright';
import { describe, expect, test } from 'vitest';
import { newScope } from '../../src/conformance/kit.js';
import type { ToolCallResult, ToolkitOptions } from '../../src/index.js';
import { McpManager } from '../../src/mcp.js';
import {
  callTool,
  deniedFiles,
  fakeApprover,
  fakeTimers,
  fakeUser,
  fullDisk,
  hangingShell,
  type McpFault,
  mcpClientConformance,
  memoryFiles,
  recordEvents,
  scriptedMcpServer,
  scriptedModel,
  scriptedShell,
  slowFiles,
} from '../../src/testing/index.js';
import { testToolkit } from '../support/test-toolkit.js';

function world(options: Partial<ToolkitOptions> = {}) {
  const files = memoryFiles({ files: { 'a.txt': 'one\n' } });
  const events = recordEvents();
  const toolkit = testToolkit({
    root: files.root,
    permissions: 'bypassPermissions',
    onEvent: events.listener,
    ...options,
    hosts: { files, ...options.hosts },
  });
  return { toolkit, files, events };
}

test('a loop runs without a model, a disk or a shell', async () => {
  const shell = scriptedShell({ 'npm test': { exitCode: 1, output: '1 failed' }, pwd: '/workspace' });
  const { toolkit, files, events } = world({ hosts: { shell } });
  const model = scriptedModel({ calls: [{ name: 'Bash', input: { command: 'npm test' } }] }, ({ results }) => ({
    text: results[0]?.output ?? '',
    calls: [{ name: 'Write', input: { file_path: '/workspace/b', content: 'x' } }],
  }));
  let results: readonly ToolCallResult[] = [];
  for (;;) {
    const { calls } = model.answer({ definitions: toolkit.definitions(), results });
    if (calls.length === 0) break;
    ({ results } = await toolkit.execute(calls));
  }
  expect(files.text('b')).toBe('x');
  expect(shell.requests.map(({ command }) => command)).toEqual(['npm test']);
  expect(model.turns).toHaveLength(3);
  events.assertSequence({ type: 'tool-start', name: 'Bash' }, 'tool-end', {
    type: 'tool-result',
    result: { ok: true },
  });
  expect(() => events.assertSequence('tool-retry')).toThrow(/No event matches "tool-retry"/);
  expect(events.matching({ name: 'Write' }).length).toBeGreaterThan(1);
  expect((await toolkit.call('Bash', { command: 'other' })).output).toContain('not found');
});

test('people answer as configured', async () => {
  const onAsk = fakeApprover({ Write: 'allow-once' });
  const userInput = fakeUser({ 'Which?': 'This' });
  const { toolkit } = world({ permissions: createPermissions({ onAsk }), hosts: { userInput } });
  await callTool(toolkit, 'Write', { file_path: '/workspace/b', content: 'x' });
  await expect(
    callTool(toolkit, 'Edit', { file_path: '/workspace/a.txt', old_string: 'one', new_string: '1' }),
  ).rejects.toMatchObject({ code: 'permission_denied' });
  expect(onAsk.asked.map(({ tool }) => tool)).toEqual(['Write', 'Edit']);
  const options = ['This', 'That'].map((label) => ({ label, description: label }));
  const asked = { question: 'Which?', header: 'Choice', options, multiSelect: false };
  expect((await callTool(toolkit, 'AskUserQuestion', { questions: [asked] })).output).toContain('This');
  expect(userInput.asked).toHaveLength(1);
});

test('time moves only by advance', async () => {
  const timers = fakeTimers();
  const rung: number[] = [];
  timers.set(() => rung.push(timers.now()), 50);
  timers.clear(timers.set(() => rung.push(0), 10));
  await timers.advance(49);
  expect([rung, timers.pending]).toEqual([[], 1]);
  await timers.advance(1);
  expect([rung, timers.pending]).toEqual([[50], 0]);
});

test('faults throw the errors of real systems', async () => {
  const failing = async (files: ReturnType<typeof memoryFiles>, name: string, input: object) => {
    const toolkit = testToolkit({
      root: files.root,
      hosts: { files, shell: hangingShell() },
      permissions: 'bypassPermissions',
    });
    return callTool(toolkit, name, input).then(String, ({ code }: { code: string }) => code);
  };
  const files = memoryFiles({ files: { 'a.txt': 'one\n' } });
  const write = { file_path: '/workspace/b', content: 'x' };
  expect(await failing(fullDisk(files) as typeof files, 'Write', write)).toBe('storage_failed');
  expect(files.paths()).toEqual(['/workspace/a.txt']);
  expect(await failing(deniedFiles(files) as typeof files, 'Read', { file_path: '/workspace/a.txt' })).toMatch(
    /failed|denied/,
  );
  expect(await failing(files, 'Bash', { command: 'x', timeout: 20 })).toBe('timeout');
  const controller = new AbortController();
  const opened = slowFiles(files, 60_000).open('/workspace/a.txt', newScope('s', controller.signal));
  controller.abort();
  await expect(opened).rejects.toThrow();
});

describe('a scripted MCP server in memory', () => {
  test.each(mcpClientConformance.filter(({ name }) => !name.startsWith('a subscriber')))('$name', ({ run }) =>
    run(() => ({ mcp: scriptedMcpServer().client('docs'), server: 'docs', tool: 'echo', change: () => {} })),
  );
});

describe('a scripted MCP server over stdio', () => {
  const answered = async (fault?: McpFault, answer = 'hello') => {
    const manager = new McpManager({
      servers: { s: scriptedMcpServer({ ...(fault && { fault }), tools: [{ name: 'echo', answer }] }).config },
    });
    try {
      await manager.connect();
      // A server that hangs, or stops during an answer, is ended.
      const signal = fault === 'hangs' || fault === 'half_a_line' ? AbortSignal.timeout(1_000) : undefined;
      const { content, isError } = await manager.callTool(
        { server: 's', tool: 'echo', input: {} },
        newScope('s', signal ?? new AbortController().signal),
      );
      return isError === true ? 'error' : JSON.stringify(content);
    } catch (thrown) {
      return (thrown as { code?: string }).code ?? 'thrown';
    } finally {
      await manager.dispose();
    }
  };
  test('answers', async () => {
    expect(await answered()).toContain('hello');
    expect(await answered('noise')).toContain('hello');
    // More than the system takes in one argument.
    const long = 'é😀'.repeat(100_000);
    expect(await answered(undefined, long)).toBe(JSON.stringify([{ type: 'text', text: long }]));
  });

  test.each<McpFault>([
    'exits_at_start',
    'hangs',
    'crashes',
    'half_a_line',
    'wrong_result',
    'rpc_error',
    'answers_error',
  ])('%s', async (fault) => {
    expect(await answered(fault)).not.toContain('hello');
  });
});
