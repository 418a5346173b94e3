import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createToolkit, type Toolkit } from 'toolwright';
import { toAiTools } from 'toolwright/ai-sdk';
import { toAnthropicTools, toRunnableTools } from 'toolwright/anthropic';
import { toClaudeServer } from 'toolwright/claude-agent';
import { toGeminiTools } from 'toolwright/gemini';
import { toLangChainTools } from 'toolwright/langchain';
import { toOpenAITools } from 'toolwright/openai';
import { toAgentTools } from 'toolwright/openai-agents';
import { memoryFiles } from 'toolwright/testing';
import { expect, onTestFinished, test } from 'vitest';
import { table } from '../support/each-row.js';
import { tool } from '../support/pipeline.js';

const caller = { sessionId: 's', agentId: 'one' };

/** A toolkit whose registryFor gives each agent its own tool. */
function withOwn(): Toolkit {
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles() },
    registryFor: (registry, { caller: { agentId } }) =>
      agentId === undefined ? registry : registry.clone().register(tool('Own', () => `own of ${agentId}`)),
  });
  onTestFinished(() => toolkit.dispose());
  return toolkit;
}

const described: Readonly<Record<string, (toolkit: Toolkit) => Promise<unknown>>> = {
  toAnthropicTools: async (toolkit) => toAnthropicTools(await toolkit.definitionsFor(caller)),
  toOpenAITools: async (toolkit) => toOpenAITools(await toolkit.definitionsFor(caller), { api: 'chat' }),
  toGeminiTools: async (toolkit) => toGeminiTools(await toolkit.definitionsFor(caller)),
};

table(Object.entries(described))('the tools of a caller are described by', async (_, describe) => {
  const toolkit = withOwn();
  expect(JSON.stringify(await describe(toolkit))).toContain('"Own"');
  expect(toolkit.definitions(caller).map(({ name }) => name)).not.toContain('Own');
});

type Chosen = { readonly definitions: Awaited<ReturnType<Toolkit['definitionsFor']>> };

const running: Readonly<Record<string, (toolkit: Toolkit, chosen: Chosen | object) => Promise<unknown>>> = {
  toAiTools: async (toolkit, chosen) =>
    toAiTools(toolkit, caller, { approvals: 'toolkit', ...chosen }).Own?.execute?.(
      {},
      { toolCallId: '1', messages: [] },
    ),
  toAgentTools: async (toolkit, chosen) => {
    const own = toAgentTools(toolkit, caller, { approvals: 'toolkit', ...chosen }).find(({ name }) => name === 'Own');
    return await own?.invoke({ isToolApproved: () => undefined } as never, '{}');
  },
  toLangChainTools: async (toolkit, chosen) =>
    await toLangChainTools(toolkit, caller, chosen)
      .find(({ name }) => name === 'Own')
      ?.invoke({}),
  toRunnableTools: async (toolkit, chosen) =>
    await toRunnableTools(toolkit, caller, chosen)
      .find(({ name }) => name === 'Own')
      ?.run({}),
};

table(Object.entries(running))('the tools of a caller, if given, are run by', async (_, run) => {
  const toolkit = withOwn();
  const answer = await run(toolkit, { definitions: await toolkit.definitionsFor(caller) });
  const answers = [answer];
  if (Symbol.asyncIterator in Object(answer))
    for await (const one of answer as AsyncIterable<unknown>) answers.push(one);
  expect(JSON.stringify(answers)).toContain('own of one');
  expect(await run(toolkit, {})).toBeUndefined();
  await expect(run(toolkit, { definitions: toolkit.definitionsFor(caller) })).rejects.toThrow('await it');
});

test('a server lists and runs the tools of its caller', async () => {
  const toolkit = withOwn();
  const client = new Client({ name: 'client', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([toClaudeServer(toolkit, caller).instance.connect(ours), client.connect(theirs)]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('Own');
  expect(await client.callTool({ name: 'Own', arguments: {} })).toMatchObject({
    content: [{ type: 'text', text: 'own of one' }],
  });
  await client.close();
});
