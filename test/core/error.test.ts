import { describe, expect, test } from 'vitest';
import { ToolError, toolErrors } from '../../src/core.js';

describe('ToolError.from', () => {
  test.each<[unknown, string, string]>([
    [new ToolError('no_match', 'none'), 'no_match', 'none'],
    [new Error('boom'), 'execution_failed', 'boom'],
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
  ])('%s', (thrown, code, message) => {
    expect(ToolError.from(thrown)).toMatchObject({ code, message });
  });
});

test('an error of another copy of the package is recognised, a look-alike is not', () => {
  const foreign = { [Symbol.for('toolwright.ToolError')]: true, code: 'timeout', message: 'm' };
  expect(ToolError.is(foreign)).toBe(true);
  expect(ToolError.is({ ...foreign, code: 'made_up' })).toBe(false);
  expect(ToolError.is({ code: 'timeout', message: 'm' })).toBe(false);
  expect(ToolError.is(null)).toBe(false);
});

test('its JSON holds code, message and whether another try may help, and neither stack nor cause', () => {
  const error = new ToolError('timeout', 'late', { cause: new Error('secret'), retryAfterMs: 5 });
  expect(JSON.parse(JSON.stringify(error))).toEqual({ code: 'timeout', message: 'late', retryable: true });
});

test('other words keep the rest', () => {
  const error = new ToolError('rate_limited', 'a', { interrupt: true, retryAfterMs: 5, partialOutput: 'p', metadata: { m: 1 } });
  expect(error.with('b')).toMatchObject({
    code: 'rate_limited',
    message: 'b',
    interrupt: true,
    retryAfterMs: 5,
    partialOutput: 'p',
    metadata: { m: 1 },
  });
});

test('only what may pass by itself is retryable', () => {
  const retryable = Object.entries(toolErrors)
    .filter(([, { retryable: yes }]) => yes)
    .map(([code]) => code);
  expect(retryable).toEqual(['rate_limited', 'timeout', 'network_failed', 'mcp_unavailable', 'search_unavailable']);
});
