/**
 * A toolkit with the tools that the conformance tests of the protocol call, served over HTTP until standard input ends.
 * Prints its address.
 */

import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createToolkit, Tool } from 'toolwright';
import * as z from 'zod/v4';
import type { ToolContext } from '../../src/core/context.js';
import type { ToolResult } from '../../src/core/tool-result.js';
import { serveMcp } from '../../src/mcp-server/index.js';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const note = Buffer.from('This is an embedded resource content.').toString('base64');

type Execute = (context: ToolContext) => Promise<ToolResult | string> | ToolResult | string;

const executes: Readonly<Record<string, Execute>> = {
  test_simple_text: () => 'This is a simple text response for testing.',
  test_image_content: () => ({ output: '', attachments: [{ mediaType: 'image/png', data: png }] }),
  test_audio_content: () => ({ output: '', attachments: [{ mediaType: 'audio/wav', data: wav }] }),
  test_embedded_resource: () => ({ output: '', attachments: [{ mediaType: 'text/plain', data: note, name: 'note' }] }),
  test_multiple_content_types: () => ({
    output: 'Multiple content types test:',
    attachments: [
      { mediaType: 'image/png', data: png },
      { mediaType: 'application/json', data: Buffer.from('{"test":"data","value":123}').toString('base64') },
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async (context) => {
    for (const progress of [0, 50, 100]) {
      context.metadata({ metadata: { progress, total: 100 } });
      await wait(50);
    }
    return 'done';
  },
};

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
} as const;

const root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-conformance-')));
await writeFile(join(root, 'a.txt'), 'a file\n');
const toolkit = createToolkit({ root });
const description = 'A tool of the conformance tests.';
for (const [name, execute] of Object.entries(executes))
  toolkit.registry.register(
    Tool.define(name, { description, input: z.object({}), sideEffect: 'none', execute: (_, it) => execute(it) }),
  );
toolkit.registry.register(
  Tool.define('json_schema_2020_12_tool', { description, input: schema, sideEffect: 'none', execute: () => 'done' }),
);
const serving = await serveMcp(toolkit, { transport: { port: 0, token: false } });
process.stdout.write(`${serving.url}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await serving.close();
await toolkit.dispose();
await rm(root, { recursive: true });
