import { expect, test } from 'vitest';
import { fromAi } from '../../src/adapters/ai-sdk.js';
import { fromAnthropic } from '../../src/adapters/anthropic.js';
import { fromGemini } from '../../src/adapters/gemini.js';
import { fromOpenAI } from '../../src/adapters/openai.js';
import { eachRow } from '../support/each-row.js';

const functionCall = { name: 'Read', args: {} };
const chat = { id: 'a', type: 'function', function: { name: 'Read', arguments: '{}' } };
const chunk = (entry: object) => ({ object: 'chat.completion.chunk', choices: [{ delta: { tool_calls: [entry] } }] });
const begun = { index: 0, id: 'a', type: 'function', function: { name: 'EnterPlanMode', arguments: '' } };
const use = { type: 'tool_use', id: 'a', name: 'Read', input: {} };
const toolCall = { type: 'tool-call', toolCallId: 'a', toolName: 'Read', input: {} };

const lost: readonly (readonly [form: string, read: () => unknown])[] = [
  ['a list of messages of the SDK', () => fromAnthropic([{ type: 'message', role: 'assistant', content: [use] }])],
  ['a call of OpenAI among the content', () => fromAnthropic({ type: 'message', content: [chat] })],
  ['a call of Gemini among the content', () => fromAnthropic({ content: [{ type: 'functionCall', ...functionCall }] })],
  [
    'the function call of old models',
    () => fromOpenAI({ role: 'assistant', function_call: { name: 'Read', arguments: '{}' } }),
  ],
  [
    'a custom call of a response',
    () => fromOpenAI({ output: [{ type: 'custom_tool_call', name: 'Read', input: '' }] }),
  ],
  ['the begin of a call in a stream', () => fromOpenAI(chunk(begun))],
  ['the rest of a call in a stream', () => fromOpenAI(chunk({ index: 0, function: { arguments: '{"f' } }))],
  [
    'a message of a page',
    () => fromAi({ role: 'assistant', parts: [{ type: 'tool-Read', toolCallId: 'a', input: {} }] }),
  ],
  ['a dynamic tool of a page', () => fromAi({ role: 'assistant', parts: [{ type: 'dynamic-tool', toolCallId: 'a' }] })],
  ['the begin of an input in a stream', () => fromAi({ type: 'tool-input-start', id: 'a', toolName: 'Read' })],
];
test('calls in a form that is not read are a mistake, never an answer without calls', () =>
  eachRow(lost, ([, read]) => expect(read).toThrow(/^from\w+ takes .*, got .*; write /)));

const found: readonly (readonly [form: string, read: () => unknown, count: number])[] = [
  [
    'the answer in the older SDK of Google',
    () => fromGemini({ response: { candidates: [{ content: { parts: [{ functionCall }] } }] } }),
    1,
  ],
  ['a call that comes whole in one chunk', () => fromOpenAI(chunk(chat)), 1],
  ['a chunk of text', () => fromOpenAI({ object: 'chat.completion.chunk', choices: [{ delta: { content: 'a' } }] }), 0],
  [
    'calls that have their results',
    () => fromAi({ toolCalls: [toolCall], toolResults: [{ ...toolCall, type: 'tool-result' }] }),
    0,
  ],
  [
    'calls of which one has its result',
    () => fromAi({ toolCalls: [toolCall, { ...toolCall, toolCallId: 'b' }], toolResults: [{ toolCallId: 'a' }] }),
    1,
  ],
  [
    'a message without calls',
    () => fromAnthropic({ type: 'message', content: [{ type: 'text', text: 'function' }] }),
    0,
  ],
];
test('what the SDKs send is read in all its forms', () =>
  eachRow(found, ([, read, count]) => expect(read()).toHaveLength(count)));

test('the input of calls of an older AI SDK is read', () =>
  expect(fromAi({ toolCalls: [{ toolCallId: 'a', toolName: 'Read', args: { file_path: '/a' } }] })).toMatchObject([
    { id: 'a', name: 'Read', input: { file_path: '/a' } },
  ]));
