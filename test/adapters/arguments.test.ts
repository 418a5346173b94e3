import { AIMessage } from '@langchain/core/messages';
import { generateText, streamText } from 'ai';
import fc from 'fast-check';
import { Tool } from 'toolwright';
import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { fromAi, toAiMessage, toAiTools } from '../../src/adapters/ai-sdk.js';
import { fromAnthropic, toAnthropicResults, toAnthropicTools, toRunnableTools } from '../../src/adapters/anthropic.js';
import { fromGemini, toGeminiParts, toGeminiTools } from '../../src/adapters/gemini.js';
import { toLangChainTools } from '../../src/adapters/langchain.js';
import { fromOpenAI, toOpenAIMessages, toOpenAIOutputs, toOpenAITools } from '../../src/adapters/openai.js';
import { toAgentTools } from '../../src/adapters/openai-agents.js';
import { ToolRegistry } from '../../src/core/registry/registry.js';
import { toClaudeServer } from '../../src/mcp-server/claude-agent.js';
import { compileDiagnostics, compileSchema } from '../../src/schema.js';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';
import { callingModel } from './drivers/ai-sdk.js';
import { succeeded } from './results.js';

/** A function of an adapter with any arguments. */
type Loose = (...given: unknown[]) => unknown;
type Row = readonly [what: string, make: () => unknown];
type Said = readonly [what: string, make: () => unknown, said: string];

function world() {
  return testToolkit({ policy: { byAgent: { small: { deny: ['Read'] } } } });
}

function thrownBy(make: () => unknown): string {
  try {
    return `nothing, but ${JSON.stringify(make())}`;
  } catch (thrown) {
    return thrown instanceof TypeError ? thrown.message : `no TypeError: ${String(thrown)}`;
  }
}

const saysAll = (rows: readonly Said[]) => eachRow(rows, ([, make, said]) => expect(thrownBy(make)).toBe(said));

/** Functions that only describe tools, and functions that run them. */
const describing = { toAnthropicTools, toOpenAITools, toGeminiTools } as unknown as Readonly<Record<string, Loose>>;
const running = { toAiTools, toLangChainTools, toAgentTools, toRunnableTools, toClaudeServer } as unknown as Readonly<
  Record<string, Loose>
>;

test('tools are made from a toolkit or its definitions, for the caller in the second argument', async () => {
  const toolkit = world();
  const options = (name: string) => (name === 'toOpenAITools' ? [{ api: 'chat' }] : []);
  const caller = { sessionId: 's' };
  await eachRow(Object.entries(describing), ([name, make]) => {
    const whole = make(toolkit, ...options(name));
    expect(JSON.stringify(whole)).toContain('"Read"');
    expect(make(toolkit, caller, ...options(name))).toEqual(whole);
    expect(make(toolkit, undefined, ...options(name))).toEqual(whole);
    expect(make(toolkit.definitions(), ...options(name))).toEqual(whole);
    expect(make(toolkit.definitions(), caller, ...options(name))).toEqual(whole);
    const small = make(toolkit, { ...caller, agentId: 'small' }, ...options(name));
    expect(JSON.stringify(small)).not.toContain('"Read"');
  });
  const runsForCaller: readonly Row[] = [
    ['toAiTools', () => Object.keys(toAiTools(toolkit, { approvals: 'toolkit' }))],
    ['toLangChainTools', () => toLangChainTools(toolkit, caller, { onToolResult: () => undefined })],
    ['toAgentTools', () => toAgentTools(toolkit, { approvals: 'toolkit' })],
    ['toRunnableTools', () => toRunnableTools(toolkit, { examples: true })],
  ];
  await eachRow(runsForCaller, ([, make]) => expect((make() as unknown[]).length).toBeGreaterThan(5));
  expect(toLangChainTools(toolkit, caller)).toBe(toLangChainTools(toolkit, { caller }));
});

test('an invalid source of tools is named, with the correct form', async () => {
  const toolkit = world();
  const takes = ' takes a toolkit or a list of definitions, got ';
  const tool = Tool.define('Own', { description: 'Own.', input: z.object({}), sideEffect: 'none', execute: () => '' });
  await eachRow(Object.entries(describing), async ([name, make]) => {
    const more = name === 'toOpenAITools' ? ", { api: 'chat' }" : '';
    const given = name === 'toOpenAITools' ? [{ api: 'chat' }] : [];
    await saysAll([
      ['nothing', () => make(undefined, ...given), `${name}${takes}undefined; write ${name}(toolkit${more})`],
      ['null', () => make(null, ...given), `${name}${takes}null; write ${name}(toolkit${more})`],
      [
        'a promise',
        () => make(Promise.resolve([]), ...given),
        `${name}${takes}a promise; await it and write ${name}(toolkit${more})`,
      ],
      ['names', () => make(['Read'], ...given), `${name}${takes}a list of strings; write ${name}(toolkit${more})`],
      [
        'a definition alone',
        () => make(toolkit.definitions()[0], ...given),
        `${name}${takes}an object with name, description, inputSchema; write ${name}([definition]${more})`,
      ],
    ]);
    for (const wrong of [tool, [tool], new ToolRegistry(), toolkit.registry, [null], {}, () => toolkit])
      expect(thrownBy(() => make(wrong, ...given))).toContain(`${name}${takes}`);
  });
  await eachRow(Object.entries(running), ([name, make]) => {
    const said = (got: string) => `${name} takes a toolkit, which runs the tools, got ${got}; write ${name}(toolkit)`;
    expect(thrownBy(() => make(toolkit.definitions()))).toBe(said('definitions'));
    expect(thrownBy(() => make(undefined))).toBe(said('undefined'));
    expect(thrownBy(() => make({ toolkit }))).toBe(said('an object with toolkit'));
  });
});

test('an invalid caller or option is named', async () => {
  const toolkit = world();
  const all = Object.entries({ ...describing, ...running });
  await eachRow(all, ([name, make]) => {
    expect(thrownBy(() => make(toolkit, 'session_1'))).toBe(
      `${name} takes the caller second and options last, got a string; write ${name}(toolkit, { sessionId: 'session_1' })`,
    );
    expect(thrownBy(() => make(toolkit, { sessionID: 'a' }))).toBe(
      `${name}: sessionID is no option. Did you mean "sessionId"?`,
    );
  });
  const loose = { ...describing, ...running };
  await saysAll([
    [
      'a caller last',
      () => loose.toAiTools?.(toolkit, { execute: false }, { sessionId: 'a' }),
      "toAiTools takes the caller second and options last, got an object with execute; write toAiTools(toolkit, { sessionId: 'session_1' })",
    ],
    [
      'a misspelt option after a caller',
      () => loose.toAiTools?.(toolkit, { sessionId: 'a' }, { excute: false }),
      'toAiTools: excute is no option. Did you mean "execute"?',
    ],
    [
      'an unknown way of approval',
      () => loose.toAgentTools?.(toolkit, { approvals: 'host' }),
      'toAgentTools: approvals takes "sdk" or "toolkit", not "host"',
    ],
    [
      'an unknown native type',
      () => loose.toAnthropicTools?.(toolkit, { native: ['editor'] }),
      'toAnthropicTools: native takes a list of "bash", "text_editor", "memory", not ["editor"]',
    ],
    [
      'no api',
      () => loose.toOpenAITools?.(toolkit),
      'toOpenAITools: api takes "chat" or "responses"; write toOpenAITools(toolkit, { api: "chat" })',
    ],
    [
      'an unknown api',
      () => loose.toOpenAITools?.(toolkit, { api: 'completions' }),
      'toOpenAITools: api takes "chat" or "responses", not "completions"',
    ],
    [
      'definitions in the place of options',
      () => fromAnthropic([], toolkit.definitions() as never),
      'fromAnthropic takes an object, not a list of objects with name, description, inputSchema',
    ],
    [
      'an unknown dialect',
      () => compileSchema({}, 'mistral' as never),
      'compileSchema: dialect takes "anthropic", "openai", "openai-strict", "gemini" or "plain", not "mistral"',
    ],
    [
      'no dialect',
      () => compileDiagnostics(toolkit, undefined as never),
      'compileDiagnostics: dialect takes "anthropic", "openai", "openai-strict", "gemini" or "plain", not null',
    ],
    [
      'the answer in the place of options',
      () => toOpenAIOutputs([], { output: [] } as never),
      'toOpenAIOutputs: output is no option.',
    ],
    [
      'a foreign answer',
      () => toOpenAIOutputs([], { answer: { role: 'model', parts: [] } }),
      "fromOpenAI takes an answer of OpenAI or a part of it, got an object with role, parts; write fromGemini(answer), with fromGemini from 'toolwright/gemini'",
    ],
  ]);
});

test('invalid results are named, with the correct form', async () => {
  const answering: readonly (readonly [string, Loose])[] = Object.entries({
    toAnthropicResults,
    toOpenAIMessages,
    toOpenAIOutputs,
    toGeminiParts,
    toAiMessage,
  } as unknown as Record<string, Loose>);
  await eachRow(answering, ([name, make]) => {
    const said = (got: string, write: string) =>
      `${name} takes the list of results of a turn, got ${got}; write ${name}(${write}), with run = await toolkit.execute(calls)`;
    const run = { results: [succeeded('a')], interrupted: false };
    expect(thrownBy(() => make(run))).toBe(said('an object with results, interrupted', 'run.results'));
    expect(thrownBy(() => make(succeeded('a')))).toMatch(/got an object with callId, .*\(\[result\]\)/);
    expect(thrownBy(() => make(undefined))).toBe(said('undefined', 'run.results'));
    expect(thrownBy(() => make(Promise.resolve(run)))).toContain('got a promise; await it and write');
    expect(thrownBy(() => make([succeeded('a'), { type: 'tool_result' }]))).toBe(
      said('a list of objects with type', 'run.results'),
    );
    expect(() => make([])).not.toThrow();
  });
});

const tool = { file_path: '/a' };
const anthropicCall = { type: 'tool_use', id: 'c', name: 'Read', input: tool };
const chatCall = { id: 'c', type: 'function', function: { name: 'Read', arguments: JSON.stringify(tool) } };
const item = { type: 'function_call', id: 'fc', call_id: 'c', name: 'Read', arguments: JSON.stringify(tool) };
const geminiCall = { id: 'c', name: 'Read', args: tool };
const aiCall = { type: 'tool-call', toolCallId: 'c', toolName: 'Read', input: tool };
const chatMessage = { role: 'assistant', content: null, refusal: null, tool_calls: [chatCall] };
const chatText = { role: 'assistant', content: 'Hi.', refusal: null, annotations: [] };
const outputText = {
  type: 'message',
  id: 'msg',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
};
const anthropicMessage = (...content: object[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {},
});
const text = { type: 'text', text: 'Hi.', citations: null };
const chunk = (delta: object) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
});
const candidates = (parts: object[]) => ({ candidates: [{ content: { role: 'model', parts }, index: 0 }] });

/** All forms of answers of each provider, with one call and without calls. */
const answers: Readonly<Record<string, { read: (answer: unknown) => unknown; one: unknown[]; none: unknown[] }>> = {
  anthropic: {
    read: fromAnthropic,
    one: [
      anthropicMessage(text, anthropicCall),
      { role: 'assistant', content: [anthropicCall] },
      { content: [text, anthropicCall] },
      [{ type: 'thinking', thinking: '', signature: '' }, anthropicCall],
      anthropicCall,
    ],
    none: [
      anthropicMessage(text),
      anthropicMessage(),
      anthropicMessage({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, { type: 'later' }),
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [text] }] },
      [],
      [text],
      text,
      { type: 'compaction', content: null },
      { type: 'message_start', message: anthropicMessage() },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
      { type: 'message_stop' },
      { type: 'ping' },
    ],
  },
  openai: {
    read: fromOpenAI,
    one: [
      {
        id: 'x',
        object: 'chat.completion',
        choices: [{ index: 0, message: chatMessage, finish_reason: 'tool_calls' }],
      },
      { index: 0, message: chatMessage, finish_reason: 'tool_calls', stop_reason: null },
      chatMessage,
      { role: 'assistant', content: [{ type: 'thinking', thinking: [] }], tool_calls: [chatCall] },
      { tool_calls: [chatCall] },
      [chatCall],
      chatCall,
      chunk({ role: 'assistant', tool_calls: [{ index: 0, ...chatCall }] }),
      { id: 'r', object: 'response', status: 'completed', output: [{ type: 'reasoning', id: 'r', summary: [] }, item] },
      { output: [item] },
      [outputText, item],
      item,
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { object: 'response', output: [item] } },
    ],
    none: [
      { id: 'x', object: 'chat.completion', choices: [{ index: 0, message: chatText, finish_reason: 'stop' }] },
      { index: 0, message: chatText, finish_reason: 'stop' },
      chatText,
      { role: 'assistant', content: 'Hi.' },
      { role: 'assistant', content: 'Hi.', tool_calls: null },
      { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] },
      { content: 'a' },
      chunk({ role: 'assistant', content: '' }),
      chunk({}),
      { object: 'chat.completion.chunk', choices: [], usage: {} },
      { object: 'response', status: 'incomplete', output: [] },
      { object: 'response', output: [outputText] },
      [outputText],
      outputText,
      [{ type: 'web_search_call', id: 'w', status: 'completed' }],
      [{ type: 'later', id: 'l' }],
      [],
      { type: 'response.created', response: { object: 'response', output: [] } },
      { type: 'response.output_text.delta', item_id: 'i', delta: 'a' },
      { type: 'response.output_item.done', output_index: 0, item: outputText },
    ],
  },
  gemini: {
    read: fromGemini,
    one: [
      { ...candidates([{ text: 'Hi.' }, { functionCall: geminiCall, thoughtSignature: 's' }]), modelVersion: 'm' },
      [candidates([{ text: 'Hi.' }]), candidates([{ functionCall: geminiCall }])],
      { content: { role: 'model', parts: [{ functionCall: geminiCall }] }, finishReason: 'STOP' },
      { role: 'model', parts: [{ functionCall: geminiCall }] },
      { parts: [{ functionCall: geminiCall }] },
      [{ text: 'Hi.' }, { functionCall: geminiCall }],
      { functionCall: geminiCall },
      [geminiCall],
      geminiCall,
      { functionCalls: [geminiCall] },
      { toolCall: { functionCalls: [geminiCall] } },
    ],
    none: [
      candidates([{ text: 'Hi.' }]),
      { candidates: [], usageMetadata: {} },
      { candidates: [{ finishReason: 'SAFETY', index: 0 }] },
      { promptFeedback: { blockReason: 'SAFETY' } },
      { sdkHttpResponse: {}, usageMetadata: {}, modelVersion: 'm' },
      { finishReason: 'MAX_TOKENS', index: 0 },
      { content: { role: 'model' }, finishReason: 'MAX_TOKENS' },
      { role: 'model' },
      { role: 'user', parts: [{ text: 'Hi.' }] },
      { role: 'model', parts: [{ toolCall: { id: 't', toolType: 'GOOGLE_SEARCH', args: {} } }, { later: {} }] },
      [{ text: 'Hi.' }],
      { text: 'Hi.' },
      { executableCode: { code: '1', language: 'PYTHON' } },
      [],
      { serverContent: { modelTurn: { role: 'model', parts: [{ text: 'Hi.' }] } } },
      { setupComplete: {} },
    ],
  },
  'ai-sdk': {
    read: fromAi,
    one: [
      [aiCall],
      [{ toolCallId: 'c', toolName: 'Read', input: tool }],
      { ...aiCall, dynamic: true },
      { toolCalls: [aiCall], content: [{ type: 'text', text: 'Hi.' }, aiCall], steps: [] },
      { content: [{ type: 'text', text: 'Hi.' }, aiCall], finishReason: 'tool-calls' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }, aiCall] },
      [{ role: 'assistant', content: [aiCall] }],
      [
        { role: 'assistant', content: [{ ...aiCall, toolCallId: 'before' }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'before', toolName: 'Read', output: {} }] },
        { role: 'assistant', content: [aiCall] },
      ],
      [{ ...aiCall, toolCallId: 'p', providerExecuted: true }, aiCall],
    ],
    none: [
      [],
      { role: 'assistant', content: 'Hi.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] },
      [{ role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }],
      [{ type: 'text', text: 'Hi.' }],
      [{ type: 'tool-result', toolCallId: 'c', toolName: 'Read', output: {} }],
    ],
  },
};

test('calls are found in every form of an answer, and an answer without calls gives none', async () => {
  const found = Object.entries(answers).flatMap(([name, { read, one, none }]) => [
    ...one.map((answer) => ({ name, read, answer, calls: [{ id: 'c', name: 'Read', input: tool }] })),
    ...none.map((answer) => ({ name, read, answer, calls: [] })),
  ]);
  await eachRow(
    found,
    ({ read, answer, calls }) => expect(read(answer)).toEqual(calls),
    ({ name, answer }) => `${name}: ${JSON.stringify(answer)}`,
  );
});

test('a result of generateText has its calls, and that of streamText gives an error that says to await them', async () => {
  const tools = toAiTools(world(), { execute: false });
  const calls = [{ id: 'c', name: 'Read', input: tool }];
  const result = await generateText({ model: callingModel(calls), tools, prompt: 'Go on.' });
  const forms = { result, calls: result.toolCalls, step: result.steps[0], messages: result.response.messages };
  await eachRow(Object.entries(forms), ([, answer]) => expect(fromAi(answer)).toEqual(calls));
  const stream = streamText({ model: callingModel(calls), tools, prompt: 'Go on.' });
  expect(thrownBy(() => fromAi(stream))).toMatch(/, got a stream; write fromAi\(await result\.toolCalls\)$/);
  expect(fromAi(await stream.toolCalls)).toEqual(calls);
});

/** A bare function call of Gemini has no field that identifies it. */
const isBare = (answer: unknown) => [answer].flat().includes(geminiCall);

test('an answer of another provider, or an invalid one, throws', async () => {
  const readers = Object.entries(answers);
  const foreign = readers.flatMap(([name, { read }]) => [
    ...readers.flatMap(([other, { one }]) =>
      other === name ? [] : one.map((answer) => ({ name, read, other, answer })),
    ),
    ...[undefined, null, 7, true, {}, { error: { message: 'Overloaded' } }, { type: 'error', error: {} }].map(
      (answer) => ({
        name,
        read,
        other: 'nothing',
        answer,
      }),
    ),
    ...[
      [null],
      [[]],
      () => [],
      new Date(0),
      [{ id: 'c', name: 'Read', input: {} }],
      succeeded('a'),
      [succeeded('a')],
    ].map((answer) => ({ name, read, other: 'something of ours', answer })),
  ]);
  await eachRow(
    foreign,
    ({ name, read, other, answer }) => {
      const said = thrownBy(() => read(answer));
      expect(said).toMatch(/^from\w+ takes .*, got .*; (?:await it and )?write /);
      if (Object.hasOwn(answers, other) && !isBare(answer)) expect(said).toContain(`from 'toolwright/${other}'`);
      else expect(said).not.toContain(`'toolwright/${name}'`);
    },
    ({ name, other, answer }) => `${name} is given ${other}: ${JSON.stringify(answer)}`,
  );
});

test('an invalid answer is named, with the correct form', async () => {
  const anthropic = 'fromAnthropic takes an answer of Anthropic or a part of it, got ';
  const openai = 'fromOpenAI takes an answer of OpenAI or a part of it, got ';
  const history = [{ role: 'user', content: 'Go on.' }, chatMessage];
  const begun = { type: 'content_block_start', index: 0, content_block: { ...anthropicCall, input: {} } };
  async function* pieces() {
    yield await Promise.resolve(begun);
  }
  await saysAll([
    [
      'nothing',
      () => fromAnthropic(undefined),
      `${anthropic}undefined; write fromAnthropic(answer) with the answer of the SDK`,
    ],
    [
      'a promise',
      () => fromAnthropic(Promise.resolve({})),
      `${anthropic}a promise; await it and write fromAnthropic(answer) with the answer of the SDK`,
    ],
    [
      'a stream',
      () => fromAnthropic(pieces()),
      `${anthropic}a stream; write fromAnthropic(await stream.finalMessage())`,
    ],
    [
      'the begin of a call',
      () => fromAnthropic(begun),
      `${anthropic}a piece of a stream; write fromAnthropic(await stream.finalMessage())`,
    ],
    [
      'another piece',
      () => fromOpenAI({ type: 'response.output_item.added', item: { ...item, arguments: '' } }),
      `${openai}a piece of a stream; write fromOpenAI(await stream.finalResponse())`,
    ],
    ['a conversation', () => fromOpenAI(history), `${openai}a list of messages; write fromOpenAI(messages.at(-1))`],
    [
      'a message of LangChain',
      () => fromOpenAI(new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'Read', args: {} }] })),
      `${openai}a message of LangChain; write toLangChainTools(toolkit): LangChain runs its tools`,
    ],
    [
      'the text of a message',
      () => fromOpenAI('Hi.'),
      `${openai}a string; write fromOpenAI(answer) with the answer of the SDK`,
    ],
    [
      'a message of Anthropic',
      () => fromOpenAI(anthropicMessage(text)),
      `${openai}an object with id, type, role; write fromAnthropic(answer), with fromAnthropic from 'toolwright/anthropic'`,
    ],
  ]);
});

test('any other value is accepted or throws a TypeError', () => {
  for (const { read } of Object.values(answers))
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        try {
          return Array.isArray(read(answer));
        } catch (thrown) {
          return thrown instanceof TypeError && /^from\w+ takes /.test(thrown.message);
        }
      }),
    );
});
