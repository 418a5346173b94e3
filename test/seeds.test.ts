import { promises as fs } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createToolkit, type ToolEvent } from '../src/index.js';
import { executeTools, type GivenContext, Tool, ToolError, ToolRegistry } from '../src/core.js';
import { McpManager } from '../src/mcp.js';
import { toolContext } from '../src/testing/index.js';
import { TaskManager } from '../src/tools.js';
import { eachRow } from './support/each-row.js';
import { FakeMcpClient } from './support/fake-mcp-client.js';
import { temporaryFolder } from './support/temporary-folder.js';

// The programs of documents that many readers know, as they are printed there.

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

function world() {
  const root = temporaryFolder();
  return { root, path: join(root, 'a.txt'), write: (name: string, text: string) => writeFile(join(root, name), text) };
}

test('a tool that is registered with permissions and a description in a file becomes a LangChain tool', async () => {
  const { root, path, write } = world();
  await write('a.txt', 'one two');
  await write('read.txt', 'Read a file below ${workspace}.');
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
    descriptionPath: 'read.txt', // Optional external description
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
