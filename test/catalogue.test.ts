import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lintDescriptions } from '../src/core/registry/lint-descriptions.js';
import { ToolRegistry } from '../src/core/registry/registry.js';
import type { ToolDefinitionJson } from '../src/core/registry/tool-definitions.js';
import type { Tool } from '../src/core/tool.js';
import { stubSpawner } from '../src/testing/stub-spawner.js';
import { summaryPrompt } from '../src/text/summary-prompt.js';
import { createToolkit } from '../src/wiring/create-toolkit.js';
import { FakeMcpClient } from './support/fake-mcp-client.js';

// Runs twice: with zod 4, and with `zod` standing for the last zod 3, whose `zod/v4` the built-in schemas are written
// with as well.

// Every tool that any option adds.
const features = { undo: true, tasks: true, teams: true, sessions: true, applyPatch: true };

let root: string;
let definitions: readonly ToolDefinitionJson[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-catalogue-'));
  // With a tool that has to be searched for.
  const mcp = new FakeMcpClient({ server: { tools: [{ name: 'tool' }] } });
  const subagents = stubSpawner();
  const hosts = { mcp, subagents };
  const limits = { mcp: { deferOverChars: 1 } };
  const toolkit = createToolkit({ root, features: { ...features, offerAll: true }, hosts, limits });
  definitions = toolkit.definitions();
  await toolkit.dispose();
});

afterAll(() => rmSync(root, { recursive: true }));

test('the model is told of the built-in tools in this order, in these words', () => {
  expect(definitions).toMatchSnapshot();
});

test('no tool comes out without its fields', () => {
  expect(definitions.length).toBeGreaterThan(0);
  for (const { name, description, inputSchema } of definitions) {
    expect(inputSchema, name).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(inputSchema, name).not.toHaveProperty('$schema');
    expect(description.length, name).toBeGreaterThan(20);
  }
});

test('the examples of the built-in tools are valid', () => {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-catalogue-'));
  const { registry } = createToolkit({ root, features });
  rmSync(root, { recursive: true });
  const shown = registry.names().filter((name) => (registry.get(name)?.examples ?? []).length > 0);
  expect(shown).toEqual([
    'Bash',
    'Edit',
    'NotebookEdit',
    'Grep',
    'List',
    'TodoWrite',
    'TaskCreate',
    'TaskGet',
    'TaskUpdate',
    'WebFetch',
    'WebSearch',
    'AskUserQuestion',
    'Config',
  ]);
  // A registry refuses a tool that does not take its own example.
  for (const name of shown) expect(() => new ToolRegistry().register(registry.get(name) as Tool)).not.toThrow();
});

test('no description takes more of a prompt than it is worth', () => {
  expect(lintDescriptions(definitions)).toEqual([]);
});

// Those that are there whatever the options, but for what lists folders and enters plan mode, and the tools of teams.
const usual = (
  'Bash Read Write Edit Glob Grep TaskOutput TaskStop TodoWrite Config ExitPlanMode AskUserQuestion WebFetch ' +
  'WebSearch Agent ListMcpResources ReadMcpResource NotebookEdit TeamCreate SendMessage TeamDelete'
).split(' ');

const tokenizer = new Tiktoken(ranks);
const tokensOf = (value: unknown) => tokenizer.encode(JSON.stringify(value)).length;

test('without hosts the definitions take at most 1,900 tokens, and all of the usual 21 at most 2,750', async () => {
  const plain = createToolkit({ root, features: { teams: false } });
  const all = createToolkit({ root, features: { teams: true, offerAll: true } });
  const without = plain.definitions();
  const offered = all.definitions().filter(({ name }) => usual.includes(name));
  await plain.dispose();
  await all.dispose();
  expect(tokensOf(without)).toBeLessThanOrEqual(1_900);
  expect(offered.map(({ name }) => name).sort()).toEqual([...usual].sort());
  expect(tokensOf(offered)).toBeLessThanOrEqual(2_750);
});

test('none of all takes more than 300 tokens', () => {
  const plain = definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(plain.filter((definition) => tokensOf(definition) > 300).map(({ name }) => name)).toEqual([]);
  expect(tokensOf(plain.find(({ name }) => name === 'Grep'))).toBeLessThan(230);
});

test('what asks a model about a page takes less than 200 tokens besides the page', () => {
  const prompt = summaryPrompt('Which versions are supported?', 'https://example.com/docs/install');
  expect(new Tiktoken(ranks).encode(JSON.stringify(prompt)).length).toBeLessThan(200);
});

// The names are the dialect that models know; one that is missing is silently dropped from what a model sends.
const fieldsOf: Readonly<Record<string, string>> = {
  Bash: 'command timeout description run_in_background dangerouslyDisableSandbox',
  Read: 'file_path offset limit pages column',
  Write: 'file_path content',
  Edit: 'file_path old_string new_string replace_all',
  ApplyPatch: 'patch',
  NotebookEdit: 'notebook_path new_source cell_id cell_type edit_mode',
  Glob: 'pattern path',
  Grep: 'pattern path glob type output_mode -A -B -C context -n -i -o multiline head_limit offset',
  List: 'path limit glob',
  TaskOutput: 'task_id block timeout',
  TaskStop: 'task_id shell_id',
  TodoWrite: 'todos',
  TodoRead: '',
  TaskCreate: 'subject description activeForm metadata',
  TaskGet: 'taskId',
  TaskUpdate: 'taskId subject description activeForm status owner addBlocks addBlockedBy metadata',
  TaskList: '',
  UndoFile: 'file_path',
  UndoTurn: '',
  Config: 'setting value',
  EnterPlanMode: '',
  ExitPlanMode: 'plan allowedPrompts',
  AskUserQuestion: 'questions answers',
  WebFetch: 'url prompt offset',
  WebSearch: 'query allowed_domains blocked_domains',
  Agent: 'description prompt subagent_type model resume run_in_background max_turns name team_name mode isolation',
  Subagents: 'action id message',
  TeamCreate: 'team_name description members',
  SendMessage: 'to message type request_id approve',
  TeamDelete: 'team_name force',
  sessions_list: 'limit active_minutes',
  sessions_history: 'session_key limit before',
  sessions_send: 'session_key message timeout_seconds',
  session_status: 'session_key',
  ListMcpResources: 'server',
  ReadMcpResource: 'server uri',
  ToolSearch: 'query max_results',
};

test('every built-in tool takes the fields of its dialect, no more and no fewer', () => {
  const fields = definitions.map(({ name, inputSchema }) => [
    name,
    Object.keys(inputSchema.properties as object).sort(),
  ]);
  expect(fields).toEqual(definitions.map(({ name }) => [name, fieldsOf[name]?.split(' ').filter(Boolean).sort()]));
});
