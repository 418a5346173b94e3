import { Tool } from 'toolwright';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fromAnthropic, toAnthropicResults, toAnthropicTools } from '../../src/adapters/anthropic.js';
import { ToolRegistry } from '../../src/core/registry/registry.js';
import { eachRow } from '../support/each-row.js';
import { failed, pixel, succeeded } from './results.js';

describe('definitions for Anthropic', () => {
  test('have name, description and schema', () => {
    const registry = new ToolRegistry().register(
      Tool.define('Echo', {
        description: 'Repeat.',
        input: z.object({ text: z.string() }),
        sideEffect: 'none',
        execute: ({ text }) => text,
      }),
    );
    expect(toAnthropicTools(registry.definitions())).toEqual([
      {
        name: 'Echo',
        description: 'Repeat.',
        input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      },
    ]);
  });

  test('have the examples of a tool on request', () => {
    const definition = {
      name: 'Echo',
      description: 'Repeat.',
      inputSchema: { type: 'object', properties: {} },
      inputExamples: [{ text: 'a' }],
    };
    expect(toAnthropicTools([definition])[0]).not.toHaveProperty('input_examples');
    expect(toAnthropicTools([definition], { examples: true })).toMatchObject([{ input_examples: [{ text: 'a' }] }]);
  });

  test('have no top-level union, which the API rejects, but the fields of its members', () => {
    const [tool] = toAnthropicTools([
      {
        name: 'Find',
        description: 'Find.',
        inputSchema: {
          type: 'object',
          properties: { limit: { type: 'integer' } },
          required: ['limit'],
          oneOf: [
            { properties: { by: { const: 'name' }, name: { type: 'string' } }, required: ['by', 'name'] },
            { properties: { by: { const: 'id' }, id: { type: 'integer' } }, required: ['by', 'id'] },
          ],
        },
      },
    ]);
    expect(tool?.input_schema).toEqual({
      type: 'object',
      properties: {
        limit: { type: 'integer' },
        by: { anyOf: [{ const: 'name' }, { const: 'id' }] },
        name: { type: 'string' },
        id: { type: 'integer' },
      },
      required: ['limit'],
    });
  });

  test('keep the required fields of every part of allOf, and always have properties', () => {
    const schemas = [
      { type: 'object', allOf: [{ properties: { a: {} }, required: ['a'] }, { required: ['b'] }] },
      { type: 'object' },
    ];
    const tools = toAnthropicTools(
      schemas.map((inputSchema, index) => ({ name: `T${index}`, description: '', inputSchema })),
    );
    expect(tools.map((tool) => tool.input_schema)).toEqual([
      { type: 'object', properties: { a: {} }, required: ['a', 'b'] },
      { type: 'object', properties: {} },
    ]);
  });
});

describe('calls from Anthropic', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/a' } };
  const expected = [{ id: 'toolu_1', name: 'Read', input: { file_path: '/a' } }];

  const messages = [
    ['a message', { role: 'assistant', content: [{ type: 'text', text: 'Look.' }, call], stop_reason: 'tool_use' }],
    ['its content', [{ type: 'thinking', thinking: '…', signature: 's' }, call]],
    ['one block', call],
    [
      'content with unknown and broken blocks',
      [{ type: 'server_tool_use', id: 's', name: 'web_search' }, null, 7, { type: 'later' }, call],
    ],
  ] as const;
  test('are found in all forms of an answer', () =>
    eachRow(messages, ([, message]) => expect(fromAnthropic(message)).toEqual(expected)));

  test('that are invalid stay calls, so that each gets a result', () => {
    expect(fromAnthropic([{ type: 'tool_use' }, { type: 'tool_use', id: 'b', name: 7, input: 'x' }])).toEqual([
      { id: 'call_1', name: 'unnamed', input: undefined },
      { id: 'b', name: 'unnamed', input: 'x' },
    ]);
  });
});

describe('results for Anthropic', () => {
  test('answer each call in order, and mark failures', () =>
    expect(toAnthropicResults([succeeded('fine'), failed('Error: File not found: /a')])).toEqual([
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'fine' }] },
      {
        type: 'tool_result',
        tool_use_id: 'call_1',
        content: [{ type: 'text', text: 'Error: File not found: /a' }],
        is_error: true,
      },
    ]));

  test('have "Error: " exactly once', () =>
    eachRow(['File not found', 'Error: File not found', 'Error: Error: File not found'], (output) =>
      expect(toAnthropicResults([failed(output)])[0]?.content).toEqual([
        { type: 'text', text: 'Error: File not found' },
      ]),
    ));

  test('have additions of hooks in a separate text, then images and PDFs', () => {
    const pdf = { mediaType: 'application/pdf', data: pixel };
    const result = succeeded('seen', {
      additionalContext: 'Remember the tests.',
      attachments: [{ mediaType: 'image/png', data: pixel }, pdf],
    });
    expect(toAnthropicResults([result])[0]?.content).toEqual([
      { type: 'text', text: 'seen' },
      { type: 'text', text: 'Remember the tests.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pixel } },
    ]);
  });

  test('have no blank text', () =>
    eachRow(['', ' \n\t'], (output) => {
      expect(toAnthropicResults([succeeded(output, { additionalContext: ' ' })])[0]?.content).toEqual([
        { type: 'text', text: '(no output)' },
      ]);
      const image = { mediaType: 'image/png', data: pixel };
      expect(
        toAnthropicResults([succeeded(output, { attachments: [image] })])[0]?.content.map((block) => block.type),
      ).toEqual(['image']);
    }));

  const rows = [
    ['another type', { mediaType: 'audio/wav', data: pixel, name: 'a.wav' }, 'a.wav, audio/wav, 1 KB'],
    ['no bytes', { mediaType: 'image/png', data: '' }, 'image/png, 0 KB'],
    ['what is no base64', { mediaType: 'image/png', data: 'data:image/png;base64,AAAA' }, 'image/png, 1 KB'],
    ['more than it takes', { mediaType: 'image/png', data: 'A'.repeat(5 * 1024 * 1024 + 4) }, 'image/png, 3933 KB'],
  ] as const;
  test('name an attachment that cannot be sent', () =>
    eachRow(rows, ([, attachment, note]) =>
      expect(toAnthropicResults([succeeded('x', { attachments: [attachment] })])[0]?.content[1]).toEqual({
        type: 'text',
        text: `[Attachment not shown: ${note}]`,
      }),
    ));

  test('have no lone surrogate, which the API rejects', () => {
    const result = succeeded('a\uD83D b \uD83D\uDE00', { additionalContext: 'c\uD83D' });
    expect(toAnthropicResults([result])[0]?.content).toEqual([
      { type: 'text', text: 'a\uFFFD b \uD83D\uDE00' },
      { type: 'text', text: 'c\uFFFD' },
    ]);
  });
});
