import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { createToolkit } from 'toolwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromOpenAI, type OpenAIChatTool, toOpenAIMessages, toOpenAITools } from '../../src/adapters/openai.js';
import type { ToolCallResult } from '../../src/index.js';
import mcpServers from '../fixtures/mcp-server-schemas.json' with { type: 'json' };
import { chatEndpoint } from '../support/chat-endpoint.js';
import { eachRow } from '../support/each-row.js';
import { FakeMcpClient } from '../support/fake-mcp-client.js';
import { failed, pixel, succeeded } from './results.js';

type Create = OpenAI.ChatCompletionCreateParamsNonStreaming;

const user: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'go' };
const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')));
const calls = [
  { name: 'Write', input: { file_path: join(root, 'a.txt'), content: 'one\n' } },
  { name: 'Read', input: { file_path: join(root, 'a.txt'), limit: null } },
  { name: 'Read', input: { file_path: '/outside' } },
  { name: 'Nothing', input: {} },
];
let endpoint: Awaited<ReturnType<typeof chatEndpoint>>;
let client: OpenAI;

beforeAll(async () => {
  writeFileSync(join(root, 'b.txt'), 'two\n');
  endpoint = await chatEndpoint(calls);
  client = new OpenAI({ apiKey: 'none', baseURL: endpoint.url, maxRetries: 0 });
});

afterAll(async () => {
  await endpoint.close();
  rmSync(root, { recursive: true });
});

const ask = (more: Partial<Create>) => client.chat.completions.create({ model: 'm', messages: [user], ...more });

describe.each([false, true])('the endpoint, with strict: %s,', (strict) => {
  test('accepts all definitions, and all results of a turn', async () => {
    const toolkit = createToolkit({
      root,
      permissions: 'bypassPermissions',
      features: { undo: true, tasks: true },
      hosts: { mcp: new FakeMcpClient({ docs: { tools: [{ name: 'find' }] } }) },
    });
    try {
      const tools = toOpenAITools(toolkit.definitions(), { api: 'chat', strict }) as OpenAI.ChatCompletionTool[];
      expect(tools.length).toBeGreaterThan(15);
      const first = await ask({ tools, tool_choice: 'auto' });
      const { results } = await toolkit.execute(fromOpenAI(first));
      expect(results.map(({ ok }) => ok)).toEqual([true, true, false, false]);
      const message = first.choices[0]?.message as OpenAI.ChatCompletionMessageParam;
      const last = await ask({ tools, messages: [user, message, ...toOpenAIMessages(results)] });
      expect(last.choices[0]?.message.content).toBe('done');
    } finally {
      await toolkit.dispose();
    }
  });

  test('accepts the tools of common servers', async () => {
    const definitions = Object.values(mcpServers).flatMap((tools) =>
      Object.entries(tools).map(([name, { $schema: _, ...inputSchema }]: [string, Record<string, unknown>]) => ({
        name,
        description: '',
        inputSchema,
      })),
    );
    const unique = [...new Map(definitions.map((one) => [one.name, one])).values()].slice(0, 128);
    const tools = toOpenAITools(unique, { api: 'chat', strict }) as OpenAI.ChatCompletionTool[];
    expect(tools).toHaveLength(unique.length);
    await ask({ tools });
  });
});

test('the endpoint accepts results of every kind', async () => {
  const results: ToolCallResult[] = [
    succeeded('fine'),
    succeeded('', { attachments: [{ mediaType: 'image/png', data: pixel }] }),
    succeeded('x', { additionalContext: 'y' }),
    failed('gone'),
  ].map((result, at) => ({ ...result, callId: `call_${at}` }));
  const message = (await ask({})).choices[0]?.message as OpenAI.ChatCompletionMessageParam;
  await ask({ messages: [user, message, ...toOpenAIMessages(results)] });
});

const good: OpenAIChatTool = {
  type: 'function',
  function: { name: 'T', description: 'd', parameters: { type: 'object', properties: {} } },
};
const having = (part: object) => ({ ...good, function: { ...good.function, ...part } });

const withFields = (properties: object, more: object = {}) =>
  having({ parameters: { type: 'object', properties, ...more } });
const closed = withFields({ a: { type: 'string', minLength: 1 } }, { required: ['a'], additionalProperties: false });

describe('the endpoint rejects', () => {
  const refused = [
    ['a name with a blank', [having({ name: 'my tool' })], 'name'],
    ['a name that is too long', [having({ name: 'x'.repeat(65) })], 'name'],
    ['a tool of no type', [{ function: good.function }], 'type'],
    ['parameters that are no object', [having({ parameters: { type: 'string' } })], 'no object'],
    ['a choice at the top', [withFields({}, { anyOf: [{}] })], 'anyOf at the top'],
    ['a list without items', [withFields({ a: { type: 'array' } })], 'has no items'],
    ['a type that is none', [withFields({ a: { type: 'any' } })], 'type'],
    ['strict with an open object', [having({ strict: true })], 'is open'],
    [
      'strict with a keyword that is unknown there',
      [{ ...closed, function: { ...closed.function, strict: true } }],
      'says minLength',
    ],
    ['two tools of one name', [good, good], 'one name'],
    ['a field that definitions do not have', [{ ...good, input_schema: {} }], 'input_schema'],
  ] as const;
  test('requests against its rules', () =>
    eachRow(refused, ([, tools, reason]) =>
      expect(ask({ tools: tools as never })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(reason),
      }),
    ));

  test('a tool message without a call, a call without its message, and an unknown tool choice', async () => {
    const message = (await ask({})).choices[0]?.message as OpenAI.ChatCompletionMessageParam;
    const [first] = toOpenAIMessages([{ ...succeeded('x'), callId: 'call_0' }]);
    for (const wrong of [
      { messages: [user, first] },
      { messages: [user, message, first] },
      { tools: [good], tool_choice: { type: 'function', function: { name: 'Other' } } },
    ])
      await expect(ask(wrong as never)).rejects.toMatchObject({ status: 400 });
  });
});
