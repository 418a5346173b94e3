import { expect } from 'vitest';
import { fromAi } from '../../src/adapters/ai-sdk.js';
import { fromAnthropic } from '../../src/adapters/anthropic.js';
import { fromGemini } from '../../src/adapters/gemini.js';
import { fromOpenAI, toOpenAIOutputs } from '../../src/adapters/openai.js';
import { table } from '../support/each-row.js';

const read = { id: 'a', name: 'Read', input: { file_path: '/a' } };
const use = { type: 'tool_use', id: 'a', name: 'Read', input: read.input };
const part = { functionCall: { id: 'a', name: 'Read', args: read.input } };
const aiCall = { type: 'tool-call', toolCallId: 'a', toolName: 'Read', input: read.input };
const aiResult = { type: 'tool-result', toolCallId: 'a', toolName: 'Read', output: 'x' };
const item = { type: 'function_call', id: 'fc', call_id: 'a', name: 'Read', arguments: '{"file_path":"/a"}' };
const chatCall = { id: 'a', type: 'function', function: { name: 'Read', arguments: item.arguments } };
const chunk = (...tool_calls: object[]) => ({ choices: [{ index: 0, delta: { tool_calls } }] });
const state = 'input-available';

table([
  ['the older SDK of Google', () => fromGemini({ response: { candidates: [{ content: { parts: [part] } }] } })],
  [
    'one candidate of several',
    () => fromGemini({ candidates: [{ content: { parts: [part] } }, { content: { parts: [part] } }] }),
  ],
  ['a turn of the Live API', () => fromGemini({ serverContent: { modelTurn: { parts: [part] } } })],
  [
    'a custom call of the Responses API',
    () => fromOpenAI([{ ...item, type: 'custom_tool_call', arguments: undefined, input: item.arguments }]),
  ],
  ['a whole call in a chunk', () => fromOpenAI(chunk({ index: 0, ...chatCall }))],
  ['events of one response', () => fromOpenAI([{ type: 'response.output_item.done', item }])],
  [
    'a message of a user interface',
    () => fromAi({ role: 'assistant', parts: [{ ...aiCall, type: 'tool-Read', toolName: undefined, state }] }),
  ],
  ['a dynamic tool in one', () => fromAi({ role: 'assistant', parts: [{ ...aiCall, type: 'dynamic-tool', state }] })],
  [
    'an invocation in one',
    () =>
      fromAi({
        role: 'assistant',
        parts: [
          {
            type: 'tool-invocation',
            toolInvocation: { state: 'call', toolCallId: 'a', toolName: 'Read', args: read.input },
          },
        ],
      }),
  ],
  ['the steps of a result', () => fromAi({ steps: [{ toolCalls: [aiCall] }] })],
  ['content and calls of a step', () => fromAi({ content: [aiCall], toolCalls: [aiCall] })],
  ['a call of version 4', () => fromAi({ toolCalls: [{ ...aiCall, input: undefined, args: read.input }] })],
] as const)('calls are found anywhere in an answer', (_, calls) => expect(calls()).toEqual([read]));

table([
  ['a result beside the calls', () => fromAi({ toolCalls: [aiCall], toolResults: [aiResult] })],
  ['a result without a type', () => fromAi({ toolCalls: [aiCall], toolResults: [{ toolCallId: 'a', result: 'x' }] })],
  ['an earlier step', () => fromAi({ steps: [{ toolCalls: [aiCall], toolResults: [aiResult] }, { text: 'Done.' }] })],
  [
    'an answered part of a user interface',
    () => fromAi({ parts: [{ ...aiCall, type: 'tool-Read', state: 'output-available', output: 'x' }] }),
  ],
  ['an output among the items', () => fromOpenAI([item, { type: 'function_call_output', call_id: 'a', output: 'x' }])],
  ['what a tool put out', () => fromOpenAI([{ type: 'function_call_output', call_id: 'b', output: [item] }])],
  [
    'what a tool of another put out',
    () => fromAi({ toolResults: [{ ...aiResult, output: { content: [{ ...aiCall, toolCallId: 'c' }] } }] }),
  ],
  ['a result block', () => fromAnthropic([{ type: 'tool_result', tool_use_id: 'b', content: [use] }])],
  ['a call that the provider has run', () => fromAi({ toolCalls: [{ ...aiCall, providerExecuted: true }] })],
] as const)('calls with results, and results of tools, are not returned as calls', (_, calls) =>
  expect(calls()).toEqual([]),
);

const begun = { index: 0, id: 'a', type: 'function', function: { name: 'Read', arguments: '' } };
table([
  ['the begin of a call', () => fromOpenAI(chunk(begun))],
  ['more of its arguments', () => fromOpenAI(chunk({ index: 0, function: { arguments: '{"f' } }))],
  [
    'a name with some of its arguments',
    () => fromOpenAI(chunk({ ...begun, function: { name: 'Read', arguments: '{"f' } })),
  ],
  ['the choice of a chunk', () => fromOpenAI(chunk(begun).choices[0])],
  ['the inside of a chunk', () => fromOpenAI({ tool_calls: [{ index: 0, function: { arguments: '{"f' } }] })],
  ['the begin of a custom call', () => fromOpenAI(chunk({ index: 0, custom: { input: 'x' } }))],
  ['a begin of the AI SDK', () => fromAi({ type: 'tool-input-start', id: 'a', toolName: 'Read' })],
  ['a part of a user interface', () => fromAi({ parts: [{ ...aiCall, type: 'tool-Read', state: 'input-streaming' }] })],
] as const)('an incomplete call is a piece of a stream', (_, calls) =>
  expect(calls).toThrow(/got a piece of a stream; write/),
);

table([
  [
    'two messages',
    () => fromAnthropic([{ type: 'message', role: 'assistant', content: [use] }]),
    /got a list of messages; write fromAnthropic\(messages\.at\(-1\)\)/,
  ],
  ['a function in a message of Anthropic', () => fromAnthropic({ stop_reason: 'tool_use', content: [use, chatCall] })],
  [
    'a function call in a message of Anthropic',
    () => fromAnthropic({ stop_reason: 'tool_use', content: [{ type: 'functionCall', ...part }] }),
  ],
  [
    'a function of Chat before there were tools',
    () => fromOpenAI({ choices: [{ message: { role: 'assistant', function_call: item } }] }),
  ],
  ['a function without its function', () => fromOpenAI({ tool_calls: [{ id: 'a', type: 'function', name: 'Read' }] })],
  [
    'a call of the AI SDK that is asked about',
    () => fromAi({ parts: [{ ...aiCall, type: 'tool-Read', state: 'approval-requested' }] }),
  ],
  ['a block in a candidate', () => fromGemini({ candidates: [{ content: { parts: [use] } }] })],
] as const)('a call of an unknown form throws', (_, calls, said = /got a call in an unknown form, an object with/) =>
  expect(calls).toThrow(said),
);

table([
  [
    'cut off in a message',
    {
      choices: [
        {
          finish_reason: 'length',
          message: { tool_calls: [{ ...begun, function: { name: 'Read', arguments: '{"f' } }] },
        },
      ],
    },
    '{"f',
  ],
  ['without arguments in a message', { role: 'assistant', tool_calls: [begun] }, ''],
] as const)('a call that the model cut off is still a call', (_, answer, input) =>
  expect(fromOpenAI(answer)).toEqual([{ ...read, input }]),
);

table([
  ['custom_tool_call', 'custom_tool_call_output'],
  ['function_call', 'function_call_output'],
] as const)('the output of a call has its type', (type, output) =>
  expect(
    toOpenAIOutputs([{ ok: true, callId: 'a', name: 'Read', output: 'x' } as never], { answer: [{ ...item, type }] }),
  ).toMatchObject([{ type: output, call_id: 'a', output: 'x' }]),
);
