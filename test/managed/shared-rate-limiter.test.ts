import { sharedRateLimiter } from 'toolwright/managed';
import { afterEach, expect, test, vi } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

const client = { eval: async () => [1, 1_000] };

afterEach(() => void vi.doUnmock('rate-limiter-flexible'));

const mistakes: readonly (readonly [unknown, string])[] = [
  [undefined, 'sharedRateLimiter takes an object, not undefined'],
  [{ max: 5 }, 'sharedRateLimiter: pass client'],
  [{ client: {}, max: 5 }, 'sharedRateLimiter: client takes a SqlClient or a client of Redis'],
  [{ client }, 'sharedRateLimiter: pass max'],
  [{ client, max: 2e9 }, 'sharedRateLimiter: max must be at most 1000000000, or Infinity, not 2000000000'],
  [{ client, max: 5, windowMs: 1_500 }, 'sharedRateLimiter: windowMs must be whole seconds, such as 60_000, not 1500'],
  [{ client, max: 5, perTool: { Bash: { max: -1 } } }, 'sharedRateLimiter: perTool.Bash: max takes a whole number'],
  [{ client, max: 5, perTool: { Bash: { max: 1, windowMs: 1 } } }, 'sharedRateLimiter: windowMs must be whole seconds'],
  [{ client, max: 5, costs: { Agent: 0.5 } }, 'sharedRateLimiter: a cost must be a whole number from 0 up, not 0.5'],
  [{ client, max: 5, prefix: '' }, 'sharedRateLimiter: prefix takes a text, not ""'],
  [{ client, max: 5, algorithm: 'token-bucket' }, 'sharedRateLimiter: algorithm is no option'],
];
test('invalid options are rejected by name', () =>
  eachRow(mistakes, ([options, message]) => {
    expect(() => sharedRateLimiter(options as never)).toThrow(message);
  }));

test('its tool names are checked, so that a misspelt one gives a warning', () => {
  const { names } = sharedRateLimiter({ client, max: 5, perTool: { Bash: { max: 1 } }, costs: { Agent: 2 } });
  expect(names).toEqual(['Bash', 'Agent']);
});

test('without the package every call is refused, and the error has the install command', async () => {
  vi.doMock('rate-limiter-flexible', () => {
    throw new Error('Cannot find package');
  });
  const rateLimiter = sharedRateLimiter({ client, max: 5 });
  const { results } = await run([tool('Act', () => 'done')], calls('Act'), { rateLimiter });
  expect(results).toMatchObject([
    {
      error: {
        code: 'rate_limited',
        message:
          'The rate limiter failed, so the call was refused: Shared rate limits need the package rate-limiter-flexible. ' +
          'To install it, run: npm install rate-limiter-flexible',
      },
    },
  ]);
});
