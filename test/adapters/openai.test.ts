import { describe, expect, test } from 'vitest';
import { fromOpenAI, toOpenAIMessages, toOpenAIOutputs, toOpenAITools } from '../../src/adapters/openai.js';
import { eachRow } from '../support/each-row.js';
import { failed, pixel, succeeded } from './results.js';

const read = {
  name: 'Read',
  description: 'Read a file.',
  inputSchema: {
    type: 'object',
    properties: { file_path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['file_path'],
  },
};
const open = { name: 'Put', description: 'Put.', inputSchema: { type: 'object', properties: { any: {} } } };
const strictRead = {
  type: 'object',
  properties: { file_path: { type: 'string' }, limit: { type: ['integer', 'null'] } },
  required: ['file_path', 'limit'],
  additionalProperties: false,
};

describe('definitions for OpenAI', () => {
  test('for chat are functions with parameters only', () =>
    expect(toOpenAITools([read], { api: 'chat' })).toEqual([
      { type: 'function', function: { name: 'Read', description: 'Read a file.', parameters: read.inputSchema } },
    ]));

  test('for responses always have the field strict', () =>
    expect(toOpenAITools([read], { api: 'responses' })).toEqual([
      { type: 'function', name: 'Read', description: 'Read a file.', parameters: read.inputSchema, strict: false },
    ]));

  test('are strict on request, for each tool whose schema supports it', () => {
    expect(toOpenAITools([read, open], { api: 'responses', strict: true })).toEqual([
      { type: 'function', name: 'Read', description: 'Read a file.', parameters: strictRead, strict: true },
      { type: 'function', name: 'Put', description: 'Put.', parameters: open.inputSchema, strict: false },
    ]);
    expect(toOpenAITools([read, open], { api: 'chat', strict: true }).map((tool) => tool.function.strict)).toEqual([
      true,
      false,
    ]);
  });

  test('have no top-level union, which the API rejects', () => {
    const inputSchema = { type: 'object', anyOf: [{ properties: { a: { type: 'string' } } }] };
    const [tool] = toOpenAITools([{ name: 'A', description: '', inputSchema }], { api: 'chat' });
    expect(tool?.function.parameters).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });
});

describe('calls from OpenAI', () => {
  const call = { id: 'call_9', type: 'function', function: { name: 'Read', arguments: '{"file_path":"/a"}' } };
  const message = { role: 'assistant', content: null, refusal: null, tool_calls: [call] };
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_9', name: 'Read', arguments: '{"file_path":"/a"}' };
  const expected = [{ id: 'call_9', name: 'Read', input: { file_path: '/a' } }];

  const answers = [
    ['a chat message', message],
    ['a choice', { index: 0, finish_reason: 'tool_calls', message }],
    ['a whole chat answer, of its first choice', { object: 'chat.completion', choices: [{ message }, { message }] }],
    ['a list of chat calls', [call]],
    ['a call without its type', { ...message, tool_calls: [{ id: call.id, function: call.function }] }],
    [
      'arguments that are an object already',
      { tool_calls: [{ ...call, function: { name: 'Read', arguments: { file_path: '/a' } } }] },
    ],
    [
      'a whole answer of responses',
      { object: 'response', output: [{ type: 'reasoning', summary: [] }, item, { type: 'message', content: [] }] },
    ],
    ['its output', [{ type: 'web_search_call', id: 'w' }, null, item]],
    ['one item', item],
  ] as const;
  test('are found in all forms of an answer', () =>
    eachRow(answers, ([, answer]) => expect(fromOpenAI(answer)).toEqual(expected)));

  test.each([
    [{ choices: [] }],
    [{ choices: [null] }],
    [{ choices: [{ message: null }] }],
    [{ content: null, refusal: 'I cannot.', tool_calls: 'none' }],
    [{ output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }, 7] }],
  ])('are none in %j', (answer) => {
    expect(fromOpenAI(answer)).toEqual([]);
  });

  test('keep invalid JSON arguments as text', () =>
    eachRow(['{"file_path":"/a', '', 'ls -la', '{"a":1}{"b":2}', "{'a':1}"], (text) =>
      expect(fromOpenAI([{ ...item, arguments: text }])).toEqual([{ id: 'call_9', name: 'Read', input: text }]),
    ));

  test('that are invalid stay calls, so that each gets a result', () => {
    expect(
      fromOpenAI({
        tool_calls: [
          { id: '', function: { name: '' } },
          { id: 7, type: 'custom', custom: { name: 'Run', input: 'ls' } },
        ],
      }),
    ).toEqual([
      { id: 'call_1', name: 'unnamed', input: undefined },
      { id: 'call_2', name: 'Run', input: 'ls' },
    ]);
  });
});

describe('results for OpenAI', () => {
  const image = { mediaType: 'image/png', data: pixel, name: 'shot.png' };
  const sound = { mediaType: 'audio/wav', data: pixel };

  test('in chat are one tool message for each call', () =>
    expect(toOpenAIMessages([succeeded('fine'), failed('Error: File not found: /a')])).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'fine' },
      { role: 'tool', tool_call_id: 'call_1', content: 'Error: File not found: /a' },
    ]));

  test('have "Error: " exactly once', () =>
    eachRow(['gone', 'Error: gone', 'Error: Error: gone'], (output) => {
      expect(toOpenAIMessages([failed(output)])[0]?.content).toBe('Error: gone');
      expect(toOpenAIOutputs([failed(output)])[0]?.output).toBe('Error: gone');
    }));

  test('have additions of hooks after a blank line', () => {
    const result = failed('Error: gone', { additionalContext: 'Look in /b.' });
    expect(toOpenAIMessages([result])[0]?.content).toBe('Error: gone\n\nLook in /b.');
    expect(toOpenAIOutputs([result])[0]?.output).toBe('Error: gone\n\nLook in /b.');
  });

  test('in chat name attachments in a line, because a tool message contains only text', () => {
    const result = succeeded('seen', { attachments: [image], additionalContext: 'More.' });
    expect(toOpenAIMessages([result])[0]?.content).toBe(
      'seen\n[Attachment not shown: shot.png, image/png, 1 KB]\n\nMore.',
    );
  });

  test('in responses have images and PDFs as parts, and name the rest', () => {
    const pdf = { mediaType: 'application/pdf', data: pixel };
    expect(toOpenAIOutputs([succeeded('seen', { attachments: [image, pdf, sound] })])).toEqual([
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'seen\n[Attachment not shown: audio/wav, 1 KB]' },
          { type: 'input_image', image_url: `data:image/png;base64,${pixel}`, detail: 'auto' },
          { type: 'input_file', file_data: `data:application/pdf;base64,${pixel}`, filename: 'document.pdf' },
        ],
      },
    ]);
  });

  test('are never empty', () => {
    expect(toOpenAIMessages([succeeded('')])[0]?.content).toBe('(no output)');
    expect(toOpenAIOutputs([succeeded(' ')])[0]?.output).toBe('(no output)');
    expect(toOpenAIOutputs([succeeded('', { attachments: [image] })])[0]?.output).toHaveLength(1);
  });
});
