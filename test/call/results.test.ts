import { fakeTimers } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { ToolError, type ToolEvent } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

const key = ['sk', '-ant-', 'api03-', 'Ab1'.repeat(12)].join('');

describe('credentials', () => {
  test('are scrubbed from every output', async () => {
    const leak = tool('Leak', (_input, context) => {
      context.metadata({ title: `reading ${key}`, metadata: { nested: [{ key }] } });
      return { output: `found ${key}`, title: key, metadata: { [key]: key } };
    });
    const fails = tool('Fails', () => {
      throw new ToolError('execution_failed', `cannot use ${key}`, {
        partialOutput: `so far ${key}`,
        metadata: { key },
        cause: new Error(key),
      });
    });
    const { results, events } = await run(
      [leak, fails],
      calls(['Leak', { key }], ['Fails', { key }], [`Nope ${key}`, {}]),
    );
    const seen = JSON.stringify({
      results: results.map((result) => ({ ...result, cause: result.ok ? 0 : result.error.cause })),
      events,
    });
    expect(seen).not.toContain(key);
    expect(results[0]).toMatchObject({
      output: 'found [REDACTED]',
      title: '[REDACTED]',
      metadata: { '[REDACTED]': '[REDACTED]' },
    });
    expect(results[1]).toMatchObject({ output: 'Error: cannot use [REDACTED]\nso far [REDACTED]' });
  });

  test('stay if scrubbing is off', async () => {
    const { results } = await run([tool('Leak', () => key)], calls('Leak'), { scrubber: false });
    expect(results[0]?.output).toBe(key);
  });
});

test.each([undefined, false] as const)(
  'half of a surrogate pair is replaced in all texts (scrubber: %s)',
  async (scrubber) => {
    const half = 'a\ud83d.';
    const odd = tool('Odd', (_input, context) => {
      context.metadata({ title: half, metadata: { half } });
      return { output: half, title: half, metadata: { [half]: [half] } };
    });
    const fails = tool('Fails', () => {
      throw new ToolError('execution_failed', half, { partialOutput: half, metadata: { half } });
    });
    const hooks = { PostToolUse: [{ hooks: [() => ({ additionalContext: half })] }] };
    const options = { hooks, ...(scrubber === false && { scrubber }) };
    const { results, events } = await run([odd, fails], calls('Odd', 'Fails'), options);
    expect(results).toMatchObject([
      { output: 'a\ufffd.', metadata: { 'a\ufffd.': ['a\ufffd.'] }, additionalContext: 'a\ufffd.' },
      { output: 'Error: a\ufffd.\na\ufffd.', metadata: { half: 'a\ufffd.' } },
    ]);
    // JSON escapes lone surrogates.
    expect(JSON.stringify({ results, events })).not.toContain('\\ud83d');
  },
);

describe('long output', () => {
  const text = `first line\n${'x'.repeat(400)}\nlast line`;
  const long = tool('Long', () => text, { maxOutputChars: 100 });

  test('keeps head and tail, and names the file with the full text', async () => {
    const saved: string[] = [];
    const outputStore = { save: async (whole: string) => `/spill/${saved.push(whole)}.txt` };
    const { results } = await run([long], calls('Long'), { outputStore });
    expect(saved).toEqual([text]);
    expect(results[0]?.output).toMatch(
      /^first line\nx+\n\[\d+ characters omitted; full output: \/spill\/1\.txt\]\nx+\nlast line$/,
    );
  });

  test('is cut without a store too', async () => {
    const { results } = await run([long], calls('Long'));
    expect(results[0]?.output).toMatch(/\[\d+ characters omitted\]/);
  });

  test('of an error is bounded too', async () => {
    const fails = tool('Fails', () => Promise.reject(new Error('y'.repeat(5_000))), { maxOutputChars: 100 });
    const { results } = await run([fails], calls('Fails'));
    expect(results[0]?.output).toMatch(/^Error: y.{0,190}$/s);
  });

  test('of all sizes is cut to 30,000 characters by default', async () => {
    const { results } = await run([tool('Flood', () => 'z'.repeat(1_000_000))], calls('Flood'));
    expect(results[0]?.output.length).toBeLessThan(30_200);
  });
});

describe('retry', () => {
  /** A tool that fails a number of times and then succeeds. */
  function flaky(failures: number, error: unknown, more: object = {}) {
    let tries = 0;
    return tool(
      'Flaky',
      () => {
        tries += 1;
        if (tries <= failures) throw error;
        return `try ${tries}`;
      },
      more,
    );
  }

  async function play(subject: ReturnType<typeof flaky>, retry = { maxAttempts: 3, baseMs: 100, maxMs: 1_000 }) {
    const timers = fakeTimers();
    const pending = run([subject], calls('Flaky'), { retry, timers });
    await timers.advance(60_000);
    const { results, events } = await pending;
    return {
      result: results[0],
      retries: events.filter((event): event is ToolEvent & { type: 'tool-retry' } => event.type === 'tool-retry'),
      timers,
    };
  }

  const passing = new ToolError('network_failed', 'reset');

  test('repeats retryable failures with growing pauses', async () => {
    const { result, retries, timers } = await play(flaky(2, passing));
    expect(result).toMatchObject({ ok: true, output: 'try 3' });
    expect(retries.map(({ attempt, delayMs, code }) => [attempt, delayMs, code])).toEqual([
      [2, 50, 'network_failed'],
      [3, 100, 'network_failed'],
    ]);
    expect(timers.pending).toBe(0);
  });

  test('stops after the last attempt', async () => {
    expect((await play(flaky(9, passing))).result).toMatchObject({ ok: false, error: { code: 'network_failed' } });
  });

  table([
    ['is not retryable', flaky(1, new ToolError('no_match', 'none'))],
    ['is not known', flaky(1, new Error('x'))],
    ['comes from a tool that acts', flaky(1, passing, { sideEffect: 'mutating' })],
    ['asks for a pause that is too long', flaky(1, new ToolError('network_failed', 'later', { retryAfterMs: 5_000 }))],
    ['says nothing useful of when', flaky(1, new ToolError('http_error', 'HTTP 404', { retryAfterMs: 0 }))],
    ['is of this side, whatever it asks for', flaky(1, new ToolError('permission_denied', 'no', { retryAfterMs: 5 }))],
    [
      'asks for a pause, of a tool that acts',
      flaky(1, new ToolError('http_error', 'HTTP 503', { retryAfterMs: 5 }), { sideEffect: 'mutating' }),
    ],
  ])('does not repeat a permanent failure', async (_, subject) => {
    const { result, retries } = await play(subject);
    expect(result).toMatchObject({ ok: false });
    expect(retries).toEqual([]);
  });

  test('repeats a mutating tool only on opt-in, with the requested pause', async () => {
    const subject = flaky(1, new ToolError('network_failed', 'later', { retryAfterMs: 700 }), {
      sideEffect: 'mutating',
      idempotent: true,
    });
    expect((await play(subject)).retries).toMatchObject([{ delayMs: 700 }]);
  });

  table([
    ['http_error', 700],
    ['execution_failed', 1],
    ['mcp_tool_error', 1_000],
  ] as const)('repeats a failure after its retryAfterMs', async (code, retryAfterMs) => {
    const { result, retries } = await play(flaky(2, new ToolError(code, 'busy', { retryAfterMs })));
    expect(result).toMatchObject({ ok: true, output: 'try 3' });
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([retryAfterMs, retryAfterMs]);
  });

  table([0, -5, Number.NaN, Number.POSITIVE_INFINITY])(
    'ignores an invalid retryAfterMs and makes the usual pause',
    async (retryAfterMs) => {
      const { result, retries } = await play(flaky(2, new ToolError('network_failed', 'busy', { retryAfterMs })));
      expect(result).toMatchObject({ ok: true });
      expect(retries.map(({ delayMs }) => delayMs)).toEqual([50, 100]);
    },
  );

  table([0, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY])(
    'rejects an invalid number of attempts by name',
    async (maxAttempts) => {
      await expect(run([flaky(0, passing)], calls('Flaky'), { retry: { maxAttempts } })).rejects.toThrow(
        /retry\.maxAttempts must be/,
      );
    },
  );

  test('limits every pause', async () => {
    const endless = { maxAttempts: 3, baseMs: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY };
    expect((await play(flaky(1, passing), endless)).result).toMatchObject({ ok: false });
  });

  test('is off by default', async () => {
    const { results } = await run([flaky(1, passing)], calls('Flaky'));
    expect(results).toMatchObject([{ ok: false }]);
  });

  test('ends if the turn aborts during the pause', async () => {
    const timers = fakeTimers();
    const stop = new AbortController();
    const pending = run([flaky(1, passing)], calls('Flaky'), {
      retry: { maxAttempts: 3 },
      timers,
      signal: stop.signal,
    });
    await timers.advance(0);
    stop.abort();
    expect((await pending).results).toMatchObject([{ ok: false, error: { code: 'network_failed' } }]);
    expect(timers.pending).toBe(0);
  });
});
