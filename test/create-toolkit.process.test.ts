import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BashProgress, ToolEventListener } from '../src/core.js';
import {
  createDeadLetters,
  createPermissions,
  createRateLimiter,
  createToolkit,
  type Sandbox,
  type Tool,
  ToolError,
  type ToolEvent,
  type ToolkitOptions,
} from '../src/index.js';
import { memoryFiles } from '../src/testing/index.js';
import { table } from './support/each-row.js';
import { tool } from './support/pipeline.js';
import { processesWith, uniqueSeconds } from './support/shell.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** A toolkit on a folder of its own, disposed after the test. */
function workspace(options: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(outside, 'secret.txt'), 'OUTSIDE');
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions', ...options });
  onTestFinished(() => toolkit.dispose());
  const call = async (name: string, input: unknown) => {
    const { results } = await toolkit.execute([{ id: 'c', name, input }]);
    const [result] = results;
    if (result === undefined) throw new Error('no result');
    return result;
  };
  return { root, outside, toolkit, call };
}

test('the definitions are those of the registry as it is', () => {
  const { toolkit } = workspace();
  const before = toolkit.definitions();
  expect(toolkit.definitions()).toEqual(before);
  toolkit.registry.register(tool('More', () => ''));
  expect(toolkit.definitions().length).toBe(before.length + 1);
});

describe('what a model gets wrong', () => {
  test.each<[string, string, (root: string, outside: string) => unknown, string, RegExp]>([
    ['an unknown tool', 'Raed', () => ({}), 'unknown_tool', /Did you mean "Read"/],
    ['a missing field', 'Read', () => ({}), 'invalid_input', /file_path is missing/],
    [
      'a wrong type',
      'Read',
      (root) => ({ file_path: join(root, 'a.txt'), limit: 'ten' }),
      'invalid_input',
      /limit: expected a number/,
    ],
    ['a relative path', 'Read', () => ({ file_path: 'a.txt' }), 'path_not_absolute', /\/a\.txt/],
    [
      'a path outside',
      'Read',
      (_root, outside) => ({ file_path: join(outside, 'secret.txt') }),
      'path_outside_root',
      /outside/,
    ],
    [
      'a write outside',
      'Write',
      (_root, outside) => ({ file_path: join(outside, 'new.txt'), content: 'x' }),
      'path_outside_root',
      /outside/,
    ],
    ['a file that is not there', 'Read', (root) => ({ file_path: join(root, 'b.txt') }), 'file_not_found', /b\.txt/],
    ['a folder in place of a file', 'Read', (root) => ({ file_path: root }), 'not_a_file', /./],
    [
      'text that is not there',
      'Edit',
      (root) => ({ file_path: join(root, 'a.txt'), old_string: 'six', new_string: 'x' }),
      'no_match',
      /./,
    ],
    [
      'an edit that changes nothing',
      'Edit',
      (root) => ({ file_path: join(root, 'a.txt'), old_string: 'one', new_string: 'one' }),
      'no_change',
      /./,
    ],
    ['a broken pattern', 'Grep', () => ({ pattern: '((' }), 'invalid_input', /./],
    ['a dangerous command', 'Bash', () => ({ command: 'rm -rf /' }), 'command_denied', /blocked by safety policy: /],
    [
      'a time limit over the maximum',
      'Bash',
      () => ({ command: 'true', timeout: 600_001 }),
      'invalid_input',
      /timeout/,
    ],
    ['a number for a command', 'Bash', () => ({ command: 1 }), 'invalid_input', /command/],
    ['a command that takes too long', 'Bash', () => ({ command: 'sleep 30', timeout: 100 }), 'timeout', /100 ms/],
  ])('%s is one result with its code and the next step', async (_, name, input, code, message) => {
    const { root, outside, call } = workspace();
    const result = await call(name, input(root, outside));
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(result.output).toMatch(/^Error: (?!Error: )/);
    expect(result.output).toMatch(message);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  test('a command that fails is a result that ran, with its exit code', async () => {
    const { call } = workspace();
    expect(await call('Bash', { command: 'echo no >&2; exit 3' })).toMatchObject({
      ok: true,
      output: 'no\nExit code: 3',
      metadata: { exitCode: 3 },
    });
  });

  test('a link that leads outside', async () => {
    const { root, outside, call } = workspace();
    symlinkSync(join(outside, 'secret.txt'), join(root, 'link'));
    const result = await call('Read', { file_path: join(root, 'link') });
    expect(result).toMatchObject({ ok: false, error: { code: 'path_outside_root' } });
    expect(result.output).not.toContain('OUTSIDE');
  });
});

describe('without configuration', () => {
  test('what looks runs, and everything else says what to pass', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'a.txt'), 'one\n');
    await using toolkit = createToolkit({ root });
    const path = join(root, 'a.txt');
    const { results } = await toolkit.execute([
      { type: 'tool_use', id: '1', name: 'Read', input: { file_path: path } },
      { type: 'tool_use', id: '2', name: 'Glob', input: { pattern: '*' } },
      { type: 'tool_use', id: '3', name: 'Grep', input: { pattern: 'one' } },
      { type: 'tool_use', id: '4', name: 'Write', input: { file_path: path, content: 'x' } },
      { type: 'tool_use', id: '5', name: 'Bash', input: { command: 'echo hi' } },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, false, false]);
    expect(results[3]).toMatchObject({ error: { code: 'permission_denied' } });
    expect(results[4]?.output).toContain('createPermissions({ allow: ["Bash(echo hi)"] })');
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });
});

describe('rules of the host', () => {
  test('a denied file is neither read nor searched nor edited around', async () => {
    const { root, call } = workspace({
      permissions: createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)', 'Edit(keep/**)'] }),
    });
    writeFileSync(join(root, '.env'), 'needle\n');
    mkdirSync(join(root, 'keep'));
    symlinkSync(join(root, '.env'), join(root, 'other'));
    expect(await call('Read', { file_path: join(root, '.env') })).toMatchObject({
      error: { code: 'permission_denied' },
    });
    expect(await call('Read', { file_path: join(root, 'other') })).toMatchObject({
      error: { code: 'permission_denied' },
    });
    expect(await call('Grep', { pattern: 'needle', output_mode: 'content' })).toMatchObject({
      ok: true,
      output: 'No matches found',
    });
    expect(await call('Write', { file_path: join(root, 'keep', 'x'), content: '' })).toMatchObject({
      error: { code: 'permission_denied' },
    });
  });

  test('a git hook is asked about in spite of an allow rule', async () => {
    const { root, call } = workspace({ permissions: createPermissions({ allow: ['Write'] }) });
    expect(await call('Write', { file_path: join(root, 'b.txt'), content: 'x' })).toMatchObject({ ok: true });
    const hook = join(root, '.git', 'hooks', 'post-merge');
    expect(await call('Write', { file_path: hook, content: 'x' })).toMatchObject({
      error: { code: 'permission_denied' },
    });
    expect(existsSync(hook)).toBe(false);
  });

  test('a disabled tool is neither listed nor run', async () => {
    const { toolkit, call } = workspace();
    toolkit.registry.disable('Bash');
    expect(toolkit.definitions().map(({ name }) => name)).not.toContain('Bash');
    expect(await call('Bash', { command: 'true' })).toMatchObject({ error: { code: 'not_allowed' } });
  });

  test('a policy decides the list and the call alike', async () => {
    const policy = { offers: ({ name }: Tool) => name !== 'Bash', explain: () => 'no shell for guests' };
    const { toolkit, call } = workspace({ policy });
    expect(toolkit.definitions().map(({ name }) => name)).not.toContain('Bash');
    const result = await call('Bash', { command: 'true' });
    expect(result).toMatchObject({ error: { code: 'not_allowed' } });
    expect(result.output).toContain('no shell for guests');
  });
});

describe('plan mode', () => {
  test('queues what acts, and runs the queue when the plan is approved', async () => {
    const { root, toolkit, call } = workspace({ permissions: createPermissions({ mode: 'plan', allow: ['Write'] }) });
    const path = join(root, 'planned.txt');
    expect(await call('Write', { file_path: path, content: 'x' })).toMatchObject({
      error: { code: 'queued_for_plan' },
    });
    expect(await call('Read', { file_path: join(root, 'a.txt') })).toMatchObject({ ok: true });
    expect(toolkit.planQueue).toMatchObject([{ callId: 'c', tool: 'Write', title: 'Write planned.txt' }]);
    expect(existsSync(path)).toBe(false);
    const { results } = await toolkit.runPlan();
    expect(results).toMatchObject([{ ok: true }]);
    expect(toolkit.planQueue).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('x');
  });
});

describe('a plan that is not run to its end', () => {
  const path = (root: string, name: string) => join(root, `${name}.txt`);
  const files = ['one', 'two', 'three'];

  async function planned(options: object = {}) {
    const space = workspace({ permissions: createPermissions({ mode: 'plan' }), ...options });
    for (const name of files) await space.call('Write', { file_path: path(space.root, name), content: name });
    return { ...space, titles: () => space.toolkit.planQueue.map(({ title }) => title) };
  }

  test('keeps in the queue what never started, in order, and the next run takes it up', async () => {
    const { root, toolkit, call, titles } = await planned();
    const stop = new AbortController();
    const onEvent = ({ type }: { readonly type: string }) => {
      if (type === 'tool-start') stop.abort();
    };
    const { results } = await toolkit.runPlan({ signal: stop.signal, onEvent });
    expect(results.map((result) => result.ok || result.error.code)).toEqual([
      expect.anything(),
      'cancelled',
      'cancelled',
    ]);
    expect(titles()).toEqual(['Write two.txt', 'Write three.txt']);
    expect((await toolkit.runPlan()).results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(titles()).toEqual([]);
    expect(readFileSync(path(root, 'three'), 'utf8')).toBe('three');
    expect(await call('Read', { file_path: path(root, 'two') })).toMatchObject({ ok: true });
  });

  test('keeps all of it when it is aborted before it begins', async () => {
    const { toolkit, titles } = await planned();
    expect((await toolkit.runPlan({ signal: AbortSignal.abort() })).results).toHaveLength(3);
    expect(titles()).toEqual(['Write one.txt', 'Write two.txt', 'Write three.txt']);
    toolkit.clearPlan();
    expect(titles()).toEqual([]);
  });

  test('keeps all of it, and goes on planning, when its options are a mistake', async () => {
    const { toolkit, call, titles } = await planned();
    await expect(toolkit.runPlan({ signal: 5 } as never)).rejects.toThrow('signal takes');
    expect(titles()).toHaveLength(3);
    expect(await call('Bash', { command: 'true' })).toMatchObject({ error: { code: 'queued_for_plan' } });
  });

  test('forgets what was refused or failed: that was decided', async () => {
    const { root, toolkit, titles } = await planned();
    toolkit.registry.disable('Write');
    expect((await toolkit.runPlan()).results.map((result) => result.ok || result.error.code)).toEqual(
      files.map(() => 'not_allowed'),
    );
    expect([titles(), existsSync(path(root, 'one'))]).toEqual([[], false]);
  });

  test('runs once, however often it is started at the same time', async () => {
    const { toolkit } = await planned();
    const runs = await Promise.all([toolkit.runPlan(), toolkit.runPlan()]);
    expect(runs.map(({ results }) => results.length)).toEqual([3, 0]);
  });
});

describe('results', () => {
  const key = ['ghp', '_', 'aB3d'.repeat(9)].join('');

  test('hold no credential, and what was cut can be read on', async () => {
    const { root, call } = workspace();
    writeFileSync(join(root, 'key.txt'), `token ${key}\n`);
    expect(await call('Read', { file_path: join(root, 'key.txt') })).toMatchObject({ output: '1\ttoken [REDACTED]' });
    expect((await call('Bash', { command: 'cat key.txt' })).output).toBe('token [REDACTED]\n');
  });

  test('of a tool of one’s own are spilled to a private file that Read shows', async () => {
    const { toolkit, call } = workspace();
    toolkit.registry.register(
      tool('Flood', () => Array.from({ length: 10_000 }, (_, index) => `line ${index}`).join('\n')),
    );
    const result = await call('Flood', {});
    const file = /full output: (\S+)\]/.exec(result.output)?.[1] ?? '';
    expect(await call('Read', { file_path: file, offset: 5_001, limit: 1 })).toMatchObject({
      ok: true,
      output: expect.stringMatching(/^5001\tline 5000/),
    });
    expect(await call('Write', { file_path: file, content: '' })).toMatchObject({ ok: false });
    await toolkit.dispose();
    expect(existsSync(file)).toBe(false);
  });
});

describe('a mistake of the program throws', () => {
  table<[string, object, RegExp]>([
    ['no root', {}, /root/],
    ['a relative root', { root: 'src' }, /absolute/],
    ['a root that does not exist', { root: '/nowhere/at/all' }, /exist/],
    ['an unknown option', { root: '/', permisions: 'default' }, /permisions is no option\. Did you mean "permissions"/],
    ['an unknown host', { root: '/', hosts: { shel: {} } }, /Did you mean "shell"/],
    ['an unknown mode', { root: '/', permissions: 'yolo' }, /unknown/],
    ['an unknown limit', { root: '/', limits: { bash: { timeout: 1 } } }, /no limit/],
  ])('a mistake of the program throws', (_, options, message) => {
    expect(() => createToolkit(options as ToolkitOptions)).toThrow(message);
  });
});

test('disposing ends it, twice is once', async () => {
  const { toolkit } = workspace();
  await toolkit.execute([{ id: '1', name: 'Bash', input: { command: 'true' } }]);
  await toolkit.dispose();
  await toolkit.dispose();
});

test('a listener of the toolkit hears every session besides that of the turn, each once, whatever one of them does', async () => {
  const heard: ToolEvent[] = [];
  const both = (event: ToolEvent) => void heard.push(event);
  const { toolkit } = workspace({ onEvent: both });
  const turn = (sessionId: string, onEvent?: ToolEventListener) =>
    toolkit.execute([{ id: sessionId, name: 'Glob', input: { pattern: '*' } }], { caller: { sessionId }, onEvent });
  const own: string[] = [];
  await turn('a', ({ type }) => own.push(type));
  await turn('b', () => {
    throw new Error('listener');
  });
  await turn('c', (() => Promise.reject(new Error('listener'))) as never);
  await turn('d', both);
  const { results } = await turn('e');
  expect(results).toMatchObject([{ ok: true }]);
  const types = ['tool-start', 'tool-end', 'tool-result'];
  expect(own).toEqual(types);
  expect(heard.map((event) => ('callId' in event ? `${event.callId} ${event.type}` : ''))).toEqual(
    ['a', 'b', 'c', 'd', 'e'].flatMap((id) => types.map((type) => `${id} ${type}`)),
  );
});

test('the chunks of a command are its scrubbed output, each with the place where it starts', async () => {
  const secret = ['ghp', 'A1b2C3d4E5f6'.repeat(3)].join('_');
  const heard: ToolEvent[] = [];
  const { toolkit } = workspace({ onEvent: (event) => heard.push(event) });
  const command = `printf 'one ${secret.slice(0, 12)}'; sleep 0.15; echo ${secret.slice(12)}; seq 1 5; printf 'last'`;
  const { results } = await toolkit.execute([{ id: 'c', name: 'Bash', input: { command } }]);
  let text = '';
  for (const event of heard) {
    if (event.type !== 'tool-progress') continue;
    const { chunk, offset, tail } = event.metadata as BashProgress;
    expect(offset).toBe(text.length);
    expect(tail).not.toContain('ghp_');
    text += chunk;
  }
  expect([text, results[0]?.output]).toEqual(['one [REDACTED]\n1\n2\n3\n4\n5\nlast', text]);
});

describe('background commands', () => {
  test('answer an id, are read, announced once and stopped', async () => {
    const { toolkit } = workspace();
    const events: ToolEvent[] = [];
    const call = async (name: string, input: unknown) =>
      (await toolkit.execute([{ id: 'c', name, input }], { onEvent: (event) => events.push(event) })).results[0];
    const started = await call('Bash', { command: 'echo early; sleep 30', run_in_background: true });
    const [first, second] = started?.output.split('\n') ?? [];
    const taskId = /^Task started: (\S+)$/.exec(first ?? '')?.[1] ?? '';
    expect(second).toMatch(/^Output: \//);
    const read = async () => (await call('TaskOutput', { task_id: taskId, block: false }))?.output ?? '';
    let seen = '';
    while (!seen.includes('early')) seen += await read();
    expect(seen).toMatch(/^Status: running/);
    expect(await call('TaskStop', { task_id: taskId })).toMatchObject({ ok: true });
    expect(await read()).toMatch(/^Status: stopped/);
    expect(events.filter(({ type }) => type === 'task-update')).toEqual([
      { type: 'task-update', taskId, state: 'stopped', label: 'echo early; sleep 30' },
    ]);
    expect(toolkit.drainNotifications()).toMatchObject([{ taskId, state: 'stopped' }]);
    expect(toolkit.drainNotifications()).toEqual([]);
  });

  test('what a command leaves running is listed and ends with the toolkit', async () => {
    const { toolkit, call } = workspace();
    const seconds = uniqueSeconds();
    const { output } = await call('Bash', { command: `sleep ${seconds} & echo $!` });
    expect(toolkit.leftovers()).toMatchObject([
      { pid: Number.parseInt(output, 10), command: expect.stringContaining(`sleep ${seconds}`) },
    ]);
    await toolkit.dispose();
    expect(processesWith(`sleep ${seconds}`)).toEqual([]);
  });
});

describe('a sandbox', () => {
  const missing: Sandbox = {
    name: 'none',
    endsWithCommand: true,
    timeoutMs: 1_000,
    obstacle: async () => 'it is not installed',
    launch: () => {
      throw new Error('never');
    },
  };

  test('that is not there refuses, and runs on this machine only when the host says so', async () => {
    expect(await workspace({ sandbox: missing }).call('Bash', { command: 'echo hi' })).toMatchObject({
      ok: false,
      error: { code: 'sandbox_unavailable' },
    });
    const fallen = await workspace({ sandbox: { driver: missing, onUnavailable: 'host' } }).call('Bash', {
      command: 'echo hi',
    });
    expect(fallen).toMatchObject({ ok: true, output: expect.stringContaining('ran on this machine') });
  });
});

test('cd lasts when the host says so', async () => {
  const { root, call } = workspace({ shell: { cwdPersists: true } });
  mkdirSync(join(root, 'sub'));
  await call('Bash', { command: 'cd sub' });
  expect((await call('Bash', { command: 'pwd' })).output.trim()).toBe(join(root, 'sub'));
});

describe('undo', () => {
  test('is there when it is asked for, and takes back a file and a turn', async () => {
    const { root, call } = workspace({ features: { undo: true } });
    const path = join(root, 'a.txt');
    await call('Edit', { file_path: path, old_string: 'one', new_string: 'ONE' });
    await call('Write', { file_path: join(root, 'new.txt'), content: 'x' });
    expect(await call('UndoFile', { file_path: path })).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(await call('UndoTurn', {})).toMatchObject({ ok: true });
    expect(existsSync(join(root, 'new.txt'))).toBe(false);
  });

  test('is not listed otherwise', () => {
    expect(workspace().toolkit.registry.names()).not.toContain('UndoFile');
  });
});

test('a mount serves its part of the tree', async () => {
  const files = memoryFiles({ root: '/virtual', files: { 'note.md': 'kept elsewhere\n' } });
  const { call } = workspace({ mounts: [{ path: '/virtual', files }] });
  expect(await call('Read', { file_path: '/virtual/note.md' })).toMatchObject({
    ok: true,
    output: '1\tkept elsewhere',
  });
});

test('a folder can be added while the toolkit runs', async () => {
  const permissions = createPermissions({ mode: 'bypassPermissions' });
  const { outside, call } = workspace({ permissions });
  const path = join(outside, 'secret.txt');
  expect(await call('Read', { file_path: path })).toMatchObject({ error: { code: 'path_outside_root' } });
  permissions.addDirectories([outside]);
  expect(await call('Read', { file_path: path })).toMatchObject({ ok: true });
});

test('a syntax error that an edit brings in is told, and the edit stays', async () => {
  const { root, call } = workspace({ files: { syntaxCheck: true } });
  const path = join(root, 'a.json');
  await call('Write', { file_path: path, content: '{"a": 1}\n' });
  const result = await call('Edit', { file_path: path, old_string: '1}', new_string: '1' });
  expect(result.ok).toBe(true);
  expect(JSON.stringify(result)).toMatch(/JSON|syntax/i);
  expect(readFileSync(path, 'utf8')).toBe('{"a": 1\n');
});

describe('what the host passes is used', () => {
  test('limiter, resolver, dead letters and retry', async () => {
    const deadLetters = createDeadLetters();
    let tries = 0;
    const flaky = tool('Flaky', () => {
      tries += 1;
      throw new ToolError('network_failed', 'reset');
    });
    const { call } = workspace({
      deadLetters,
      retry: { maxAttempts: 2, baseMs: 1 },
      rateLimiter: createRateLimiter({ max: 1 }),
      toolResolver: (name) => (name === 'Flaky' ? flaky : undefined),
    });
    expect(await call('Flaky', {})).toMatchObject({ error: { code: 'network_failed' } });
    expect(tries).toBe(2);
    expect(deadLetters.list()).toMatchObject([{ attempts: 2 }]);
    expect(await call('Read', { file_path: '/' })).toMatchObject({ ok: false });
    expect(await call('Glob', { pattern: '*' })).toMatchObject({ error: { code: 'rate_limited' } });
  });

  test('rules of a tool of one’s own start at the root and look at real paths', async () => {
    const { root, toolkit, call } = workspace({
      permissions: createPermissions({ mode: 'bypassPermissions', deny: ['Read(secret/**)'] }),
    });
    mkdirSync(join(root, 'secret'));
    symlinkSync(join(root, 'secret'), join(root, 'link'));
    toolkit.registry.register(
      tool('Names', () => 'listed', { targets: () => [{ kind: 'read', path: join(root, 'link', 'x') }] }),
    );
    expect(await call('Names', {})).toMatchObject({ error: { code: 'permission_denied' } });
  });
});
