import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { processIdentity } from '../../src/files/disk/process-identity.js';
import { createTaskBoard, type ToolkitOptions } from '../../src/index.js';
import { runProgram } from '../examples/run-example.js';
import { callScope } from '../support/call-scope.js';
import { compileTexts } from '../support/compiled-programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

function workspace(options: Partial<ToolkitOptions> = {}) {
  const toolkit = testToolkit({ features: { tasks: true }, ...options });
  const call = async (name: string, input: object, sessionId = 'a') => {
    const { results } = await toolkit.execute([{ id: 'c', name, input }], { caller: { sessionId } });
    return results[0];
  };
  const create = (subject: string, sessionId?: string) =>
    call('TaskCreate', { subject, description: `${subject} it` }, sessionId);
  const update = (taskId: string, change: object) => call('TaskUpdate', { taskId, ...change });
  return { toolkit, call, create, update };
}

describe('the task board', () => {
  test('creates, shows, changes and lists tasks without asking', async () => {
    const { call, create, update } = workspace();
    expect(await call('TaskList', {})).toMatchObject({ ok: true, output: 'No tasks' });
    expect(await create('Parse')).toMatchObject({ ok: true, output: 'Created: 1 [pending] Parse' });
    await call('TaskCreate', { subject: 'Print', description: 'On paper', activeForm: 'Printing', metadata: { a: 1 } });
    const changed = { owner: 'ann', addBlockedBy: ['1'], metadata: { a: null, b: [2] } };
    expect(await update('2', changed)).toMatchObject({ output: 'Updated: 2 [pending] Print (ann; waits for 1)' });
    expect(await call('TaskGet', { taskId: '2' })).toMatchObject({
      output: '2 [pending] Print (ann; waits for 1)\nOn paper\nMetadata: {"b":[2]}',
      metadata: { task: { id: '2', activeForm: 'Printing', blockedBy: ['1'], blocks: [], metadata: { b: [2] } } },
    });
    expect(await call('TaskGet', { taskId: '1' })).toMatchObject({ output: '1 [pending] Parse\nBlocks: 2\nParse it' });
    await update('1', { status: 'completed' });
    expect(await call('TaskList', {})).toMatchObject({ output: '1 [completed] Parse\n2 [pending] Print (ann)' });
    expect(await update('2', { status: 'in_progress' })).toMatchObject({
      output: 'Updated: 2 [in_progress] Print (ann)',
    });
    expect((await call('TaskGet', { taskId: '2' }))?.output).toMatch(/^2 \[in_progress\] Print \(ann\)\n/);
  });

  test('bounds the metadata of a task, not only of a call', async () => {
    const { call, create, update } = workspace();
    await create('Parse');
    expect(await update('1', { metadata: { a: 'x'.repeat(9_000) } })).toMatchObject({ ok: true });
    const second = await update('1', { metadata: { b: 'x'.repeat(9_000) } });
    expect(second).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(second?.output).toContain('metadata: the task would have more than 10000 characters of metadata as JSON');
    expect(await update('1', { metadata: { a: null, b: 'x'.repeat(9_000) } })).toMatchObject({ ok: true });
    expect((await call('TaskGet', { taskId: '1' }))?.output).toContain('Metadata: {"b":');
  });

  test('counts ids for each session, never reuses one, and ends with the session', async () => {
    const { toolkit, call, create, update } = workspace();
    await create('Parse');
    await update('1', { status: 'deleted' });
    expect(await create('Print')).toMatchObject({ metadata: { task: { id: '2' } } });
    expect(await create('Parse', 'b')).toMatchObject({ metadata: { task: { id: '1' } } });
    await toolkit.endSession('a');
    expect(await call('TaskList', {})).toMatchObject({ output: 'No tasks' });
    expect(await call('TaskList', {}, 'b')).toMatchObject({ output: '1 [pending] Parse' });
  });

  test('removes a deleted task from the dependencies of others', async () => {
    const { call, create, update } = workspace();
    for (const subject of ['Parse', 'Print']) await create(subject);
    await update('1', { addBlocks: ['2'] });
    expect(await update('1', { status: 'deleted' })).toMatchObject({ output: 'Deleted: 1 [pending] Parse' });
    expect(await call('TaskGet', { taskId: '2' })).toMatchObject({ metadata: { task: { blockedBy: [], blocks: [] } } });
  });

  test.each<[string, string, object, RegExp]>([
    ['an unknown task', '7', {}, /taskId: there is no task "7"; use TaskList/],
    ['a name that every object has', '__proto__', { status: 'deleted' }, /there is no task "__proto__"/],
    ['an unknown task to wait for', '1', { addBlockedBy: ['9'] }, /addBlockedBy: there is no task "9"/],
    ['a task that waits for itself', '1', { addBlocks: ['1'] }, /addBlocks: task 1 and task 1 would block each other/],
    ['two that wait for each other', '2', { addBlocks: ['1'] }, /addBlocks: task 2 and task 1 would block each other/],
    ['a circle of three', '3', { addBlocks: ['1'] }, /addBlocks: task 3 and task 1 would block each other/],
    ['the start of what waits', '3', { status: 'in_progress' }, /status: task 3 cannot start before 2;/],
    [
      'a start with a new reason to wait',
      '1',
      { status: 'in_progress', addBlockedBy: ['4'] },
      /1 cannot start before 4/,
    ],
  ])('refuses %s without a change', async (_, taskId, change, message) => {
    const { toolkit, call, create, update } = workspace();
    for (const subject of ['one', 'two', 'three', 'four']) await create(subject);
    await update('1', { addBlocks: ['2'] });
    await update('2', { addBlocks: ['3'] });
    const before = await call('TaskList', {});
    const result = await update(taskId, { owner: 'ann', ...change });
    expect(result).toMatchObject({ error: { code: 'invalid_input' }, output: expect.stringMatching(message) });
    expect((await call('TaskList', {}))?.metadata).toEqual(before?.metadata);
    expect(toolkit.sessions()).toEqual(['a']);
  });

  test('holds at most a thousand tasks', async () => {
    const board = createTaskBoard();
    const task = { subject: 'a', description: 'b' };
    for (let count = 0; count < 1_000; count++) await board.create(task, callScope());
    await expect(async () => board.create(task, callScope())).rejects.toMatchObject({ code: 'limit_reached' });
  });
});

describe('in a file', () => {
  test('tasks survive the toolkit, by session, and the end of the session', async () => {
    const file = join(temporaryFolder(), 'tasks.json');
    const first = workspace({ hosts: { tasks: createTaskBoard({ file }) } });
    await first.create('Parse');
    await first.create('Print', '__proto__');
    await first.toolkit.endSession('a');
    const second = workspace({ hosts: { tasks: createTaskBoard({ file }) } });
    expect(await second.call('TaskList', {})).toMatchObject({ output: '1 [pending] Parse' });
    expect(await second.call('TaskList', {}, '__proto__')).toMatchObject({ output: '1 [pending] Print' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['tasks.json']);
  });

  test('a hundred updates by two processes are all applied', async () => {
    const file = join(temporaryFolder(), 'tasks.json');
    const { create, call } = workspace({ hosts: { tasks: createTaskBoard({ file }) } });
    await create('Shared');
    const [program = ''] = await compileTexts([
      `import { createTaskBoard, createToolkit } from 'toolwright';
       const [file, name] = process.argv.slice(2);
       const toolkit = createToolkit({ root: process.cwd(), features: { tasks: true }, hosts: { tasks: createTaskBoard({ file }) } });
       const calls = Array.from({ length: 50 }, (_, index) => ({
         id: String(index), name: 'TaskUpdate', input: { taskId: '1', metadata: { [name + index]: index } },
       }));
       const { results } = await toolkit.execute(calls, { caller: { sessionId: 'a' } });
       console.log(results.filter(({ ok }) => ok).length);
       await toolkit.dispose();`,
    ]);
    const ended = await Promise.all(['x', 'y'].map((name) => runProgram(program, [file, name])));
    expect(ended).toEqual([0, 1].map(() => ({ exitCode: 0, stdout: '50\n', stderr: '' })));
    const task = (await call('TaskGet', { taskId: '1' }))?.metadata?.task as { readonly metadata: object };
    expect(Object.keys(task.metadata)).toHaveLength(100);
  });

  const ended = processIdentity(2 ** 22 + 1);

  test('the lock of an ended process is ignored', async () => {
    const file = join(temporaryFolder(), 'tasks.json');
    symlinkSync(ended, `${file}.lock`);
    const scope = callScope();
    expect(await createTaskBoard({ file }).create({ subject: 'a', description: 'b' }, scope)).toMatchObject({
      id: '1',
    });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('the lock of a running process is waited for until the call is aborted', async () => {
    const file = join(temporaryFolder(), 'tasks.json');
    symlinkSync(processIdentity(), `${file}.lock`);
    const turn = new AbortController();
    const created = createTaskBoard({ file }).create(
      { subject: 'a', description: 'b' },
      callScope({ signal: turn.signal }),
    );
    setImmediate(() => turn.abort(new Error('enough')));
    await expect(created).rejects.toThrow('enough');
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['no JSON', '[['],
    ['something else', '{"a":1}'],
    ['a list of numbers', '[1]'],
    ['half a task', '[["a",{"nextId":2,"tasks":[{"id":"1"}]}]]'],
  ])('%s is not changed, and the call says so', async (_, content) => {
    const file = join(temporaryFolder(), 'tasks.json');
    writeFileSync(file, content);
    const { call, create } = workspace({ hosts: { tasks: createTaskBoard({ file }) } });
    for (const result of [await create('Parse'), await call('TaskList', {})]) {
      expect(result).toMatchObject({ error: { code: 'storage_failed' }, output: expect.stringContaining(file) });
      expect(result?.output).not.toContain('iterable');
    }
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

test.each<[string, unknown, string]>([
  ['throws', () => Promise.reject(new Error('offline')), 'execution_failed'],
  ['answers nonsense', () => ({ id: 1 }), 'execution_failed'],
  ['never answers', () => new Promise(() => {}), 'timeout'],
])('a board that %s fails the call with a code and its name', async (_, answer, code) => {
  const tasks = { create: answer, get: answer, update: answer, list: answer } as never;
  const { call, create, update } = workspace({ hosts: { tasks }, limits: { resolver: { timeoutMs: 20 } } });
  const results = [create('a'), update('1', {}), call('TaskGet', { taskId: '1' }), call('TaskList', {})];
  for (const result of await Promise.all(results)) {
    expect(result).toMatchObject({ error: { code }, output: expect.stringContaining('hosts.tasks') });
  }
});

test('an invalid option is rejected', () => {
  expect(() => createTaskBoard({ files: '/a' } as never)).toThrow(/files is no option. Did you mean "file"/);
  expect(() => createTaskBoard({ file: 'a' })).toThrow(/file takes an absolute path/);
});
