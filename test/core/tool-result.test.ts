import { expect, test } from 'vitest';
import { toToolResult } from '../../src/core/read-tool-result.js';
import { eachRow } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

const png = { mediaType: 'image/png', data: 'AA' };
const read = (value: unknown) => toToolResult('Own', value);

test('a text becomes a result, a result stays', () => {
  const result = { output: 'x', title: '', metadata: { a: 1 }, attachments: [png, { ...png, name: 'a' }] };
  expect(read('x')).toEqual({ output: 'x' });
  expect(read(result)).toEqual(result);
  expect(read({ ...result, title: undefined, attachments: undefined })).toEqual({ output: 'x', metadata: { a: 1 } });
});

test('an object as output becomes JSON text', () => {
  expect(read({ output: { a: [1] }, title: 'A' })).toEqual({ output: '{"a":[1]}', title: 'A' });
  expect(read({ output: ['x', null, {}] })).toEqual({ output: '["x",null,{}]' });
  expect(read({ output: new Date(0) })).toEqual({ output: '"1970-01-01T00:00:00.000Z"' });
});

test('each field is read once', () => {
  let reads = 0;
  const value = {
    get output() {
      reads++;
      return reads === 1 ? 'x' : (7 as never);
    },
  };
  expect(read(value)).toEqual({ output: 'x' });
});

const wrong: readonly (readonly [value: unknown, said: string])[] = [
  [undefined, ' is undefined'],
  [null, ' is null'],
  [7, ' is a number'],
  [true, ' is a boolean'],
  [['x'], ' is a list of strings'],
  [() => 'x', ' is a function'],
  [{}, ' is an object with no fields, without output'],
  [new Map(), ' is an instance of Map, without output'],
  [Buffer.from('abc'), ' is bytes'],
  [{ ouput: 'x' }, ': ouput is no field. Did you mean "output"?'],
  [{ Output: 'x' }, ': Output is no field. Did you mean "output"?'],
  [{ text: 'x' }, ': text is no field'],
  [{ content: [{ type: 'text', text: 'x' }] }, ': content is no field'],
  [{ output: 'x', isError: true }, ': isError is no field'],
  [{ output: 'x', tilte: 'A' }, ': tilte is no field. Did you mean "title"?'],
  [{ output: 'x', metdata: {} }, ': metdata is no field. Did you mean "metadata"?'],
  [{ output: undefined, title: 'A' }, ' is an object with output, title, without output'],
  [{ output: null }, ': output takes text or an object, not null'],
  [{ output: 7 }, ': output takes text or an object, not a number'],
  [{ output: () => 'x' }, ': output takes text or an object, not a function'],
  [{ output: Promise.resolve('x') }, ': output takes text or an object, not a promise: await it'],
  [{ output: Buffer.from('x') }, ': output takes text or an object, not bytes'],
  [{ output: new Map([['a', 1]]) }, ': output cannot be written as JSON: an instance of Map would be lost'],
  [{ output: { rows: [new Set([1])] } }, ': output cannot be written as JSON: an instance of Set would be lost'],
  [{ output: { rows: Promise.resolve([]) } }, ': output cannot be written as JSON: a promise would be lost'],
  [{ output: { count: () => 1 } }, ': output cannot be written as JSON: a function would be lost'],
  [{ output: [Symbol('a')] }, ': output cannot be written as JSON: a symbol would be lost'],
  [{ output: { image: new Uint8Array(2) } }, ': output cannot be written as JSON: bytes would be lost'],
  [{ output: { n: 1n } }, ': output cannot be written as JSON: Do not know how to serialize a BigInt'],
  [{ output: { toJSON: () => undefined } }, ': output cannot be written as JSON: undefined would be lost'],
  [{ output: 'x', title: 7 }, ': title takes a text, not a number'],
  [{ output: 'x', metadata: 'a' }, ': metadata takes an object, not a string'],
  [{ output: 'x', metadata: ['a'] }, ': metadata takes an object, not a list of strings'],
  [{ output: 'x', attachments: png }, ': attachments takes a list, not an object with mediaType, data'],
  [{ output: 'x', attachments: [png, null] }, ': attachments[1] takes an object, not null'],
  [{ output: 'x', attachments: [{ mimeType: 'image/png', data: 'AA' }] }, ': attachments[0]: pass mediaType'],
  [{ output: 'x', attachments: [{ ...png, nmae: 'a' }] }, ': attachments[0]: nmae is no field. Did you mean "name"?'],
  [
    { output: 'x', attachments: [{ ...png, data: Buffer.from('x') }] },
    ': attachments[0]: data takes base64 text, without "data:" before it, not bytes',
  ],
  [
    { output: 'x', attachments: [{ ...png, data: 'data:image/png;base64,AA' }] },
    ': attachments[0]: data takes base64 text, without "data:" before it, not a string',
  ],
  [
    { output: 'x', attachments: [{ ...png, mediaType: 'png' }] },
    ': attachments[0]: mediaType takes a media type such as "image/png", not "png"',
  ],
];

test('an invalid result is refused with one sentence that names the tool, the field and what to return', () =>
  eachRow(wrong, async ([value, said]) => {
    const { results } = await run([tool('Own', () => value as never)], calls('Own'));
    const next = 'Return text, or { output, title?, metadata?, attachments? }. An object as output becomes JSON text.';
    const message = `Own: the result of execute${said.replace(/[^?]$/, '$&.')} ${next}`;
    expect(results).toMatchObject([{ ok: false, error: { code: 'execution_failed' }, output: `Error: ${message}` }]);
  }));
