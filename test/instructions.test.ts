import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { expect, expectTypeOf, test } from 'vitest';
import type {
  bashTool,
  editTool,
  globTool,
  grepTool,
  readTool,
  Tool,
  ToolInputs,
  ToolkitOptions,
  todoWriteTool,
  webFetchTool,
  writeTool,
} from '../src/index.js';
import { stubSpawner } from '../src/testing/index.js';
import { instructionsOf } from '../src/toolkit/instructions.js';
import { FakeMcpClient } from './support/fake-mcp-client.js';
import { tool } from './support/pipeline.js';
import { runs } from './support/runs.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { testToolkit } from './support/test-toolkit.js';

function instructions(options: Partial<ToolkitOptions> = {}): string {
  const toolkit = testToolkit({ ...options });
  return toolkit.instructions();
}

test('the instructions name the root, how paths are written, and what is offered, in at most 250 tokens', () => {
  const root = temporaryFolder();
  const plain = instructions({ root });
  expect(plain).toContain(`Workspace: ${root}. Paths are absolute.`);
  expect(plain).toMatch(/Tools: .*Bash, .*Read, /);
  expect(instructions({ relativePaths: 'resolve' })).toContain('relative to it or absolute');
  expect(instructions({ policy: { deny: ['Bash'] } })).not.toMatch(/Bash|run_in_background/);
  expect(instructions({ policy: { deny: ['*'] } })).not.toContain('Tools:');
  expect(instructions({ policy: { deny: ['Edit', 'Write'] } })).not.toMatch(/old_string|replaces a whole/);
  const all = instructions({
    additionalRoots: Array.from({ length: 9 }, () => temporaryFolder()),
    features: { tasks: true, undo: true, applyPatch: true },
    hosts: { subagents: stubSpawner() },
    files: { readBeforeWrite: true },
    shell: { cwdPersists: true },
  });
  for (const text of [plain, all]) expect(tokens.encode(text).length).toBeLessThanOrEqual(250);
});

test('the instructions name no tool of an MCP server, with any prefix', () => {
  const mcp = new FakeMcpClient({ files: { tools: [{ name: 'find', inputSchema: { type: 'object' } }] } });
  for (const prefix of ['mcp__', 'server_']) {
    const text = instructions({ hosts: { mcp }, mcp: { prefix } });
    expect(text).toContain('those of MCP servers');
    expect(text).not.toContain('find');
  }
});

const tokens = new Tiktoken(ranks);
const everything: ToolkitOptions['features'] = {
  tasks: true,
  undo: true,
  applyPatch: true,
  teams: true,
  offerAll: true,
};

test('the instructions have at most 250 tokens for any roots, and show both ends of one that is too long', () => {
  const { registry } = testToolkit({ features: everything });
  const offered = registry.list();
  const all = { paths: 'resolve', offered } as const;
  const plain = { paths: 'reject', offered: offered.slice(0, 15), additionalRoots: [] } as const;
  const name = fc.oneof(
    fc.string({ minLength: 1, maxLength: 255 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 85 }),
    fc.string({ unit: fc.constantFrom(...'項目龘齉𠮷한ไทयے'), minLength: 1, maxLength: 85 }),
    fc.string({ unit: fc.constantFrom(...'aZ9q-X_j.7'), minLength: 1, maxLength: 255 }),
    fc.string({ unit: fc.constantFrom(...'qzxjkvw'), minLength: 1, maxLength: 255 }),
    fc.stringMatching(/^[0-9a-f]{8,64}$/),
  );
  const path = fc.array(name, { minLength: 1, maxLength: 12 }).map((names) => `/${names.join('/')}`);
  fc.assert(
    fc.property(path, fc.array(path, { maxLength: 4 }), (root, additionalRoots) => {
      for (const facts of [plain, { ...all, additionalRoots }]) {
        const text = instructionsOf({ ...facts, root });
        expect(tokens.encode(text, [], []).length).toBeLessThanOrEqual(250);
        const [, head = '', tail = ''] = /^Workspace: (.*)…(.*) \(shortened; /s.exec(text) ?? [];
        if (text.startsWith(`Workspace: ${root}. `)) continue;
        expect([head, tail]).toEqual([root.slice(0, head.length), root.slice(root.length - tail.length)]);
        expect(head.length * tail.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('a root of usual length is shown whole', () => {
  const root = '/private/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/projects/toolwright/packages/app';
  const { registry } = testToolkit();
  const facts = { additionalRoots: [], paths: 'reject', offered: registry.list().slice(0, 15) } as const;
  expect(instructionsOf({ ...facts, root })).toContain(`Workspace: ${root}. `);
});

test('call takes the input of a built-in tool by its type, and anything for another', async () => {
  type Of<Factory> = Factory extends (...values: never[]) => Tool<infer Input> ? Input : never;
  expectTypeOf<ToolInputs['Bash']>().toExtend<Of<typeof bashTool>>();
  expectTypeOf<ToolInputs['Read']>().toExtend<Of<typeof readTool>>();
  expectTypeOf<ToolInputs['Write']>().toExtend<Of<typeof writeTool>>();
  expectTypeOf<ToolInputs['Edit']>().toExtend<Of<typeof editTool>>();
  expectTypeOf<ToolInputs['Glob']>().toExtend<Of<typeof globTool>>();
  expectTypeOf<ToolInputs['Grep']>().toExtend<Of<typeof grepTool>>();
  expectTypeOf<ToolInputs['TodoWrite']>().toExtend<Of<typeof todoWriteTool>>();
  expectTypeOf<ToolInputs['WebFetch']>().toExtend<Of<typeof webFetchTool>>();
  const toolkit = testToolkit({ permissions: 'bypassPermissions' });
  toolkit.registry.register(tool('Own', () => 'done'));
  // @ts-expect-error file_path is missing
  expect(await toolkit.call('Read', {})).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(await toolkit.call('Own', { any: 1 })).toMatchObject({ ok: true });
});

test('the types of the inputs have the fields of the schemas', () => {
  // The compiler requires every field of each type.
  const fields: { [Name in Exclude<keyof ToolInputs, `mcp__${string}`>]: Record<keyof ToolInputs[Name], 1> } = {
    Agent: {
      ...{ description: 1, prompt: 1, subagent_type: 1, model: 1, resume: 1, run_in_background: 1, max_turns: 1 },
      ...{ name: 1, team_name: 1, mode: 1, isolation: 1 },
    },
    AskUserQuestion: { questions: 1, answers: 1 },
    Bash: {
      ...{ command: 1, timeout: 1, description: 1, run_in_background: 1, interactive: 1 },
      dangerouslyDisableSandbox: 1,
    },
    Config: { setting: 1, value: 1 },
    Edit: { file_path: 1, old_string: 1, new_string: 1, replace_all: 1 },
    ExitPlanMode: { plan: 1, allowedPrompts: 1 },
    Glob: { pattern: 1, path: 1 },
    Grep: {
      ...{ pattern: 1, path: 1, glob: 1, type: 1, output_mode: 1, '-A': 1, '-B': 1, '-C': 1, context: 1 },
      ...{ '-n': 1, '-i': 1, '-o': 1, multiline: 1, head_limit: 1, offset: 1 },
    },
    ListMcpResources: { server: 1 },
    NotebookEdit: { notebook_path: 1, new_source: 1, cell_id: 1, cell_type: 1, edit_mode: 1 },
    Read: { file_path: 1, offset: 1, limit: 1, pages: 1, column: 1 },
    ReadMcpResource: { server: 1, uri: 1 },
    TaskOutput: { task_id: 1, block: 1, timeout: 1 },
    TaskStop: { task_id: 1, shell_id: 1 },
    TodoWrite: { todos: 1 },
    WebFetch: { url: 1, prompt: 1, offset: 1 },
    WebSearch: { query: 1, allowed_domains: 1, blocked_domains: 1 },
    Write: { file_path: 1, content: 1 },
  };
  const toolkit = testToolkit({
    shell: { interactive: true },
    hosts: { subagents: stubSpawner(), mcp: new FakeMcpClient({}) },
  });
  const described = toolkit.registry
    .definitions(({ name }) => name in fields)
    .map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}).sort()]);
  expect(described.sort()).toEqual(Object.entries(fields).map(([name, keys]) => [name, Object.keys(keys).sort()]));
});
