import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ToolRegistry } from '../src/core/registry/registry.js';
import { createToolkit, summaryPrompt, type Tool, type ToolDefinitionJson } from '../src/index.js';
import { lintDescriptions } from '../src/policy.js';
import { stubSpawner } from '../src/testing/index.js';
import { samples } from './support/each-row.js';
import { FakeMcpClient } from './support/fake-mcp-client.js';

// Runs twice: with zod 4, and with `zod` replaced by the last zod 3, whose `zod/v4` also works for the built-in
// schemas.

// All tools that options add.
const features = { undo: true, tasks: true, teams: true, sessions: true, applyPatch: true };

let root: string;
let definitions: readonly ToolDefinitionJson[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-catalogue-'));
  // Includes a tool that must be found by ToolSearch.
  const mcp = new FakeMcpClient({ server: { tools: [{ name: 'tool' }] } });
  const subagents = stubSpawner();
  const hosts = { mcp, subagents };
  const limits = { mcp: { deferOverChars: 1 } };
  const toolkit = createToolkit({ root, features: { ...features, offerAll: true }, hosts, limits });
  definitions = toolkit.definitions();
  await toolkit.dispose();
});

afterAll(() => rmSync(root, { recursive: true }));

test('the built-in tools have these names, descriptions and schemas, in this order', () => {
  expect(definitions).toMatchSnapshot();
});

test('no tool is listed without its fields', () => {
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
  expect(shown).toEqual(
    samples`
    Bash ¦ Edit ¦ NotebookEdit ¦ Grep ¦ List ¦ TodoWrite ¦ TaskCreate ¦ TaskGet ¦ TaskUpdate ¦ WebFetch ¦ WebSearch
    AskUserQuestion ¦ Config`,
  );
  // A registry rejects a tool whose schema rejects its own example.
  for (const name of shown) expect(() => new ToolRegistry().register(registry.get(name) as Tool)).not.toThrow();
});

test('no description exceeds its token budget', () => {
  expect(lintDescriptions(definitions)).toEqual([]);
});

// The tools that are always offered, except List and EnterPlanMode, and the team tools.
const usual = (
  'Bash Read Write Edit Glob Grep TaskOutput TaskStop TodoWrite Config ExitPlanMode AskUserQuestion WebFetch ' +
  'WebSearch Agent ListMcpResources ReadMcpResource NotebookEdit TeamCreate SendMessage TeamDelete'
).split(' ');

const tokenizer = new Tiktoken(ranks);
const tokensOf = (value: unknown) => tokenizer.encode(JSON.stringify(value)).length;

test('without hosts the definitions need at most 1,900 tokens, and the usual 21 at most 2,750', async () => {
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

test('no definition needs more than 300 tokens', () => {
  const plain = definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(plain.filter((definition) => tokensOf(definition) > 300).map(({ name }) => name)).toEqual([]);
  expect(tokensOf(plain.find(({ name }) => name === 'Grep'))).toBeLessThan(230);
});

test('the prompt for a summarizer needs less than 200 tokens besides the page', () => {
  const prompt = summaryPrompt('Which versions are supported?', 'https://example.com/docs/install');
  expect(new Tiktoken(ranks).encode(JSON.stringify(prompt)).length).toBeLessThan(200);
});
