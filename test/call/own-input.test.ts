import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { copyForTool } from '../../src/call/copy-for-tool.js';
import { createDeadLetters, type SchemaLike, Tool, ToolError } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, run } from '../support/pipeline.js';

const plain = { type: 'object', properties: { list: { type: 'array' }, deep: { type: 'object' } }, required: ['list'] };
const schemas: readonly (readonly [string, SchemaLike])[] = [
  ['JSON Schema', plain],
  ['zod', z.object({ list: z.array(z.any()), deep: z.any() })],
  ['zod that passes on what it is given', z.custom<object>(() => true).and(z.object({ list: z.any() }).loose())],
];
const input = { list: [1, 2, 3], deep: { at: { x: 1 } } };

/** A tool that takes apart what it is given, and fails. */
function spoiler(schema: SchemaLike, seen: unknown[]) {
  return Tool.define('Spoil', {
    description: 'Takes its input apart.',
    input: schema,
    inputJson: plain,
    sideEffect: 'none',
    execute: (value: unknown) => {
      seen.push(structuredClone(value));
      const { list, deep } = value as { list: unknown[]; deep: { at: { x: number } } };
      list.length = 0;
      deep.at.x = 99;
      Object.assign(value as object, { added: true });
      throw new ToolError('network_failed', 'reset');
    },
  } as never);
}

describe.each(schemas)('a tool that changes its input (%s)', (_, schema) => {
  test('is tried again with what was authorised', async () => {
    const seen: unknown[] = [];
    await run([spoiler(schema, seen)], calls(['Spoil', input]), { retry: { maxAttempts: 3, baseMs: 0 } });
    expect(seen).toEqual([input, input, input]);
  });

  test('changes nothing in a dead letter, nor of what hooks see afterwards', async () => {
    const deadLetters = createDeadLetters();
    const events: unknown[] = [];
    const see = [{ hooks: [({ input: seen }: { readonly input: unknown }) => void events.push(seen)] }];
    const hooks = { PostToolUse: see, PostToolUseFailure: see };
    await run([spoiler(schema, [])], calls(['Spoil', input]), { deadLetters, hooks });
    expect(deadLetters.list()).toMatchObject([{ call: { input } }]);
    expect(deadLetters.redrive(deadLetters.list()[0]?.id ?? '')?.input).toEqual(input);
    expect(events).toEqual([input]);
  });
});

test('a call that is tried once and recorded nowhere gets what was parsed, without a copy', async () => {
  const parsed: unknown[] = [];
  let got: unknown;
  const tool = Tool.define('Same', {
    description: 'Keeps what it is given.',
    input: plain,
    sideEffect: 'none',
    title: (value) => {
      parsed.push(value);
      return 'Same';
    },
    execute: (value) => {
      got = value;
      return 'ok';
    },
  });
  await run([tool], calls(['Same', input]));
  expect(parsed[0]).toBe(got);
});

test('every try has the same that a schema made up, such as a key against doing a thing twice', async () => {
  let made = 0;
  const seen: unknown[] = [];
  const tool = Tool.define('Pay', {
    description: 'Pays.',
    input: z.object({
      key: z.string().default(() => `key-${++made}`),
      at: z.string().transform((text) => new Date(text)),
    }),
    sideEffect: 'mutating',
    idempotent: true,
    execute: ({ key, at }) => {
      seen.push([key, at.toISOString()]);
      at.setFullYear(1999);
      throw new ToolError('timeout', 'late');
    },
  });
  await run([tool], calls(['Pay', { at: '2026-01-31' }]), { retry: { maxAttempts: 2, baseMs: 0 } });
  const [first] = seen;
  expect(seen).toEqual([first, first]);
  expect(first).toEqual([expect.stringMatching(/^key-\d$/), '2026-01-31T00:00:00.000Z']);
});

describe('a copy for a tool', () => {
  class Point {
    x = 3;
  }
  const circle: Record<string, unknown> = { list: [1] };
  circle.self = circle;

  table<[string, unknown]>([
    ['text', 'a'],
    ['nothing', undefined],
    ['a list', [1, [2, { a: null }]]],
    ['an object without a prototype', Object.assign(Object.create(null), { a: [1] })],
    ['a date', new Date(5)],
    ['a map', new Map([['a', [1]]])],
    ['a set', new Set([[1]])],
    ['bytes', new Uint8Array([1, 2])],
    ['an address', new URL('https://example.com/a')],
    ['an instance', new Point()],
    ['a function inside', { call: () => 1 }],
    ['a circle', circle],
    ['a symbol as a key', { [Symbol.for('key')]: [1] }],
    ['a field of any name', JSON.parse('{"__proto__":{"a":1},"constructor":1}')],
  ])('is equal to it', (_, value) => {
    const copy = copyForTool(value);
    expect(Object.prototype.toString.call(copy)).toBe(Object.prototype.toString.call(value));
    expect(Object.getPrototypeOf(Object(copy))).toBe(Object.getPrototypeOf(Object(value)));
    if (!(value !== null && typeof value === 'object' && 'call' in value)) expect(copy).toStrictEqual(value);
  });

  class Tags extends Map<string, string> {
    first() {
      return [...this.keys()][0];
    }
  }
  class Vector extends Array<number> {}
  class Day extends Date {
    readonly #zone = 'UTC';
    zone() {
      return this.#zone;
    }
  }
  class Bytes extends Uint8Array {}

  table<[string, object]>([
    ['a kind of map', new Tags([['a', 'b']])],
    ['a kind of set', new (class extends Set<number> {})([1])],
    ['a kind of list', Vector.from([3, 4])],
    ['a kind of date', new Day(0)],
    ['a kind of bytes', new Bytes(2)],
    ['what an expression found', /(?<year>\d+)/.exec('2026') ?? {}],
    ['a list with a field', Object.assign([1], { more: 1 })],
    ['a list with a gap', Object.assign([], { 1: 1 })],
    ['an error', new Error('x')],
  ])('shares what cannot be copied', (_, value) => {
    const copy = copyForTool({ value }) as { readonly value: unknown };
    expect(copy.value).toBe(value);
  });

  test('shares nothing that can be changed by assignment', () => {
    const value = {
      list: [{ a: 1 }],
      map: new Map([['k', { a: 1 }]]),
      set: new Set([1]),
      at: new Date(1),
      bytes: new Uint8Array([1]),
    };
    const before = structuredClone(value);
    const copy = copyForTool(value) as typeof value;
    copy.list[0] = { a: 2 };
    copy.list.push({ a: 3 });
    const inMap = copy.map.get('k');
    if (inMap !== undefined) inMap.a = 9;
    copy.set.clear();
    copy.at.setTime(0);
    copy.bytes[0] = 7;
    expect(value).toEqual(before);
  });

  test('keeps fields that are worked out', () => {
    const counter = {
      count: 1,
      get next() {
        return this.count + 1;
      },
    };
    const copy = copyForTool(counter) as typeof counter;
    copy.count = 5;
    expect([copy.next, counter.next]).toEqual([6, 2]);
  });

  test('of a circle, and of what fails when it is read, is the thing itself', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(copyForTool(circle)).toBe(circle);
    expect(copyForTool(hostile)).toBe(hostile);
  });
});
