import { describe, expect, test } from 'vitest';
import { ToolError, toolErrors } from '../../src/core.js';
import { eachRow, table } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

describe('ToolError.from', () => {
  test('keeps the message of a thrown value', () =>
    eachRow<[unknown, string, string]>(
      [
        [new ToolError('no_match', 'none'), 'no_match', 'none'],
        [new Error('boom'), 'execution_failed', 'boom'],
        [new Error('Not saved.', { cause: new Error('row 7') }), 'execution_failed', 'Not saved.'],
        [
          new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND a.test') }),
          'execution_failed',
          'fetch failed: getaddrinfo ENOTFOUND a.test',
        ],
        [
          new TypeError('fetch failed', { cause: Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }) }),
          'execution_failed',
          'fetch failed: ECONNREFUSED',
        ],
        [new TypeError('fetch failed'), 'execution_failed', 'fetch failed'],
        [new TypeError(''), 'execution_failed', 'TypeError'],
        [new Error(''), 'execution_failed', 'The tool failed without a message.'],
        [new Error(' \n'), 'execution_failed', 'The tool failed without a message.'],
        [Object.assign(new Error(''), { name: '' }), 'execution_failed', 'The tool failed without a message.'],
        [{ message: '' }, 'execution_failed', 'The tool failed without a message.'],
        [new AggregateError([new Error('first'), new Error('second')], ''), 'execution_failed', 'AggregateError'],
        [new DOMException('x', 'AbortError'), 'interrupted', 'x'],
        [new DOMException('x', 'TimeoutError'), 'timeout', 'x'],
        ['text', 'execution_failed', 'text'],
        [{ message: 'like an error' }, 'execution_failed', 'like an error'],
        [42, 'execution_failed', '42'],
        [Symbol('s'), 'execution_failed', 'Symbol(s)'],
        [{ status: 503, body: 'x' }, 'execution_failed', '{"status":503,"body":"x"}'],
        [['a', 1], 'execution_failed', '["a",1]'],
        [
          { status: 401, config: { headers: { 'x-internal': 'abc' } }, session: 's' },
          'execution_failed',
          '{"status":401}',
        ],
        [
          { name: 'HttpError', code: 5n, reason: 'busy', statusText: '' },
          'execution_failed',
          '{"code":"5","name":"HttpError","reason":"busy"}',
        ],
        [
          { status: { deep: 'secret' }, body: ['secret'], reason: true },
          'execution_failed',
          'The tool failed without a message.',
        ],
        [
          new Response('x', { status: 404, statusText: 'Not Found' }),
          'execution_failed',
          '{"status":404,"statusText":"Not Found"}',
        ],
        [['a', { b: 1 }, ['c']], 'execution_failed', '["a"]'],
        [{ message: { code: 7 } }, 'execution_failed', 'The tool failed without a message.'],
        [{ error: new Error('inner'), big: 5n }, 'execution_failed', 'The tool failed without a message.'],
        [Object.assign(Object.create(null), { a: 1 }), 'execution_failed', 'The tool failed without a message.'],
        [Object.assign(Object.create(null), { code: 'E1' }), 'execution_failed', '{"code":"E1"}'],
        [{ toString: () => 'said by itself' }, 'execution_failed', 'said by itself'],
        [new Date(0), 'execution_failed', String(new Date(0))],
        [{}, 'execution_failed', 'The tool failed without a message.'],
        [[], 'execution_failed', 'The tool failed without a message.'],
        [new Map([[1, 2]]), 'execution_failed', 'The tool failed without a message.'],
      ],
      ([thrown, code, message]) => expect(ToolError.from(thrown)).toMatchObject({ code, message }),
    ));
});

test('describes a thrown object briefly, without cutting a character', () => {
  const long = {
    status: 503,
    body: 'k'.repeat(100_000),
    reason: 'r'.repeat(400),
    list: Array.from({ length: 100_000 }, () => 7),
  };
  expect(ToolError.from(long).message).toBe(JSON.stringify({ status: 503, reason: 'r'.repeat(400) }));
  expect(ToolError.from(Array.from({ length: 100_000 }, () => 'x'.repeat(400))).message.length).toBeLessThan(30_000);
});

test('describes a thrown object with a cycle as far as possible', () => {
  const circle: Record<string, unknown> = { status: 500 };
  circle.self = circle;
  expect(ToolError.from(circle).message).toBe('{"status":500}');
});

test('never throws for an object that cannot be described', () => {
  const hostile = Object.defineProperty({}, 'status', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  expect(ToolError.from(hostile)).toMatchObject({
    code: 'execution_failed',
    message: expect.stringContaining('cannot be described'),
  });
});

test('recognises an error of another copy of the package, but not a look-alike', () => {
  const foreign = { [Symbol.for('toolwright.ToolError')]: true, code: 'timeout', message: 'm' };
  expect(ToolError.is(foreign)).toBe(true);
  expect(ToolError.is({ ...foreign, code: 'made_up' })).toBe(true);
  for (const code of ['Made up', '', 7]) expect(ToolError.is({ ...foreign, code })).toBe(false);
  expect(ToolError.is({ code: 'timeout', message: 'm' })).toBe(false);
  expect(ToolError.is(null)).toBe(false);
});

test('a tool may use these codes, which are not retryable by default', () =>
  eachRow(['my_code', 'a', 'http_429', 'constructor'], async (code) => {
    const fail = tool('Fail', () => {
      throw new ToolError(code, 'No luck.');
    });
    const { results, events } = await run([fail], calls('Fail'));
    expect(results).toMatchObject([{ ok: false, output: 'Error: No luck.', error: { code, retryable: false } }]);
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({ code });
  }));

test('another code is rejected', () =>
  eachRow(['', 'My_code', 'my-code', 'a__b', '_a', 'a_', 'a b', '1a'], (code) =>
    expect(() => new ToolError(code, 'x')).toThrow(TypeError),
  ));

test('its JSON contains code, message and retryable, without stack or cause', () => {
  const error = new ToolError('timeout', 'late', { cause: new Error('secret'), retryAfterMs: 5 });
  expect(JSON.parse(JSON.stringify(error))).toEqual({ code: 'timeout', message: 'late', retryable: true });
});

test('another message keeps the other fields', () => {
  const error = new ToolError('rate_limited', 'a', {
    interrupt: true,
    retryAfterMs: 5,
    partialOutput: 'p',
    metadata: { m: 1 },
  });
  expect(error.with('b')).toMatchObject({
    code: 'rate_limited',
    message: 'b',
    interrupt: true,
    retryAfterMs: 5,
    partialOutput: 'p',
    metadata: { m: 1 },
  });
});

test('an error of any code with retryAfterMs is retryable', () =>
  eachRow<[number | undefined, boolean]>(
    [
      [undefined, false],
      [0, false],
      [-1, false],
      [20, true],
      [Number.POSITIVE_INFINITY, false],
      [Number.NaN, false],
    ],
    ([retryAfterMs, retryable]) => {
      const error = new ToolError('http_error', 'HTTP 429', retryAfterMs === undefined ? {} : { retryAfterMs });
      expect([error.retryable, error.toJSON().retryable]).toEqual([retryable, retryable]);
    },
  ));

table([
  'invalid_input',
  'unknown_tool',
  'permission_denied',
  'not_allowed',
  'denied_by_hook',
  'command_denied',
  'cancelled',
  'interrupted',
  'queued_for_plan',
])('some codes are decided locally and never retryable, even with retryAfterMs', (code) =>
  expect(new ToolError(code, 'no', { retryAfterMs: 20 }).retryable).toBe(false),
);

test('retryAfterMs does not change a retryable code', () =>
  eachRow([0, -1, Number.NaN, Number.POSITIVE_INFINITY], (retryAfterMs) =>
    expect(new ToolError('network_failed', 'reset', { retryAfterMs }).retryable).toBe(true),
  ));

test('only temporary codes are retryable by default', () => {
  const retryable = Object.entries(toolErrors)
    .filter(([, { retryable: yes }]) => yes)
    .map(([code]) => code);
  expect(retryable).toEqual(['rate_limited', 'timeout', 'network_failed', 'mcp_unavailable', 'search_unavailable']);
});
