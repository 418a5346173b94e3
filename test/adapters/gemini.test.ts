import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { toAnthropicTools } from '../../src/adapters/anthropic.js';
import { fromGemini, toGeminiParts, toGeminiTools } from '../../src/adapters/gemini.js';
import { Tool } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';
import { failed, pixel, succeeded } from './results.js';

const call = { id: 'c', name: 'Read', args: { file_path: '/a' } };
const read = { id: 'c', name: 'Read', input: { file_path: '/a' } };

const rows = [
  ['a response', { candidates: [{ content: { parts: [{ text: 'Hm' }, { functionCall: call }] } }] }, [read]],
  ['a candidate', { content: { parts: [{ functionCall: call }] } }, [read]],
  ['a content', { role: 'model', parts: [{ functionCall: call }] }, [read]],
  ['parts', [{ thought: true, text: 'Hm' }, { functionCall: call }], [read]],
  ['one part', { functionCall: call }, [read]],
  ['parts of unknown kinds', { parts: [null, 3, { executableCode: {} }, { functionCall: 'no' }] }, []],
  ['a call by name alone', { functionCall: { name: 'List' } }, [{ id: 'gemini_call_1', name: 'List', input: {} }]],
  ['a call without a name', { functionCall: { id: 'c', args: [] } }, [{ id: 'c', name: 'unnamed', input: [] }]],
  ['null as arguments', { functionCall: { ...call, args: null } }, [{ ...read, input: {} }]],
  ['arguments that were cut', { functionCall: { ...call, args: '{"file_' } }, [{ ...read, input: '{"file_' }]],
  ['no candidates', { candidates: [] }, []],
] as const;
test('calls are found in all forms of an answer', () =>
  eachRow(rows, ([, answer, calls]) => expect(fromGemini(answer)).toEqual(calls)));

test('results become parts that the SDK accepts', () => {
  const image = { mediaType: 'image/png', data: pixel };
  const [plain, context, failure, shown] = toGeminiParts([
    succeeded('text'),
    succeeded('text', { callId: 'gemini_call_2', additionalContext: 'more' }),
    failed('Error: Error: gone'),
    succeeded('', { attachments: [image, { mediaType: 'application/zip', data: 'AAAA' }] }),
  ]);
  expect(plain).toEqual({ functionResponse: { id: 'call_1', name: 'Read', response: { output: 'text' } } });
  expect(context?.functionResponse).toEqual({ name: 'Read', response: { output: 'text\n\nmore' } });
  expect(failure?.functionResponse.response).toEqual({ error: 'Error: gone' });
  expect(shown?.functionResponse.parts).toEqual([{ inlineData: { mimeType: 'image/png', data: pixel } }]);
  expect(shown?.functionResponse.response).toEqual({ output: expect.stringContaining('application/zip') as string });
  const [without] = toGeminiParts([succeeded('', { attachments: [image] })], { media: false });
  expect(without?.functionResponse).not.toHaveProperty('parts');
});

test('provider options of a tool are sent with its definition', () => {
  const toolkit = testToolkit();
  toolkit.registry.register(
    Tool.define('Own', {
      description: 'A tool.',
      input: z.object({ a: z.string() }),
      sideEffect: 'none',
      examples: [{ a: 'b' }],
      sending: { deferLoading: true, eagerInput: true },
      execute: () => '',
    }),
  );
  const definitions = toolkit.definitions();
  const more = { input_examples: [{ a: 'b' }], defer_loading: true, eager_input_streaming: true };
  expect(toAnthropicTools(definitions, { examples: true }).at(-1)).toMatchObject(more);
  expect(toGeminiTools(definitions)).toHaveLength(1);
});
