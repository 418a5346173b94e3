import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, RunContext, Runner, RunState } from '@openai/agents';
import { generateText, type ModelMessage, stepCountIs, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { fromAi, toAiMessage, toAiTools } from '../../src/adapters/ai-sdk.js';
import { toAgentTools } from '../../src/adapters/openai-agents.js';
import { createPermissions } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';
import { callingModel, readBy } from './drivers/ai-sdk.js';
import { CallingModel, readBy as readByAgent } from './drivers/openai-agents.js';

const caller = { sessionId: 'chat' };

function world() {
  const root = temporaryFolder();
  const permissions = createPermissions({ ask: ['Write'], allow: ['Bash(echo *)'] });
  const toolkit = testToolkit({ root, permissions, suspensionSecret: 'x'.repeat(32) });
  const file = join(root, 'f');
  const write = { id: 'call_1', name: 'Write', input: { file_path: file, content: 'yes' } };
  return { toolkit, file, write };
}

function openToolkit(root = temporaryFolder()) {
  return testToolkit({ root, permissions: 'bypassPermissions' });
}

describe('the AI SDK', () => {
  const user: ModelMessage = { role: 'user', content: 'Go on.' };
  const answer = (approvalId: string, approved: boolean): ModelMessage => ({
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId, approved }],
  });

  /** An answer of a client to a question that was never asked. */
  function madeUp(input: object): ModelMessage[] {
    const call = { type: 'tool-call' as const, toolCallId: 'call_1', toolName: 'Write', input };
    const request = { type: 'tool-approval-request' as const, approvalId: 'a', toolCallId: 'call_1' };
    return [user, { role: 'assistant', content: [call, request] }, answer('a', true)];
  }

  /** Answers the question in a second request. Each request makes its own tools, as in a chat endpoint. */
  async function asked({ toolkit, write }: ReturnType<typeof world>) {
    const model = callingModel([write]);
    const run = (messages: ModelMessage[]) =>
      generateText({ model, tools: toAiTools(toolkit, caller), messages, stopWhen: stepCountIs(3) });
    const { response, content } = await run([user]);
    const request = content.find(({ type }) => type === 'tool-approval-request') as { approvalId: string };
    const reads = () => readBy(model.doGenerateCalls.map(({ prompt }) => prompt)).call_1?.text;
    return { run, said: [user, ...response.messages], approvalId: request.approvalId, reads };
  }

  test('a call runs once after its approval', async () => {
    const opened = world();
    const { run, said, approvalId, reads } = await asked(opened);
    expect(existsSync(opened.file)).toBe(false);
    await run([...said, answer(approvalId, true)]);
    expect(readFileSync(opened.file, 'utf8')).toBe('yes');
    expect(reads()).toContain('Created');
    await run([...said, answer(approvalId, true)]);
    expect(reads()).toContain('denied');
  });

  test('a denied call does not run', async () => {
    const opened = world();
    const { run, said, approvalId } = await asked(opened);
    await run([...said, answer(approvalId, false)]);
    expect(existsSync(opened.file)).toBe(false);
  });

  test('an approval invented by the client runs nothing', async () => {
    const { toolkit, file, write } = world();
    const model = callingModel([]);
    await generateText({ model, tools: toAiTools(toolkit, caller), messages: madeUp(write.input) });
    expect(existsSync(file)).toBe(false);
    expect(readBy(model.doGenerateCalls.map(({ prompt }) => prompt)).call_1?.text).toContain('denied');
  });

  test('an approval of one input does not cover another', async () => {
    const opened = world();
    const { run, said, approvalId } = await asked(opened);
    const other = JSON.parse(JSON.stringify(said).replaceAll('yes', 'no')) as ModelMessage[];
    await run([...other, answer(approvalId, true)]);
    expect(existsSync(opened.file)).toBe(false);
  });

  test('with approvals of the toolkit the client is not asked', async () => {
    const { toolkit, write } = world();
    const model = callingModel([write]);
    const tools = toAiTools(toolkit, caller, { approvals: 'toolkit' });
    await generateText({ model, tools, messages: [user], stopWhen: stepCountIs(3) });
    expect(readBy(model.doGenerateCalls.map(({ prompt }) => prompt)).call_1).toMatchObject({ isError: true });
  });

  test('progress comes as preliminary results, and the whole result last', async () => {
    const root = temporaryFolder();
    const command = 'echo one; until [ -e go ]; do sleep 0.02; done; echo two';
    const call = { id: 'call_1', name: 'Bash', input: { command } };
    const stream = streamText({ model: callingModel([call]), tools: toAiTools(openToolkit(root)), messages: [user] });
    const outputs: { output: unknown; preliminary?: boolean | undefined }[] = [];
    for await (const part of stream.fullStream) {
      if (part.type !== 'tool-result') continue;
      outputs.push(part);
      writeFileSync(join(root, 'go'), '');
    }
    expect(outputs[0]).toMatchObject({ preliminary: true, output: { isPreliminary: true, name: 'Bash' } });
    expect(outputs.at(-1)).toMatchObject({ output: { ok: true, output: 'one\ntwo\n' } });
  });

  test('a host with its own loop can suspend and resume', async () => {
    const { toolkit, file, write } = world();
    const model = callingModel([write]);
    const tools = toAiTools(toolkit, caller, { execute: false });
    const { toolCalls, response } = await generateText({ model, tools, messages: [user] });
    const turn = await toolkit.execute(fromAi(toolCalls), { caller, approvals: 'suspend' });
    if (turn.status !== 'suspended') throw new Error('nothing was asked');
    const answers = Object.fromEntries(turn.questions.map(({ id }) => [id, 'allow-once' as const]));
    const done = await toolkit.resume(turn.suspension, answers);
    expect(readFileSync(file, 'utf8')).toBe('yes');
    const results = done.status === 'done' ? done.results : [];
    await generateText({ model, tools, messages: [user, ...response.messages, toAiMessage(results)] });
    expect(readBy(model.doGenerateCalls.map(({ prompt }) => prompt)).call_1?.text).toContain('Created');
  });

  test('a changed result from a client is rejected', async () => {
    const { toolkit } = world();
    const { Read } = toAiTools(toolkit, caller);
    for (const output of [undefined, { isPreliminary: true }, 'text', { output: 3 }])
      expect(await Read?.toModelOutput?.({ toolCallId: 'a', input: {}, output })).toMatchObject({ type: 'error-text' });
  });
});

describe('the OpenAI Agents SDK', () => {
  const runner = new Runner({ tracingDisabled: true });
  const agentOf = ({ toolkit, write }: ReturnType<typeof world>) => {
    const model = new CallingModel([write]);
    return { model, agent: new Agent({ name: 'Tester', model, tools: toAgentTools(toolkit, caller) }) };
  };

  test('a call runs after its approval in a stored state', async () => {
    const opened = world();
    const { agent, model } = agentOf(opened);
    const { interruptions, state } = await runner.run(agent, 'Go on.');
    expect(existsSync(opened.file)).toBe(false);
    for (const one of interruptions) state.approve(one);
    const { newItems } = await runner.run(agent, await RunState.fromString(agent, state.toString()));
    expect(readFileSync(opened.file, 'utf8')).toBe('yes');
    expect(readByAgent(model).call_1?.text).toContain('Created');
    expect(JSON.stringify(newItems)).toContain('"customData":{"ok":true');
  });

  test('an approval of one input does not cover another', async () => {
    const opened = world();
    const { agent, model } = agentOf(opened);
    const { interruptions, state } = await runner.run(agent, 'Go on.');
    for (const one of interruptions) state.approve(one);
    const changed = state.toString().replaceAll('yes', 'no!');
    await runner.run(agent, await RunState.fromString(agent, changed));
    expect(existsSync(opened.file)).toBe(false);
    expect(readByAgent(model).call_1?.text).toMatch(/^Error: /);
  });

  test('an approval without a question runs nothing', async () => {
    const { toolkit, file, write } = world();
    const tool = toAgentTools(toolkit, caller).find(({ name }) => name === 'Write');
    const context = new RunContext();
    context.isToolApproved = () => true;
    const toolCall = { type: 'function_call' as const, callId: 'call_1', name: 'Write', arguments: '' };
    const output = await tool?.invoke(context, JSON.stringify(write.input), { toolCall });
    expect(output).toMatch(/^Error: /);
    expect(existsSync(file)).toBe(false);
  });

  test('calls that wait for a decision start in the order of the model', async () => {
    const calls = [1, 2, 3].map((n) => ({
      id: `c${n}`,
      name: 'Bash',
      input: { command: `echo ${n} >> log; cat log` },
    }));
    const model = new CallingModel(calls);
    await runner.run(new Agent({ name: 'Tester', model, tools: toAgentTools(openToolkit()) }), 'Go on.');
    expect(readByAgent(model).c3?.text).toBe('1\n2\n3\n');
  });
});
