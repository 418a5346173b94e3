import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/v4';
import { createPermissions, createToolkit, Tool, type ToolkitOptions } from '../../src/index.js';
import { memoryFiles } from '../../src/testing/index.js';
import { eachRow } from '../support/each-row.js';
import { FakeMcpClient } from '../support/fake-mcp-client.js';

const allAsk = ['*'];

/** A toolkit that asks about every call, and its questions. */
function asking(options: Partial<ToolkitOptions> = {}) {
  const asked: string[] = [];
  const onAsk = ({ tool }: { readonly tool: string }) => {
    asked.push(tool);
    return 'allow-once' as const;
  };
  const files = memoryFiles({ root: '/ws', files: { 'a.txt': 'a\n' } });
  const permissions = createPermissions({ ask: allAsk, onAsk });
  const toolkit = createToolkit({ root: '/ws', permissions, ...options, hosts: { files, ...options.hosts } });
  onTestFinished(() => toolkit.dispose());
  const acted: unknown[] = [];
  toolkit.registry.register(
    Tool.define('Act', {
      description: 'Acts.',
      input: z.object({ what: z.string() }),
      sideEffect: 'network',
      execute: (input) => {
        acted.push(input);
        return 'done';
      },
    }),
  );
  return { toolkit, asked, acted };
}

test('an invalid input is refused before a question', async () => {
  const rows = [
    ['Act', {}],
    ['Act', { what: [] }],
    ['Bash', { command: 7 }],
    ['Bash', { command: 'ls', timeout: 10 ** 9 }],
    ['Bash', { command: '' }],
    ['Write', { file_path: '/ws/b.txt' }],
    ['Edit', { file_path: '/ws/a.txt', old_string: '', new_string: 'b' }],
    ['WebFetch', { url: 'nonsense', prompt: 'x' }],
    ['NotebookEdit', { notebook_path: '/ws/a.ipynb', new_source: '', edit_mode: 'drop' }],
    ['NotebookEdit', { notebook_path: '/ws/a.ipynb', new_source: '', edit_mode: 'insert' }],
    ['NotebookEdit', { notebook_path: '/ws/a.ipynb', new_source: '' }],
    ['TaskStop', {}],
    ['mcp__s__x', { n: 'seven' }],
  ] as const;
  const schema = { type: 'object', properties: { n: { type: 'number' } } };
  const mcp = new FakeMcpClient({ s: { tools: [{ name: 'x', inputSchema: schema }] } });
  await eachRow(rows, async ([name, input]) => {
    const { toolkit, asked, acted } = asking({ hosts: { mcp } });
    const result = await toolkit.call(name, input);
    expect([result.ok || result.error.code, asked, acted]).toEqual(['invalid_input', [], []]);
  });
});

test('a tool without its host fails before a question', async () => {
  const options = ['this', 'that'].map((label) => ({ label, description: `Take ${label}` }));
  const rows: readonly (readonly [name: string, input: object])[] = [
    ['WebSearch', { query: 'node streams' }],
    ['AskUserQuestion', { questions: [{ question: 'Which one?', header: 'One', options, multiSelect: false }] }],
    ['Agent', { description: 'x', prompt: 'y' }],
    ['ListMcpResources', {}],
    ['ReadMcpResource', { server: 's', uri: 'x:1' }],
  ];
  await eachRow(rows, async ([name, input]) => {
    const { toolkit, asked } = asking();
    const result = await toolkit.call(name, input as never);
    expect([result.ok || result.error.code, asked]).toEqual(['not_configured', []]);
  });
});

test('an answer to a question does not answer a call with the same id', async () => {
  const { toolkit, acted } = asking({ permissions: createPermissions({ ask: allAsk }) });
  const mine = { id: 'call_1', name: 'Act', input: { what: 'mine' } };
  const decision = await toolkit.decide(mine);
  const { id = '' } = decision.behavior === 'ask' ? decision.question : {};
  const rows = ['allow', 'allow-once', 'allow-always', 'deny', { behavior: 'allow' }] as const;
  await eachRow(rows, async (answer) => {
    const other = { id, name: 'Act', input: { what: 'other' } };
    const { results } = await toolkit.execute([other], { answers: { [id]: answer } });
    expect(results[0]).toMatchObject({ ok: false, output: expect.stringContaining('no person') });
  });
  expect(acted).toEqual([]);
  await toolkit.execute([mine], { answers: { [id]: 'allow-once' } });
  await toolkit.execute([{ ...mine, id: 'question_1' }], { answers: { question_1: 'allow-once' } });
  expect(acted).toEqual([{ what: 'mine' }, { what: 'mine' }]);
});
