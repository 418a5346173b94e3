import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { type Caller, createToolkit, type Toolkit } from 'toolwright';
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

/** Calls the tool `Own` once, or asks whether it needs approval, for each of two users of one session. */
const perUser: Readonly<Record<string, (toolkit: Toolkit, of: Caller) => unknown>> = {
  toLangChainTools: (toolkit, of) => ofName(toLangChainTools(toolkit, of))?.invoke({}),
  'toAiTools, for an approval': (toolkit, of) => {
    const needsApproval = toAiTools(toolkit, of).Own?.needsApproval as (...given: unknown[]) => unknown;
    return needsApproval({}, { toolCallId: '1', messages: [] });
  },
  'toAgentTools, for an approval': (toolkit, of) =>
    ofName(toAgentTools(toolkit, of))?.needsApproval({} as never, {} as never, '1'),
};

table(Object.entries(perUser))('each request in a session has its own caller: %s', async (_, ask) => {
  const checked: Caller[] = [];
  const check = async (_request: unknown, scope: { readonly caller: Caller }) => {
    checked.push(scope.caller);
    return { behavior: 'allow' as const };
  };
  const toolkit = createToolkit({ root: '/workspace', hosts: { files: memoryFiles() }, permissions: { check } });
  onTestFinished(() => toolkit.dispose());
  toolkit.registry.register(tool('Own', () => 'done'));
  const callers = [{ userId: 'ann' }, { userId: 'bob' }, { userId: 'bob', chatId: 'c' }, { userId: 'ann' }];
  for (const one of callers) await ask(toolkit, { sessionId: 's', ...one });
  expect(checked).toEqual(callers.map((one) => ({ sessionId: 's', ...one })));
});

test('questions that the Agents SDK asks in one step are answered together, also beside earlier ones', async () => {
  let answer = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const check = async ({ tool: name }: { readonly tool: string }) => {
    if (name === 'Late') await late;
    return { behavior: 'allow' as const };
  };
  const toolkit = createToolkit({ root: '/workspace', hosts: { files: memoryFiles() }, permissions: { check } });
  onTestFinished(() => toolkit.dispose());
  toolkit.registry.register(
    tool('Own', () => 'done'),
    tool('Late', () => 'done'),
  );
  const tools = toAgentTools(toolkit, caller);
  const ask = async (name: string) =>
    await tools.find((one) => one.name === name)?.needsApproval({} as never, {} as never, '1');
  let isAnswered = false;
  const soon = (name: string) => void setImmediate(() => void ask(name).then(() => (isAnswered ||= name === 'Own')));
  const first = ask('Own');
  soon('Own');
  const second = ask('Own');
  soon('Late');
  await Promise.all([first, second]);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  answer();
  await expect.poll(() => isAnswered).toBe(true);
});

function ofName<Own extends { readonly name: string }>(tools: readonly Own[]): Own | undefined {
  return tools.find(({ name }) => name === 'Own');
}
