import { expect, test } from 'vitest';
import { toToolResult } from '../../src/core/tool-result.js';
import { table } from '../support/each-row.js';

test('text becomes a result, a result stays', () => {
  const result = { output: 'x', metadata: { a: 1 } };
  expect(toToolResult('x')).toEqual({ output: 'x' });
  expect(toToolResult({ ...result, extra: 1, attachments: [null, { mediaType: 'image/png', data: 'AA' }] })).toEqual({
    ...result,
    attachments: [{ mediaType: 'image/png', data: 'AA' }],
  });
});

test('an object as output becomes JSON text', () => {
  expect(toToolResult({ output: { a: [1] }, title: 'A' })).toEqual({ output: '{"a":[1]}', title: 'A' });
  expect(toToolResult({ output: ['x'] })).toEqual({ output: '["x"]' });
  expect(() => toToolResult({ output: { n: 1n } })).toThrow('cannot be written as JSON: Do not know how');
});

table([
  [undefined, 'undefined'],
  [null, 'null'],
  [7, 'number'],
  [['x'], 'a list'],
  [{ output: 7 }, 'object'],
  [{ output: { toJSON: () => undefined } }, 'object'],
  [{}, 'object'],
])('results that are none are refused', (value, kind) =>
  expect(() => toToolResult(value)).toThrow(`The tool returned ${kind}; its execute must return text`),
);
