import { promises as fs } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  createPolicy,
  executeTools,
  type GivenContext,
  type RecordedChange,
  Tool,
  ToolError,
  type ToolInitContext,
  ToolRegistry,
} from '../src/core.js';
import { createToolkit } from '../src/index.js';
import { toolContext } from '../src/testing/index.js';
import { eachRow } from './support/each-row.js';
import { FakeMcpClient } from './support/fake-mcp-client.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { testToolkit } from './support/test-toolkit.js';

// The example programs of the source documents, as printed there.

// Define metadata type
interface ReadMetadata extends Tool.Metadata {
  path: string;
  bytes: number;
}

const parameters = z.object({
  path: z.string().describe('File path to read'),
});
type ReadSchema = typeof parameters;

// Define the tool
const readTool = Tool.define<ReadSchema, ReadMetadata>('read', {
  description: 'Read file contents',
  parameters: z.object({
    path: z.string().describe('File path to read'),
  }),
  execute: async (args, ctx) => {
    // Stream progress updates
    ctx.metadata({ title: `Reading ${args.path}...` });

    const content = await fs.readFile(args.path, 'utf-8');

    return {
      title: `Read ${args.path}`,
      metadata: { path: args.path, bytes: content.length },
      output: content,
    };
  },
});

async function world() {
  const root = temporaryFolder();
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  };
  return { root, path: join(root, 'a.txt'), write };
}

const definition = (name: string) => ({ description: `Says ${name}.`, execute: () => name });

/** A tool that says its name. */
function own(name: string, more: Partial<Tool.Definition<z.ZodObject>> = {}): Tool {
  return Tool.define(name, {
    ...definition(name),
    ...(more.input === undefined ? { parameters: z.object({}) } : {}),
    ...(more as object),
  }) as Tool;
}

test('a tool that is registered with permissions and a description in a file becomes a LangChain tool', async () => {
  const { root, path, write } = await world();
  await write('a.txt', 'one two');
  await write('src/tools/read.txt', 'Read a file below ${workspace}.');
  const results: unknown[] = [];
  const updates: unknown[] = [];
  const asked: string[][] = [];
  const myContext: GivenContext = {
    sessionID: 's1',
    messageID: 'm1',
    agent: 'build',
    abort: new AbortController().signal,
    metadata: (update) => updates.push(update),
  };

  const registry = new ToolRegistry();
  // Register a tool
  registry.register(readTool, {
    permissions: { required: ['read'] },
    descriptionPath: 'src/tools/read.txt', // Optional external description
  });
  // Initialize and get LangChain tools
  const tools = await registry.tools({
    initCtx: { workingDir: root },
    createContext: (toolId, callId) => {
      asked.push([toolId, callId]);
      return myContext;
    },
    onToolResult: (result) => results.push(result),
  });

  expect(tools.map(({ name, description }) => [name, description])).toEqual([['read', `Read a file below ${root}.`]]);
  expect(await tools[0]?.invoke({ path })).toBe('one two');
  const message = await tools[0]?.invoke({ type: 'tool_call', id: 'c1', name: 'read', args: { path } });
  expect(message).toMatchObject({ tool_call_id: 'c1', content: 'one two', status: 'success' });
  expect(asked).toEqual([
    ['read', ''],
    ['read', 'c1'],
  ]);
  expect(updates).toEqual(Array(2).fill({ title: `Reading ${path}...` }));
  const result = { title: `Read ${path}`, metadata: { path, bytes: 7 }, output: 'one two', ok: true, callId: 'c1' };
  expect(results[1]).toMatchObject(result);
  expect(tools.lastResults('read')).toMatchObject([result]);
});

test('with a missing description file the tool keeps its own description, with a warning', async () => {
  const warned: string[] = [];
  const listen = (warning: Error & { code?: string }) => warned.push(`${warning.code}: ${warning.message}`);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const registry = new ToolRegistry({ cwd: temporaryFolder() });
  registry.register(readTool, { permissions: { required: ['read'] }, descriptionPath: 'src/tools/read.txt' });
  const tools = await registry.tools();
  expect(tools.map(({ description }) => description)).toEqual(['Read file contents']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned).toEqual([
    expect.stringMatching(/^TOOLWRIGHT_DESCRIPTION: read: the description in .*there is no such/),
  ]);
});

test('a list for LangChain runs read-only tools, and others if the program runs the calls', async () => {
  const registry = new ToolRegistry().register(own('Send', { permissions: { required: ['network'] } }), own('Unsaid'));
  const said = async (options: Parameters<ToolRegistry['tools']>[0]) =>
    (await Promise.all((await registry.tools(options)).map((tool) => tool.invoke({})))).map(String);
  for (const text of await said({})) expect(text).toMatch(/^Error: /);
  const execute: NonNullable<Parameters<ToolRegistry['tools']>[0]>['execute'] = (calls, turn) =>
    executeTools(calls, { registry, permissions: 'bypassPermissions', ...turn });
  expect(await said({ execute })).toEqual(['Send', 'Unsaid']);
  await expect(registry.tools({ createContexts: () => ({}) } as never)).rejects.toThrow('createContext');
  const rows: readonly (readonly [options: object, said: string])[] = [
    [{ createContext: () => {} }, 'the result of createContext takes an object, not undefined'],
    [{ createContext: () => ({ sessionId: 's' }) }, 'sessionId is no option. Did you mean "sessionID"?'],
    [{ createContext: async () => ({ sessionID: 's' }) }, 'the result of createContext takes an object, not a promise'],
    [{ execute: () => [] }, 'what execute returns takes an object, not an empty list'],
    [{ execute: () => ({ result: [] }) }, 'what execute returns: pass results'],
  ];
  await eachRow(rows, ([options, wrong]) => expect(said(options as never)).rejects.toThrow(wrong));
});

test('the side effect of a tool follows from its required permissions unless it is given', async () => {
  type Words = Tool.Definition<ReadSchema>['permissions'];
  const rows: readonly (readonly [Words, string])[] = [
    [undefined, 'network'],
    [{ required: [] }, 'network'],
    [{ required: ['read'] }, 'readonly'],
    [{ required: ['write', 'read'] }, 'mutating'],
    [{ required: ['read', 'network', 'write'] }, 'network'],
    [{ required: ['network', 'execute'] }, 'spawns'],
    [{ required: ['read'], optional: ['execute'] }, 'readonly'],
  ];
  await eachRow(rows, async ([permissions, sideEffect]) => {
    expect(own('A', { permissions }).sideEffect).toBe(sideEffect);
    expect(own('A', { permissions, sideEffect: 'none' }).sideEffect).toBe('none');
    if (permissions === undefined) return;
    const later = Tool.define('Later', async () => ({ ...definition('Later'), parameters: z.object({}) }));
    const registry = new ToolRegistry();
    registry
      .register(own('A'), { permissions })
      .register(own('B', { sideEffect: 'none' }), { permissions })
      .register(later, { permissions })
      .register({ ...own('Copy') }, { permissions });
    await registry.ready();
    expect(['A', 'B', 'Later', 'Copy'].map((name) => registry.get(name)?.sideEffect)).toEqual([
      ...[sideEffect, 'none', sideEffect, 'network'],
    ]);
    expect(registry.list().map((tool) => tool.permissions.required)).toEqual(Array(4).fill(permissions.required));
  });
});

test('a definition has a schema under one of two names, and a registration rejects unknown options', async () => {
  const schema = z.object({});
  const mistakes: readonly (readonly [() => unknown, string])[] = [
    [() => own('A', { input: schema, parameters: schema }), 'pass input or parameters, not both'],
    [() => Tool.define('A', { description: 'A.', execute: () => '' }), 'zod'],
    [() => own('A', { permissions: { required: ['reed' as never] } }), 'read, write, execute and network'],
    [() => new ToolRegistry().register(own('A'), { permission: {} } as never), 'permissions'],
    [() => new ToolRegistry().register(own('A'), undefined as never), 'register takes'],
    [() => new ToolRegistry().register(own('A'), { permissions: ['read'] as never }), 'an object'],
  ];
  await eachRow(
    mistakes,
    ([mistake, text]) => expect(mistake).toThrow(text),
    ([mistake]) => String(mistake),
  );
});

test('a tool gets every part of its context under both names, from any caller', async () => {
  const seen: unknown[] = [];
  const look = Tool.define('Look', {
    description: 'Looks at its context.',
    parameters: z.object({}),
    sideEffect: 'none',
    execute: (_args, ctx: Tool.Context) => {
      const { sessionID, messageID, agent, abort, callID, caller, signal, callId } = ctx;
      seen.push({ sessionID, messageID, agent, callID });
      expect({ abort, callID, sessionID }).toEqual({ abort: signal, callID: callId, sessionID: caller.sessionId });
      ctx.metadata({ title: 'Looking' });
      return '';
    },
  });
  const registry = new ToolRegistry().register(look);
  const signal = new AbortController().signal;
  const caller = { sessionId: 's', messageId: 'm', agentId: 'a' };
  await executeTools([{ id: 'c', name: 'Look', input: {} }], { registry, caller, signal });
  await executeTools([{ id: 'c', name: 'Look', input: {} }], { registry, caller: { sessionId: 's' } });
  await look.execute({}, toolContext({ caller, callId: 'c' }));
  const updates: unknown[] = [];
  const metadata = (update: object) => void updates.push(update);
  await registry.execute(
    'Look',
    {},
    { sessionID: 's', messageID: 'm', agent: 'a', abort: signal, callID: 'c', metadata },
  );
  await registry.execute('look', {}, { caller, signal, callId: 'c' });
  const all = { sessionID: 's', messageID: 'm', agent: 'a', callID: 'c' };
  expect(seen).toEqual([all, { ...all, messageID: '', agent: '' }, all, all, all]);
  expect(updates).toEqual([{ title: 'Looking' }]);
});

test('a context that is passed on with another signal is complete', async () => {
  const inner = Tool.define('Inner', {
    description: 'Says whether it is to stop.',
    input: z.object({}),
    execute: (_input, { abort, sessionID }) => `${abort.aborted} ${sessionID}`,
  });
  const outer = Tool.define('Outer', {
    description: 'Asks Inner.',
    input: z.object({}),
    execute: (input, context) => inner.execute(input, { ...context, signal: AbortSignal.abort() }),
  });
  const registry = new ToolRegistry().register(outer);
  expect((await registry.execute('Outer', {}, { sessionID: 's' })).output).toBe('true s');
});

test('a registry executes a tool for the program without a question, and rejects with the reason', async () => {
  const { path, write } = await world();
  await write('a.txt', 'one');
  const files: string[] = [];
  const shown = Tool.define('all', async ({ workingDir }: ToolInitContext) => ({
    description: 'Process files.',
    parameters: z.object({ count: z.number() }),
    // Reports progress, and returns an object.
    execute: async (args, ctx) => {
      for (let file = 0; file < args.count; file++) ctx.metadata({ title: `Processing ${file}...` });
      return { title: 'Completed processing', metadata: { processedCount: args.count }, output: { workingDir } };
    },
  }));
  const registry = new ToolRegistry({ cwd: '/project' }).register(readTool, shown);
  expect(await registry.execute('read', { path })).toMatchObject({ output: 'one', metadata: { bytes: 3 } });
  const ctx: GivenContext = { metadata: ({ title = '' }) => files.push(title) };
  expect(await registry.execute('all', { count: 2 }, ctx)).toMatchObject({
    title: 'Completed processing',
    metadata: { processedCount: 2 },
    output: '{"workingDir":"/project"}',
  });
  expect(files).toEqual(['Processing 0...', 'Processing 1...']);
  const failed = (name: string, input: object, context: GivenContext = {}) =>
    registry.execute(name, input, context).catch((thrown) => ToolError.is(thrown) && thrown.code);
  expect(await failed('raed', { path })).toBe('unknown_tool');
  expect(await failed('read', {})).toBe('invalid_input');
  expect(await failed('read', { path }, { abort: AbortSignal.abort() })).toBe('cancelled');
  expect(await failed('read', { path: `${path}.gone` })).toBe('execution_failed');
});

test('tools of MCP servers are registered and unregistered by name', async () => {
  const registry = new ToolRegistry().register(own('A'));
  const schema = { type: 'object', properties: { q: { type: 'string' } } } as const;
  const client = new FakeMcpClient({ server_name: { isTrusted: true }, a__b: {} });
  const riskOf = (name: string, annotations?: Record<string, unknown>, by: object = client) =>
    registry.registerMcpTool(name, schema, 'Look something up.', annotations, by as FakeMcpClient).riskOf({});
  const rows: readonly (readonly [string, Record<string, unknown> | undefined, string])[] = [
    ['mcp__server_name__plain', undefined, 'high'],
    ['mcp__server_name__looks', { ReadOnly: true, Destructive: false }, 'low'],
    ['mcp__server_name__looks_too', { readOnlyHint: true }, 'low'],
    ['mcp__server_name__ends', { readOnly: true, destructive: true }, 'critical'],
    ['mcp__stranger__looks', { readOnlyHint: true }, 'high'],
  ];
  await eachRow(rows, ([name, annotations, risk]) => expect(riskOf(name, annotations)).toBe(risk));
  expect(riskOf('mcp__other__tool', {}, { callTool: async () => ({ content: [] }) })).toBe('high');
  const { output } = await registry.execute('mcp__server_name__plain', { q: 'x' });
  expect([output, client.calls]).toEqual([
    'plain {"q":"x"}',
    [{ server: 'server_name', tool: 'plain', input: { q: 'x' }, onProgress: expect.any(Function) }],
  ]);
  const names = () => registry.list().map(({ name }) => name);
  expect(registry.enabled(['network']).map(({ name }) => name)).toContain('mcp__server_name__plain');
  expect(registry.unregisterMcpTools('mcp__server_name__')).toBe(4);
  expect(names()).toEqual(['A', 'mcp__stranger__looks', 'mcp__other__tool']);
  expect(registry.unregisterMcpTools('')).toBe(2);
  expect(names()).toEqual(['A']);
  const mistakes: readonly (readonly [() => unknown, string])[] = [
    [() => riskOf('plain'), 'mcp__SERVER__TOOL'],
    [() => riskOf('mcp__a__b__c__'), 'mcp__SERVER__TOOL'],
    [() => riskOf('mcp____x'), 'mcp__SERVER__TOOL'],
    [() => riskOf('mcp__s__t', {}, {}), 'callTool'],
    [
      () => [
        riskOf('mcp__s__t'),
        riskOf('mcp__s__t'),
        riskOf('mcp__s__t', {}),
        registry.alias('mcp__s__u', 'A'),
        riskOf('mcp__s__u'),
      ],
      'taken',
    ],
  ];
  await eachRow(
    mistakes,
    ([mistake, text]) => expect(mistake).toThrow(text),
    ([mistake]) => String(mistake),
  );
});

const builtinCase = ['bash', 'edit', 'glob', 'grep', 'read', 'write'];

test('each usual name leads to a tool, in calls and in the lists of a policy', async () => {
  const names = {
    Agent: 'Task task spawn spawn_agent sessions_spawn subagent',
    Bash: 'bash exec',
    Edit: 'FileEdit edit edit_file',
    Glob: 'glob',
    Grep: 'grep search search_code search_files',
    List: 'list list_files get_file_info',
    Read: 'FileRead read read_file',
    TodoRead: 'todoread',
    TodoWrite: 'todowrite',
    TaskCreate: 'task_create',
    TaskGet: 'task_get',
    TaskList: 'task_list',
    TaskUpdate: 'task_update',
    UndoFile: 'undo_file',
    UndoTurn: 'undo_turn',
    WebFetch: 'webfetch web_fetch',
    WebSearch: 'web_search',
    Write: 'FileWrite write write_file',
  };
  const registry = new ToolRegistry().register(...Object.keys(names).map((name) => own(name)));
  const rows = Object.entries(names).flatMap(([name, others]) =>
    others.split(' ').map((other) => [other, name] as const),
  );
  await eachRow(rows, ([other, name]) => {
    expect(registry.find(other)?.name).toBe(name);
    // Allow lists of a policy are case-sensitive.
    if (builtinCase.includes(other)) return;
    const policy = createPolicy({ allow: [other] });
    expect(policy.offers(registry.get(name) as Tool, { sessionId: 's' })).toBe(true);
  });
});

test('each change of a file is reported, and its contents are available until another change', async () => {
  const { root, path } = await world();
  const told: [RecordedChange, string][] = [];
  const toolkit = testToolkit({
    root,
    permissions: 'acceptEdits',
    features: { undo: true },
    onFileChange: (change, { caller }) => {
      told.push([change, caller.sessionId]);
      throw new Error('What a listener throws changes nothing.');
    },
  });
  const secret = ['ghp_', 'a1B2c3D4'.repeat(5).slice(0, 36)].join('');
  const caller = { sessionId: 's' };
  const run = async (id: string, name: string, input: object) =>
    (await toolkit.execute([{ id, name, input }], { caller })).results[0]?.ok;
  expect(await run('tc_1', 'Write', { file_path: path, content: `one ${secret}\n` })).toBe(true);
  expect(await run('tc_2', 'Edit', { file_path: path, old_string: 'one', new_string: 'two' })).toBe(true);
  const contents = (changes: readonly RecordedChange[]) =>
    Promise.all(changes.map(async ({ contentBefore, contentAfter }) => [await contentBefore, await contentAfter]));
  const changes = toolkit.fileChanges(caller);
  expect(changes).toMatchObject([
    { filePath: path, operation: 'create', turnNumber: 1, toolCallId: 'tc_1', sessionId: 's' },
    { filePath: path, operation: 'update', turnNumber: 2, toolCallId: 'tc_2', sessionId: 's' },
  ]);
  const shown = [
    [undefined, 'one [REDACTED]\n'],
    ['one [REDACTED]\n', 'two [REDACTED]\n'],
  ];
  expect(await contents(changes)).toEqual(shown);
  expect(await contents(told.map(([change]) => change))).toEqual(shown);
  expect([told.map(([, session]) => session), toolkit.fileChanges()]).toEqual([['s', 's'], []]);
  await writeFile(path, 'three');
  expect(await contents(toolkit.fileChanges(caller))).toEqual(Array(2).fill([undefined, undefined]));
  expect(() => createToolkit({ root, onFileChange: () => {} })).toThrow('features: { undo: true }');
});
