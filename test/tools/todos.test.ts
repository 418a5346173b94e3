import { describe, expect, test } from 'vitest';
import type { Todo } from '../../src/core.js';
import { createTodoStore, type ToolEvent, type ToolkitOptions } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const todo = (content: string, status: Todo['status'] = 'pending'): Todo => ({
  content,
  status,
  activeForm: `Doing ${content}`,
});
const list = [todo('read', 'completed'), todo('write', 'in_progress'), todo('test')];

function workspace(options: Partial<ToolkitOptions> = {}) {
  const events: ToolEvent[] = [];
  const root = temporaryFolder();
  const toolkit = testToolkit({ root, features: { tasks: true }, onEvent: (one) => events.push(one), ...options });
  const call = async (name: string, input: object, caller = { sessionId: 'a' }) =>
    (await toolkit.execute([{ id: 'c', name, input }], { caller })).results[0];
  const updates = () => events.filter(({ type }) => type === 'todo-update');
  return { toolkit, call, updates };
}

describe('todos', () => {
  test('are replaced as a whole without asking, with the old ones in metadata', async () => {
    const { toolkit, call } = workspace();
    expect(await call('TodoRead', {})).toMatchObject({ ok: true, output: 'No todos', metadata: { todos: [] } });
    expect(await call('TodoWrite', { todos: list })).toMatchObject({
      ok: true,
      output: '3 todos: 1 completed, 1 in progress.',
      metadata: { oldTodos: [], newTodos: list },
    });
    expect(await call('TodoRead', {})).toMatchObject({ output: '[x] read\n[>] write\n[ ] test' });
    expect(await call('TodoWrite', { todos: [] })).toMatchObject({ metadata: { oldTodos: list, newTodos: [] } });
    expect(await toolkit.todos({ sessionId: 'a' })).toEqual([]);
  });

  test('belong to their session and agent, and end with the session', async () => {
    const { toolkit, call } = workspace();
    const callers = [{ sessionId: 'a' }, { sessionId: 'a', agentId: 'helper' }, { sessionId: 'b' }];
    for (const caller of callers) await call('TodoWrite', { todos: [todo(JSON.stringify(caller))] }, caller);
    for (const caller of callers)
      expect(await toolkit.todos(caller)).toMatchObject([{ content: JSON.stringify(caller) }]);
    expect(await toolkit.todos()).toEqual([]);
    await toolkit.endSession('a');
    expect(await Promise.all(callers.map((caller) => toolkit.todos(caller)))).toMatchObject([[], [], [{}]]);
  });

  test('may have several in progress, with a note', async () => {
    const result = await workspace().call('TodoWrite', { todos: [list[1], list[1]] });
    expect(result).toMatchObject({ ok: true, output: expect.stringMatching(/\n\[2 steps are in_progress/) });
  });

  test('are sent once for each write, scrubbed, to the listener of their session', async () => {
    const key = ['AKIA', 'Q7RVXMPLKEYS4T2W'].join('');
    const { toolkit, call, updates } = workspace();
    const heard: ToolEvent[] = [];
    const caller = { sessionId: 'b', agentId: 'helper' };
    const calls = [{ id: 'c', name: 'TodoWrite', input: { todos: [todo(`use ${key}`)] } }];
    await toolkit.execute(calls, { caller, onEvent: (event) => heard.push(event) });
    await call('TodoWrite', { todos: [] });
    const told = { type: 'todo-update', sessionId: 'b', agentId: 'helper' };
    const todos = [{ content: 'use [REDACTED]', status: 'pending', activeForm: 'Doing use [REDACTED]' }];
    expect(updates()).toEqual([
      { ...told, todos },
      { type: 'todo-update', sessionId: 'a', todos: [] },
    ]);
    expect(heard.filter(({ type }) => type === 'todo-update')).toEqual([{ ...told, todos }]);
  });

  test('are not sent if the store rejected them', async () => {
    const set = () => Promise.reject(new Error('disk full'));
    const { call, updates } = workspace({ hosts: { todos: { ...createTodoStore(), set } } });
    expect(await call('TodoWrite', { todos: list })).toMatchObject({
      error: { code: 'execution_failed' },
      output: 'Error: hosts.todos failed: disk full. Go on without it, and tell the user.',
    });
    expect(updates()).toEqual([]);
  });
});

const rows: readonly [string, unknown, string][] = [
  ['answers nothing', () => undefined, 'execution_failed'],
  ['answers half a list', () => [{ content: 'a' }], 'execution_failed'],
  ['never answers', () => new Promise(() => {}), 'timeout'],
];
test('a failing store fails the call with a code and its name', () =>
  eachRow(rows, async ([, get, code]) => {
    const todos = { get, set: () => {} } as never;
    const { call } = workspace({ hosts: { todos }, limits: { resolver: { timeoutMs: 20 } } });
    for (const [name, input] of [['TodoRead', {}] as const, ['TodoWrite', { todos: [] }] as const]) {
      const result = await call(name, input);
      expect(result).toMatchObject({ ok: false, error: { code } });
      expect(result?.output).toContain('hosts.todos');
    }
  }));

test('TodoRead is offered only with the tools for tasks', () => {
  const names = (tasks: boolean) =>
    workspace({ features: { tasks } })
      .toolkit.definitions()
      .map(({ name }) => name);
  expect([names(true), names(false)].map((all) => all.includes('TodoRead'))).toEqual([true, false]);
});
