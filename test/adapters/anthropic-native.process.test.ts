import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type AnthropicToolResult,
  fromAnthropic,
  toAnthropicResults,
  toAnthropicTools,
} from '../../src/adapters/anthropic.js';
import { MemoryDocuments, memoryStore, StoreFiles } from '../../src/files.js';
import { createPermissions, type Toolkit, type ToolkitOptions } from '../../src/index.js';
import { ModelServer } from '../examples/model-server.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const native = ['bash', 'text_editor', 'memory'] as const;

type Use = readonly [name: string, input: Readonly<Record<string, unknown>>];

const bash = (input: object): Use => ['bash', { ...input }];
const editor = (command: string, input: object): Use => ['str_replace_based_edit_tool', { command, ...input }];
const memory = (command: string, input: object): Use => ['memory', { command, ...input }];

function world(options: Partial<ToolkitOptions> = {}) {
  const root = options.root ?? temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(root, 'sub/b.txt'), 'b\n');
  const files = new StoreFiles({ root: '/memories', store: memoryStore(new MemoryDocuments()) });
  const toolkit = testToolkit({
    permissions: 'bypassPermissions',
    features: { native: true },
    mounts: [{ path: '/memories', files }],
    ...options,
    root,
  });
  return { root, toolkit };
}

/** The answers of a model that makes one call after the other, and then ends its turn. */
function answersOf(uses: readonly Use[]) {
  const content = (use: Use, at: number) => ({ type: 'tool_use', id: `toolu_${at}`, name: use[0], input: use[1] });
  const asking = uses.map((use, at) => ({ role: 'assistant', stop_reason: 'tool_use', content: [content(use, at)] }));
  const end = { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] };
  return [...asking, end].map((body) => ({ body }));
}

/** A loop over the wire: the requests, and the text of each result, with `!` before a failure. */
async function loop(toolkit: Toolkit, uses: readonly Use[]) {
  await using server = await ModelServer.start(answersOf(uses));
  const messages: unknown[] = [{ role: 'user', content: 'go' }];
  const texts: string[] = [];
  for (;;) {
    const tools = toAnthropicTools(toolkit.definitions(), { native });
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', max_tokens: 1, tools, messages }),
    });
    const message = (await response.json()) as { content: unknown };
    const calls = fromAnthropic(message, { native });
    if (calls.length === 0) return { texts, requests: server.requests };
    const { results } = await toolkit.execute(calls);
    const content = toAnthropicResults(results);
    texts.push(...content.map(shown));
    messages.push({ role: 'assistant', content: message.content }, { role: 'user', content });
  }
}

function shown({ content: [first], is_error }: AnthropicToolResult): string {
  return `${is_error === true ? '!' : ''}${first?.type === 'text' ? first.text : first?.type}`;
}

test('the tools of a request are the native ones and those that they do not replace', async () => {
  const { toolkit } = world();
  const { requests } = await loop(toolkit, []);
  const { tools = [] } = requests[0]?.body ?? {};
  expect(tools.slice(0, 3)).toEqual([
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'memory_20250818', name: 'memory' },
  ]);
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Glob', 'Grep', 'List', 'TaskOutput']));
  for (const name of ['Bash', 'Read', 'Write', 'Edit', 'View', 'RestartShell', 'ApplyPatch'])
    expect(names).not.toContain(name);
});

test('a type without its tools is omitted, and without types nothing changes', () => {
  const { toolkit } = world({ features: {} });
  const definitions = toolkit.definitions();
  expect(toAnthropicTools(definitions, { native }).filter((tool) => 'type' in tool)).toEqual([
    { type: 'bash_20250124', name: 'bash' },
  ]);
  expect(toAnthropicTools(definitions).map(({ name }) => name)).toEqual(definitions.map(({ name }) => name));
  expect(fromAnthropic({ type: 'tool_use', id: 'x', name: 'memory', input: { command: 'view' } })).toEqual([
    { id: 'x', name: 'memory', input: { command: 'view' } },
  ]);
});

test('a recorded loop of bash', async () => {
  const { toolkit } = world();
  const { texts } = await loop(toolkit, [
    bash({ command: 'cat a.txt | head -1' }),
    bash({ command: 'sleep 300 >/dev/null 2>&1 & echo started' }),
    bash({ restart: true }),
    bash({ restart: true }),
    bash({ command: 'exit 3' }),
    bash({}),
  ]);
  expect(texts[0]).toBe('one\n');
  expect(texts[1]).toContain('Still running');
  expect(texts[2]).toMatch(/^The shell was restarted\. Ended: \d+ \(.*sleep 300/);
  expect(texts[3]).toBe('The shell was restarted.');
  expect(texts[4]).toContain('Exit code: 3');
  expect(texts[5]).toContain('!Error: Invalid input for Bash');
  expect(toolkit.leftovers()).toEqual([]);
});

test('a recorded loop of the text editor', async () => {
  const { root, toolkit } = world();
  const [a, fresh] = [join(root, 'a.txt'), join(root, 'new/n.txt')];
  const { texts } = await loop(toolkit, [
    editor('view', { path: a }),
    editor('view', { path: a, view_range: [2, -1] }),
    editor('view', { path: a, view_range: [2, 2] }),
    editor('view', { path: root }),
    editor('create', { path: fresh, file_text: 'x\n' }),
    editor('str_replace', { path: a, old_str: 'two', new_str: 'TWO' }),
    editor('str_replace', { path: a, old_str: 'three\n' }),
    editor('insert', { path: a, insert_line: 0, insert_text: 'zero\n' }),
    editor('insert', { path: a, insert_line: 2, insert_text: 'one and a half\n\nmore' }),
    editor('insert', { path: a, insert_line: 99, insert_text: 'x' }),
    editor('insert', { path: a, insert_text: 'x' }),
    editor('str_replace', { path: a, old_str: 'nowhere', new_str: 'x' }),
    editor('undo_edit', { path: a }),
    editor('view', { path: a, view_range: [3, 2] }),
    editor('view', { path: a, view_range: [0, 2] }),
  ]);
  expect(texts.slice(0, 3)).toEqual([
    '1\tone\n2\ttwo\n3\tthree',
    '2\ttwo\n3\tthree',
    expect.stringContaining('2\ttwo'),
  ]);
  expect(texts[3]).toBe('a.txt\nsub/');
  expect(texts.slice(4, 9).some((text) => text.startsWith('!'))).toBe(false);
  expect(readFileSync(a, 'utf8')).toBe('zero\none\none and a half\n\nmore\nTWO\n');
  expect(readFileSync(fresh, 'utf8')).toBe('x\n');
  expect(texts[9]).toContain('has 6 lines');
  expect(texts.slice(9, -1).every((text) => text.startsWith('!Error: '))).toBe(true);
  expect(texts[12]).toContain('unknown tool');
  expect(texts[13]).toContain('view_range: the last line, 2, is before the first, 3.');
  expect(texts[14]).toMatch(/^1\tzero\n2\tone\n\[/);
});

test('a recorded loop of the memory', async () => {
  const { root, toolkit } = world();
  const { texts } = await loop(toolkit, [
    memory('view', { path: '/memories' }),
    memory('create', { path: '/memories/notes.md', file_text: 'a\nb\n' }),
    memory('view', { path: '/memories' }),
    memory('str_replace', { path: '/memories/notes.md', old_str: 'b', new_str: 'B' }),
    memory('insert', { path: '/memories/notes.md', insert_line: 1, insert_text: 'between' }),
    memory('rename', { old_path: '/memories/notes.md', new_path: '/memories/old/notes.md' }),
    memory('view', { path: '/memories/old/notes.md' }),
    memory('delete', { path: '/memories/old/notes.md' }),
    memory('view', { path: '/memories/old/notes.md' }),
    memory('create', { path: `${root}/escaped.txt`, file_text: 'x' }),
    memory('delete', { path: `/memories/../..${root}/a.txt` }),
    memory('rename', { old_path: '/memories/x\n*** Delete File: a.txt', new_path: '/memories/y' }),
  ]);
  expect(texts[0]).toBe('Empty folder');
  expect(texts[2]).toBe('notes.md');
  expect(texts[6]).toBe('1\ta\n2\tbetween\n3\tB');
  expect(texts.slice(0, 8).some((text) => text.startsWith('!'))).toBe(false);
  expect(texts[8]).toMatch(/^!Error: /);
  expect(texts[9]).toContain(`Created /memories${root}/escaped.txt`);
  expect(texts[10]).toMatch(/^!Error: /);
  expect(texts[11]).toMatch(/^!Error: /);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
});

const rows = [
  memory('delete', {}),
  memory('delete', { path: 7 }),
  memory('delete', { path: 'undefined ' }),
  memory('rename', { old_path: '/memories/kept' }),
  memory('rename', { new_path: '/memories/x' }),
  editor('insert', { insert_line: 0, insert_text: 'x' }),
] as const;
test('a call without a file name changes no file', () =>
  eachRow(rows, async (use) => {
    const { root, toolkit } = world();
    writeFileSync(join(root, 'undefined'), 'kept');
    await loop(toolkit, [memory('create', { path: '/memories/kept', file_text: '' })]);
    await loop(toolkit, [memory('create', { path: '/memories/undefined', file_text: '' })]);
    const { texts } = await loop(toolkit, [use, memory('view', { path: '/memories' })]);
    expect(texts[0]).toContain('patch is missing');
    expect(texts[1]).toBe('kept\nundefined');
    expect(readFileSync(join(root, 'undefined'), 'utf8')).toBe('kept');
  }));

const changes = (root: string): readonly Use[] => [
  editor('create', { path: `${root}/n.txt`, file_text: 'x' }),
  editor('str_replace', { path: `${root}/a.txt`, old_str: 'one', new_str: '1' }),
  editor('insert', { path: `${root}/a.txt`, insert_line: 1, insert_text: 'x' }),
  memory('create', { path: '/memories/n.md', file_text: 'x' }),
  memory('str_replace', { path: '/memories/n.md', old_str: 'x', new_str: 'y' }),
  memory('insert', { path: '/memories/n.md', insert_line: 0, insert_text: 'x' }),
  memory('delete', { path: '/memories/n.md' }),
  memory('rename', { old_path: '/memories/n.md', new_path: '/memories/m.md' }),
];

test.for([
  ['Edit(**)', changes],
  ['Bash(rm:*)', () => [bash({ command: 'rm a.txt' })]],
  ['Bash', () => [bash({ command: 'ls' })]],
  [
    'Read(**)',
    (root: string) => [
      editor('view', { path: `${root}/a.txt` }),
      editor('view', { path: root }),
      memory('view', { path: '/memories' }),
    ],
  ],
] as const)('a deny rule %s applies to native types', async ([rule, uses]) => {
  const root = temporaryFolder();
  const permissions = createPermissions({ mode: 'bypassPermissions', deny: [rule], root });
  const { toolkit } = world({ root, permissions });
  const { texts } = await loop(toolkit, uses(root));
  for (const text of texts) expect(text).toMatch(/^!Error: .*(?:denie|not allowed|rule)/);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
});

test('a call without permission does not run, and a read-only one needs no question', async () => {
  const { root, toolkit } = world({ permissions: 'default' });
  const asked = await loop(toolkit, changes(root));
  for (const text of asked.texts) expect(text).toContain('no person to ask');
  const { texts } = await loop(toolkit, [editor('view', { path: `${root}/a.txt` }), bash({ restart: true })]);
  expect(texts).toEqual(['1\tone\n2\ttwo\n3\tthree', 'The shell was restarted.']);
});
