import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BashProgress, ToolEventListener } from '../src/core.js';
import {
  createDeadLetters,
  createPermissions,
  createRateLimiter,
  createToolkit,
  type Sandbox,
  ToolError,
  type ToolEvent,
  type ToolkitOptions,
} from '../src/index.js';
import { eachRow } from './support/each-row.js';
import { tool } from './support/pipeline.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { testToolkit } from './support/test-toolkit.js';

/** A toolkit in its own folder, disposed after the test. */
function workspace(options: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(outside, 'secret.txt'), 'OUTSIDE');
  const toolkit = testToolkit({ root, permissions: 'bypassPermissions', ...options });
  const call = (name: string, input: unknown) => toolkit.call(name, input, { id: 'c' });
  return { root, outside, toolkit, call };
}

test('the definitions are those of the current registry', () => {
  const { toolkit } = workspace();
  const before = toolkit.definitions();
  expect(toolkit.definitions()).toEqual(before);
  toolkit.registry.register(tool('More', () => ''));
  expect(toolkit.definitions().length).toBe(before.length + 1);
});

test('a rule may name a tool that an opened toolkit lacks, even if the name is like that of another tool', () => {
  const permissions = createPermissions();
  const { toolkit, outside } = workspace({ permissions });
  toolkit.registry.register(tool('Wrixe', () => ''));
  permissions.addRules({ deny: ['Wrixe'] });
  expect(() => toolkit.openIn(outside)).not.toThrow();
});

test('a created file with a relative path and a taken name gets a number', async () => {
  const { root, toolkit } = workspace({ relativePaths: 'resolve' });
  expect(await toolkit.files.create('a.txt', Buffer.from('new'))).toBe(join(root, 'a-2.txt'));
});

describe('a mistake of a model', () => {
  test('is one result with its code and the next step, and changes nothing', async () => {
    const { root, outside, call } = workspace();
    const path = join(root, 'a.txt');
    const rows: readonly (readonly [code: string, name: string, input: object, message?: RegExp])[] = [
      ['path_not_absolute', 'Read', { file_path: 'a.txt' }, /\/a\.txt/],
      ['path_outside_root', 'Read', { file_path: join(outside, 'secret.txt') }, /outside/],
      ['path_outside_root', 'Write', { file_path: join(outside, 'new.txt'), content: 'x' }, /outside/],
      ['file_not_found', 'Read', { file_path: join(root, 'b.txt') }, /b\.txt/],
      ['not_a_file', 'Read', { file_path: root }],
      ['no_match', 'Edit', { file_path: path, old_string: 'six', new_string: 'x' }],
      ['no_change', 'Edit', { file_path: path, old_string: 'one', new_string: 'one' }],
      ['invalid_input', 'Read', { file_path: path, limit: 'ten' }, /limit: expected a number/],
      ['invalid_input', 'Grep', { pattern: '((' }],
      ['invalid_input', 'Bash', { command: 'true', timeout: 600_001 }, /timeout/],
      [
        'command_denied',
        'Bash',
        { command: 'rm -rf /' },
        /blocked by safety policy: .*\. Name the files to delete, or ask the user\./,
      ],
      ['timeout', 'Bash', { command: 'sleep 30', timeout: 100 }, /100 ms/],
    ];
    await eachRow(rows, async ([code, name, input, message = /./]) => {
      const result = await call(name, input);
      expect(result).toMatchObject({ ok: false, error: { code } });
      expect(result.output).toMatch(/^Error: (?!Error: )/);
      expect(result.output).toMatch(message);
      expect([readFileSync(path, 'utf8'), readdirSync(outside)]).toEqual(['one\ntwo\n', ['secret.txt']]);
    });
  });
});

describe('without configuration', () => {
  test('read-only tools run, and all others name the option to pass', async () => {
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
  test('a denied file cannot be read, searched or edited in any way', async () => {
    const { root, call } = workspace({
      permissions: createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)', 'Edit(keep/**)'] }),
    });
    writeFileSync(join(root, '.env'), 'needle\n');
    mkdirSync(join(root, 'keep'));
    symlinkSync(join(root, '.env'), join(root, 'other'));
    const denied = { error: { code: 'permission_denied' } };
    for (const name of ['.env', 'other'])
      expect(await call('Read', { file_path: join(root, name) })).toMatchObject(denied);
    expect((await call('Grep', { pattern: 'needle', output_mode: 'content' })).output).toBe('No matches found');
    expect(await call('Write', { file_path: join(root, 'keep', 'x'), content: '' })).toMatchObject(denied);
  });

  test('a disabled tool is neither listed nor run', async () => {
    const { toolkit, call } = workspace();
    toolkit.registry.disable('Bash');
    expect(toolkit.definitions().map(({ name }) => name)).not.toContain('Bash');
    expect(await call('Bash', { command: 'true' })).toMatchObject({ error: { code: 'not_allowed' } });
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

  test('keeps calls that never started in the queue, in order, for the next run', async () => {
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

  test('keeps all calls if it is aborted before it begins', async () => {
    const { toolkit, titles } = await planned();
    expect((await toolkit.runPlan({ signal: AbortSignal.abort() })).results).toHaveLength(3);
    expect(titles()).toEqual(['Write one.txt', 'Write two.txt', 'Write three.txt']);
    toolkit.clearPlan();
    expect(titles()).toEqual([]);
  });

  test('keeps all calls and plan mode if its options are invalid', async () => {
    const { toolkit, call, titles } = await planned();
    await expect(toolkit.runPlan({ signal: 5 } as never)).rejects.toThrow('signal takes');
    expect(titles()).toHaveLength(3);
    expect(await call('Bash', { command: 'true' })).toMatchObject({ error: { code: 'queued_for_plan' } });
  });

  test('drops refused and failed calls, which were decided', async () => {
    const { root, toolkit, titles } = await planned();
    toolkit.registry.disable('Write');
    expect((await toolkit.runPlan()).results.map((result) => result.ok || result.error.code)).toEqual(
      files.map(() => 'not_allowed'),
    );
    expect([titles(), existsSync(path(root, 'one'))]).toEqual([[], false]);
  });

  test('runs once for any number of simultaneous starts', async () => {
    const { toolkit } = await planned();
    const runs = await Promise.all([toolkit.runPlan(), toolkit.runPlan()]);
    expect(runs.map(({ results }) => results.length)).toEqual([3, 0]);
  });
});

describe('results', () => {
  const key = ['ghp', '_', 'aB3d'.repeat(9)].join('');

  test('contain no credential, and cut text can be read further', async () => {
    const { root, call } = workspace();
    writeFileSync(join(root, 'key.txt'), `token ${key}\n`);
    expect(await call('Read', { file_path: join(root, 'key.txt') })).toMatchObject({ output: '1\ttoken [REDACTED]' });
    expect((await call('Bash', { command: 'cat key.txt' })).output).toBe('token [REDACTED]\n');
  });

  test('of a custom tool are spilled to a private file that Read shows', async () => {
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

test('a listener of the toolkit gets the events of every session in addition to that of the turn, once each, for any behaviour', async () => {
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

test('the chunks of a command are its scrubbed output, each with its offset', async () => {
  const secret = ['ghp', 'A1b2C3d4E5f6'.repeat(3)].join('_');
  const heard: ToolEvent[] = [];
  const { toolkit, root } = workspace({
    onEvent: (event) => {
      heard.push(event);
      if (event.type === 'tool-progress') writeFileSync(join(root, 'go'), '');
    },
  });
  const wait = 'until [ -e go ]; do sleep 0.02; done';
  const command = `printf 'one ${secret.slice(0, 12)}'; ${wait}; echo ${secret.slice(12)}; seq 1 5; printf 'last'`;
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
  test('return an id, are read, announced once and stopped', async () => {
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
});

test('an unavailable sandbox refuses, and the command runs on this machine only with the option', async () => {
  const missing: Sandbox = {
    ...{ name: 'none', endsWithCommand: true, timeoutMs: 1_000 },
    obstacle: async () => 'it is not installed',
    launch: () => Promise.reject(new Error('never')) as never,
  };
  const refused = await workspace({ sandbox: missing }).call('Bash', { command: 'echo hi' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'sandbox_unavailable' } });
  const fallen = workspace({ sandbox: { driver: missing, onUnavailable: 'host' } });
  const said = { ok: true, output: expect.stringContaining('ran on this machine') };
  expect(await fallen.call('Bash', { command: 'echo hi' })).toMatchObject(said);
});

test('undo is listed only with the feature', () => {
  expect(workspace().toolkit.registry.names()).not.toContain('UndoFile');
});

test('a new syntax error is reported, and the edit stays', async () => {
  const { root, call } = workspace({ files: { syntaxCheck: true } });
  const path = join(root, 'a.json');
  await call('Write', { file_path: path, content: '{"a": 1}\n' });
  const result = await call('Edit', { file_path: path, old_string: '1}', new_string: '1' });
  expect(result.ok).toBe(true);
  expect(JSON.stringify(result)).toMatch(/JSON|syntax/i);
  expect(readFileSync(path, 'utf8')).toBe('{"a": 1\n');
});

describe('options of the host are used', () => {
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
});

test('UndoTurn names files that a real command changed', async () => {
  const { root, call } = workspace({ features: { undo: true } });
  writeFileSync(join(root, 'before.txt'), 'before');
  utimesSync(join(root, 'before.txt'), 1, 1);
  // The clock of a file system is coarse: a turn that begins within a tick of a change may count it as its own.
  const { ctimeMs } = statSync(join(root, 'before.txt'));
  while (Date.now() <= ctimeMs + 50) await new Promise((resolve) => setTimeout(resolve, 5));
  await call('Bash', { command: 'echo x > made.txt; mkdir -p sub; echo y > sub/also.txt' });
  const result = await call('UndoTurn', {});
  expect(result).toMatchObject({ ok: false, error: { code: 'no_change' } });
  expect(result.output).toContain(join(root, 'made.txt'));
  expect(result.output).toContain(join(root, 'sub/also.txt'));
  expect(result.output).not.toContain('before.txt');
});
