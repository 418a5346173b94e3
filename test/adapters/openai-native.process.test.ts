import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fromOpenAI, toOpenAIOutputs, toOpenAITools } from '../../src/adapters/openai.js';
import { createPermissions, type Toolkit, type ToolkitOptions } from '../../src/index.js';
import { ModelServer } from '../examples/model-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const native = ['local_shell', 'shell', 'apply_patch'] as const;

type Item = Readonly<Record<string, unknown>>;

const local = (command: unknown, action: object = {}): Item => ({
  type: 'local_shell_call',
  action: { type: 'exec', command, env: {}, ...action },
});
const shell = (commands: unknown, action: object = {}): Item => ({
  type: 'shell_call',
  action: { commands, timeout_ms: null, max_output_length: null, ...action },
});
const patch = (type: string, path: string, diff?: string): Item => ({
  type: 'apply_patch_call',
  operation: { type, path, ...(diff === undefined ? {} : { diff }) },
});

function world(options: Partial<ToolkitOptions> = {}) {
  const root = options.root ?? temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n');
  const toolkit = testToolkit({
    permissions: 'bypassPermissions',
    features: { applyPatch: true },
    shell: { separateOutput: true },
    ...options,
    root,
  });
  return { root, toolkit };
}

/** A loop over the wire with one list of items for each answer. Returns the outputs sent for each. */
async function loop(toolkit: Toolkit, turns: readonly (readonly Item[])[]) {
  const asking = turns.map((items, turn) =>
    items.map((item, at) => ({
      id: `item_${turn}_${at}`,
      call_id: `call_${turn}_${at}`,
      status: 'completed',
      ...item,
    })),
  );
  const end = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }];
  const answers = [...asking, end].map((output, at) => ({ body: { id: `resp_${at}`, object: 'response', output } }));
  await using server = await ModelServer.start(answers);
  const input: unknown[] = [{ role: 'user', content: 'go' }];
  const outputs: Item[][] = [];
  for (;;) {
    const tools = toOpenAITools(toolkit.definitions(), { api: 'responses', native });
    const sent = await fetch(`${server.url}/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', tools, input }),
    });
    const answer = (await sent.json()) as { output: unknown[] };
    const calls = fromOpenAI(answer);
    if (calls.length === 0) return { outputs, requests: server.requests };
    const { results } = await toolkit.execute(calls);
    const answered = toOpenAIOutputs(results, { answer });
    outputs.push(answered as unknown as Item[]);
    input.push(...answer.output, ...answered);
  }
}

test('the tools of a request are the native ones and those that they do not replace', async () => {
  const { toolkit } = world();
  const { requests } = await loop(toolkit, []);
  const tools = (requests[0]?.body.tools ?? []) as readonly { readonly type?: string; readonly name?: string }[];
  expect(tools.slice(0, 3)).toEqual([
    { type: 'local_shell' },
    { type: 'shell', environment: { type: 'local' } },
    { type: 'apply_patch' },
  ]);
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Read', 'Grep']));
  expect(names).not.toContain('Bash');
  expect(names).not.toContain('ApplyPatch');
});

test('native types need the Responses API, and are omitted without their tool', () => {
  const { toolkit } = world({ features: {} });
  const definitions = toolkit.definitions();
  expect(() => toOpenAITools(definitions, { api: 'chat', native } as never)).toThrow("api: 'responses'");
  const tools = toOpenAITools(definitions, { api: 'responses', native: ['apply_patch'] });
  expect(tools.every(({ type }) => type === 'function')).toBe(true);
});

test('tools for native types of another provider are not offered under their own names', () => {
  const { toolkit } = world({ features: { native: true } });
  const tools = toOpenAITools(toolkit.definitions(), { api: 'responses', native: ['shell'] });
  const names = tools.map((tool) => ('name' in tool ? tool.name : tool.type));
  expect(names).toEqual(expect.arrayContaining(['shell', 'Read', 'ApplyPatch']));
  expect(names.filter((name) => ['View', 'RestartShell', 'Bash'].includes(name))).toEqual([]);
});

test('a recorded loop of local_shell: words stay separate', async () => {
  const { root, toolkit } = world();
  const words = ['printf', '[%s]', 'a b', "it's", '$HOME', '`id`', '', '; rm -rf /', '*'];
  const { outputs } = await loop(toolkit, [
    [local(words)],
    [
      local(['sh', '-c', 'echo $GREETING; pwd'], {
        env: { GREETING: 'a b', 'not a name': 'x' },
        working_directory: '/tmp',
      }),
    ],
    [local(['cat', 'missing.txt'], { timeout_ms: 99_999_999_999 })],
    [local(['time', 'if'])],
    [local([])],
    [local(['echo', 'a\0b'])],
  ]);
  const texts = outputs.map(([item]) => String(item?.output));
  expect(texts[0]).toBe("[a b][it's][$HOME][`id`][][; rm -rf /][*]");
  expect(texts[1]).toBe('a b\n/tmp\n');
  expect(texts[2]).toContain('Exit code: 1');
  expect(texts[3]).toContain('Exit code: 127');
  expect(texts.slice(4).every((text) => text.startsWith('Error: '))).toBe(true);
  expect(outputs.map(([item]) => [item?.type, item?.call_id])).toEqual(
    outputs.map((_, turn) => ['local_shell_call_output', `call_${turn}_0`]),
  );
  // No word was run as code.
  expect(readdirSync(root)).toEqual(['a.txt']);
});

test('a recorded loop of shell: separate stdout and stderr, one output for each command', async () => {
  const { toolkit } = world();
  const { outputs } = await loop(toolkit, [
    [shell(['echo out; echo err >&2; exit 3', 'cat a.txt'], { max_output_length: 4096 })],
    [shell(['sleep 60'], { timeout_ms: 50 }), shell(['echo 1'])],
    [shell(['kill -KILL $$'])],
    [shell([])],
    [
      { ...shell(['echo elsewhere']), environment: { type: 'container_reference', container_id: 'c' } },
      shell(['echo here']),
    ],
  ]);
  expect(outputs[0]).toEqual([
    {
      type: 'shell_call_output',
      call_id: 'call_0_0',
      max_output_length: 4096,
      output: [
        { stdout: 'out\n', stderr: 'err\n', outcome: { type: 'exit', exit_code: 3 } },
        { stdout: 'one\ntwo\nthree\n', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
      ],
    },
  ]);
  expect(outputs[1]).toMatchObject([
    { call_id: 'call_1_0', output: [{ outcome: { type: 'timeout' } }] },
    { call_id: 'call_1_1', output: [{ stdout: '1\n' }] },
  ]);
  expect(outputs[1]?.[0]).not.toHaveProperty('max_output_length');
  expect(outputs[2]).toMatchObject([{ output: [{ outcome: { type: 'exit', exit_code: 137 } }] }]);
  expect(outputs[3]).toMatchObject([
    { output: [{ stderr: expect.stringContaining('Error: '), outcome: { exit_code: 126 } }] },
  ]);
  expect(outputs[4]).toMatchObject([{ call_id: 'call_4_1', output: [{ stdout: 'here\n' }] }]);
});

test('without separate streams everything is stdout', async () => {
  const { toolkit } = world({ shell: {} });
  const { outputs } = await loop(toolkit, [[shell(['echo out; echo err >&2'])]]);
  expect(outputs[0]).toMatchObject([{ output: [{ stdout: 'out\nerr\n', stderr: '' }] }]);
});

test('a command that goes on in the background has succeeded', async () => {
  const { toolkit } = world({ shell: { autoBackground: true } });
  const { outputs } = await loop(toolkit, [[shell(['sleep 60'], { timeout_ms: 50 })]]);
  expect(outputs[0]).toMatchObject([{ output: [{ outcome: { type: 'exit', exit_code: 0 } }] }]);
});

test('commands of a call without an id get distinct ids, and one output', () => {
  const answer = [{ type: 'shell_call', action: { commands: ['a', 'b'] } }];
  const calls = fromOpenAI(answer);
  expect(calls.map(({ id }) => id)).toEqual(['call_1', 'call_1.2']);
  const results = calls.map(({ id, name }) => ({ callId: id, name, ok: true, output: '' }));
  expect(toOpenAIOutputs(results as never, { answer })).toMatchObject([
    { type: 'shell_call_output', call_id: 'call_1', output: [{}, {}] },
  ]);
});

test('a recorded loop of apply_patch', async () => {
  const { root, toolkit } = world();
  const { outputs } = await loop(toolkit, [
    [patch('create_file', 'new/n.txt', '+x\n+  y  \n')],
    [patch('update_file', 'a.txt', '@@\n one\n-two\n+TWO\n three\n')],
    [patch('delete_file', 'new/n.txt'), patch('update_file', 'a.txt', '@@\n-nowhere\n+x')],
    [patch('rename_file', 'a.txt')],
    [patch('delete_file', 'x\n*** Delete File: a.txt')],
    [{ type: 'function_call', name: 'Read', arguments: JSON.stringify({ file_path: join(root, 'a.txt') }) }],
  ]);
  expect(outputs[0]).toEqual([
    {
      type: 'apply_patch_call_output',
      call_id: 'call_0_0',
      status: 'completed',
      output: `Created ${root}/new/n.txt (2 lines).`,
    },
  ]);
  expect(outputs[1]).toMatchObject([{ status: 'completed' }]);
  expect(outputs[2]).toMatchObject([
    { status: 'completed' },
    { status: 'failed', output: expect.stringContaining('Error: ') },
  ]);
  expect(outputs[3]).toMatchObject([{ status: 'failed' }]);
  expect(outputs[4]).toMatchObject([{ status: 'failed' }]);
  expect(outputs[5]).toEqual([
    { type: 'function_call_output', call_id: 'call_5_0', output: '1\tone\n2\tTWO\n3\tthree' },
  ]);
  expect(existsSync(join(root, 'new/n.txt'))).toBe(false);
  const nameless = { type: 'apply_patch_call', call_id: 'x', operation: { type: 'create_file', diff: '+x' } };
  expect(fromOpenAI(nameless)[0]?.input).toEqual({});
});

test.for([
  [
    'Edit(**)',
    [patch('create_file', 'n.txt', '+x'), patch('update_file', 'a.txt', '@@\n-one\n+1'), patch('delete_file', 'a.txt')],
  ],
  ['Bash(rm:*)', [local(['rm', 'a.txt']), local(['sh', '-c', 'rm a.txt']), shell(['rm a.txt'])]],
  ['Bash', [local(['ls']), shell(['ls'])]],
] as const)('a deny rule %s applies to native types', async ([rule, items]) => {
  const root = temporaryFolder();
  const permissions = createPermissions({ mode: 'bypassPermissions', deny: [rule], root });
  const { toolkit } = world({ root, permissions });
  const { outputs } = await loop(toolkit, [items]);
  for (const item of outputs.flat()) expect(JSON.stringify(item)).toMatch(/Error: .*(?:denie|rule)/);
  expect(outputs.flat()).toHaveLength(items.length);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
});

test.for([
  ['nothing', undefined],
  ['a call without an action', { type: 'shell_call', call_id: 'c' }],
  ['one without an id', { type: 'local_shell_call', action: { command: ['ls'] } }],
  ['a patch without an operation', { type: 'apply_patch_call', call_id: 'c' }],
  ['an operation that is text', { type: 'apply_patch_call', call_id: 'c', operation: 'x' }],
] as const)('no input makes it throw: %s', async ([, item]) => {
  const { toolkit } = world();
  const answer = { output: [item, 1, null] };
  const { results } = await toolkit.execute(fromOpenAI(answer));
  expect(toOpenAIOutputs(results, { answer })).toHaveLength(item === undefined ? 0 : 1);
});
