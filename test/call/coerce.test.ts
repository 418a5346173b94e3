import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { type SchemaLike, Tool } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, run } from '../support/pipeline.js';

/** Runs one call and returns the input of the tool, or the error. */
async function take(input: SchemaLike, raw: unknown, more: object = {}) {
  let got: unknown;
  const tool = Tool.define('Take', {
    description: 'Takes an input.',
    input,
    sideEffect: 'none',
    execute: (value: unknown) => {
      got = value;
      return 'ok';
    },
    ...more,
  });
  const { results } = await run([tool], calls(['Take', raw]));
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return { got, result };
}

const property = (schema: object) => ({ type: 'object', properties: { v: schema }, required: ['v'] });

interface Case {
  readonly id: string;
  readonly why: string;
  readonly schema: object;
  readonly input: unknown;
  readonly value?: unknown;
  readonly reject?: boolean;
  /** Each of these values is correct; with `reject_too`, an error is correct too. */
  readonly any_of?: readonly unknown[];
  readonly reject_too?: boolean;
}

describe('example cases', () => {
  const cases: Case[] = JSON.parse(readFileSync(new URL('../fixtures/coercion.json', import.meta.url), 'utf8'));
  table(cases.map((one) => [one.id, one.why, one] as const))(
    'the examples are coerced as documented',
    async (_id, _why, one) => {
      const { got, result } = await take(property(one.schema), { v: one.input });
      const isRefused = !result.ok && result.error.code === 'invalid_input';
      if (one.reject === true) expect(isRefused).toBe(true);
      else if (one.any_of === undefined) expect(got).toEqual({ v: one.value });
      else if (!(isRefused && one.reject_too === true)) expect(one.any_of.map((v) => ({ v }))).toContainEqual(got);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );
});

describe('coercion is lossless and follows the schema', () => {
  table<[object, unknown, unknown]>([
    [{ type: 'boolean' }, 'TRUE', true],
    [{ type: 'boolean' }, ' 0 ', false],
    [{ type: 'number' }, '1e3', 1000],
    [{ type: 'number' }, ' -0.5 ', -0.5],
    [{ type: 'number' }, '1.50', 1.5],
    [{ type: 'number' }, '0.000e-400', 0],
    [{ type: 'number' }, '5e-324', 5e-324],
    [{ type: 'number' }, '0.30000000000000004', 0.30000000000000004],
    [{ type: 'number' }, '1.7976931348623157', 1.7976931348623157],
    [
      { type: 'object' },
      '{"a":"1e400 \\" 12345678901234567890","b":[0.10,1E2,-0]}',
      { a: '1e400 " 12345678901234567890', b: [0.1, 100, -0] },
    ],
    [{ type: 'string' }, true, 'true'],
    [{ type: 'string' }, 1.5, '1.5'],
    [{ type: 'array', items: { type: 'integer' } }, '["1", 2]', [1, 2]],
    [{ type: 'array', items: { type: 'object' } }, { a: 1 }, [{ a: 1 }]],
    [{ type: 'array', items: { type: 'number' } }, 5, [5]],
    [{ type: 'object', properties: { n: { type: 'integer' } } }, '{"n":"7"}', { n: 7 }],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '3', 3],
    [{ type: ['boolean', 'null'] }, 'true', true],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, { a: '1' }, { a: 1 }],
  ])('converts values without loss', async (schema, input, wanted) => {
    const { got, result } = await take(property(schema), { v: input });
    expect(got).toEqual({ v: wanted });
    expect(result.metadata?.coercions).not.toHaveLength(0);
  });

  const texts = { type: 'array', items: { type: 'string' } };
  table<[object, readonly unknown[]]>([
    [{ type: 'boolean' }, ['yes', 1, '']],
    [{ type: 'number' }, ['', '1,5', '0x10', 'Infinity', 'NaN', '1_000', '1e400', '1e-400', '-1.5e-999', '4e-324']],
    [{ type: 'number' }, ['1.2345e-320', '0.1234567890123456789', '0.30000000000000001']],
    [{ type: 'string' }, [-0, null, ['a']]],
    [{ type: 'object' }, ['{"a":1e400}', '{"a":[{"b":1e-400}]}', '{"a":12345678901234567890}', '{"a":1', '[1]']],
    [{ type: 'object' }, ['{"a":0.1234567890123456789}']],
    [{ type: 'array' }, ['[1, -9007199254740993]']],
    [{ type: 'integer' }, ['9007199254740993', '007', 1.5, true]],
    [texts, ['a,b', '["a"']],
    [{ type: 'string', enum: ['a'] }, ['A']],
    [{ type: 'integer', maximum: 5 }, ['6']],
    [{ anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, ['1']],
  ])('rejects all other values', async (schema, inputs) => {
    const refused = { ok: false, error: { code: 'invalid_input' } };
    for (const input of inputs)
      expect((await take(property(schema), { v: input })).result, String(input)).toMatchObject(refused);
  });

  test('a value that the schema accepts stays unchanged', async () => {
    const schema = property({ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] });
    for (const value of ['true', '1', '[1]', '{}', 1, false]) {
      const { got, result } = await take(schema, { v: value });
      expect(got).toEqual({ v: value });
      expect(result.metadata).toBeUndefined();
    }
  });

  test('null for an optional field means that the field is absent', async () => {
    const { got } = await take(z.object({ a: z.string(), b: z.number().optional() }), { a: 'x', b: null });
    expect(got).toEqual({ a: 'x' });
  });

  test('a literal field is never converted from a number', async () => {
    const schema = z.object({ command: z.string(), note: z.string().optional() });
    const { result } = await take(schema, { command: false, note: 1 }, { literalFields: ['command'] });
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect((await take(schema, { command: 'x', note: 1 }, { literalFields: ['command'] })).got).toEqual({
      command: 'x',
      note: '1',
    });
  });

  test('the input of a tool always matches its schema', async () => {
    const schema = z.object({
      n: z.number().optional(),
      i: z.int().optional(),
      b: z.boolean().optional(),
      s: z.string().optional(),
      l: z.array(z.number()).optional(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('n', 'i', 'b', 's', 'l', '__proto__', 'x'), fc.anything()),
        async (raw) => {
          const { got, result } = await take(schema, raw);
          if (result.ok) expect(schema.safeParse(got).success).toBe(true);
          else expect(result.error.code).toBe('invalid_input');
          expect(({} as Record<string, unknown>).polluted).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('input formats', () => {
  const schema = z.object({ a: z.number() });

  test.each([
    ['JSON text', '{"a":1}', { a: 1 }],
    ['an object', { a: 1 }, { a: 1 }],
  ])('accepts %s', async (_, raw, wanted) => {
    expect((await take(schema, raw)).got).toEqual(wanted);
  });

  table([
    ['truncated JSON', '{"a":1', 'not valid JSON'],
    ['a list', [1], 'not a list'],
    ['a number', 5, 'not number'],
    ['nothing', undefined, 'cut off'],
    ['empty text', '', 'a is missing'],
    ['a wrong type', { a: 'ten' }, 'a: expected number, received string (got "ten")'],
  ])('rejects anything but a whole, valid object, with the reason', async (_, raw, message) => {
    const { result } = await take(schema, raw);
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(result.output).toContain(message);
  });

  test('rejects inputs that are too deep or too long before parsing', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    expect((await take(z.object({}).loose(), deep)).result.output).toContain('nested deeper');
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect((await take(z.object({}).loose(), circle)).result.output).toContain('nested deeper');
  });

  test('__proto__ keys are dropped, without prototype pollution', async () => {
    const { got } = await take(
      { type: 'object' },
      '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1},"b":2},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(JSON.stringify(got)).toBe('{"a":{"b":2},"constructor":{"prototype":{"polluted":1}}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  table<[string, object, unknown]>([
    ['an object', { type: 'object', properties: { a: { type: 'integer' } } }, { a: 2 }],
    ['a list', { type: 'array' }, [{ a: 2 }]],
  ])('__proto__ is dropped from JSON text as from objects', async (_, schema, plain) => {
    const text = JSON.stringify(plain).replace('{', '{"__proto__":{"polluted":1},');
    const escaped = text.replace('__proto__', '\\u005f_proto__');
    for (const value of [text, escaped, JSON.parse(text)]) {
      const { got } = await take(property(schema), { v: value });
      expect(got).toEqual({ v: plain });
      expect(JSON.stringify(got)).not.toContain('polluted');
    }
    const whole = await take({ type: 'object' }, `{"v":${escaped}}`);
    expect(JSON.stringify(whole.got)).toBe(JSON.stringify({ v: plain }));
  });

  table<[string, object, unknown, unknown]>([
    ['2020-12', { prefixItems: [{ type: 'integer' }, { type: 'string' }] }, ['1', 2], [1, '2']],
    [
      '2020-12 with a rest',
      { prefixItems: [{ type: 'integer' }], items: { type: 'boolean' } },
      ['1', 'true'],
      [1, true],
    ],
    ['draft 7', { items: [{ type: 'integer' }, { type: 'string' }] }, ['1', 2], [1, '2']],
    [
      'draft 7 with a rest',
      { items: [{ type: 'integer' }], additionalItems: { type: 'boolean' } },
      ['1', 'true'],
      [1, true],
    ],
  ])('each entry of a tuple is coerced by its own schema', async (_, schema, raw, expected) => {
    expect((await take(property({ type: 'array', ...schema }), { v: raw })).got).toEqual({ v: expected });
  });

  test('entries of a zod tuple are coerced too', async () => {
    expect((await take(z.object({ v: z.tuple([z.number(), z.string()]) }), { v: ['1', 2] })).got).toEqual({
      v: [1, '2'],
    });
  });

  test('an asynchronous schema is awaited', async () => {
    const slow = z.object({ a: z.string().refine(async (value) => value === 'yes') });
    expect((await take(slow, { a: 'yes' })).got).toEqual({ a: 'yes' });
    expect((await take(slow, { a: 'no' })).result).toMatchObject({ error: { code: 'invalid_input' } });
  });
});

test('null means an absent field of the chosen union member, even if another member accepts null there', async () => {
  const left = { kind: { const: 'left' }, value: { anyOf: [{ type: 'integer' }, { type: 'null' }] } };
  const right = { kind: { const: 'right' }, value: { const: 'fixed' } };
  const choices = [left, right].map((properties) => ({ type: 'object', properties, required: ['kind'] }));
  const schema = property({ anyOf: choices });
  expect((await take(schema, { v: { kind: 'right', value: null } })).got).toEqual({ v: { kind: 'right' } });
  expect((await take(schema, { v: { kind: 'left', value: null } })).got).toEqual({ v: { kind: 'left', value: null } });
});
