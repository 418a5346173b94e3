import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { createPermissions, createToolkit, executeTools, Tool, ToolRegistry } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const key = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');

const echo = Tool.define('Echo', {
  description: 'Repeat a text.',
  input: z.object({ text: z.string().optional(), count: z.number().optional() }),
  sideEffect: 'none',
  execute: (input) => JSON.stringify(input),
});

async function once(options: object, input: unknown = { text: 'hi' }) {
  const { results, events } = await run([echo], calls(['Echo', input]), options);
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return { result, events };
}

const raise = (message: string) => () => {
  throw new Error(message);
};

describe('a policy offers a tool only if it returns true', () => {
  const cases: readonly (readonly [string, () => unknown])[] = [
    ['a promise of false', async () => false],
    ['a promise of true', async () => true],
    ['a promise that rejects', () => Promise.reject(new Error('late'))],
    ['text', () => 'no'],
    ['a number', () => 1],
    ['an object', () => ({ offered: false })],
    ['nothing', () => undefined],
    ['an error', raise('store down')],
  ];

  table(cases)(
    'any other value refuses the call and omits the tool from the list and the suggestions',
    async (_, offers) => {
      const policy = { offers: offers as () => boolean, explain: () => 'not for you' };
      const { result } = await once({ policy });
      expect(result).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
      expect(result.output).toContain('not for you');
      await using toolkit = createToolkit({ root: temporaryFolder(), policy });
      expect(toolkit.definitions()).toEqual([]);
      const { results } = await run([echo], calls('Ecko'), { policy });
      expect(results[0]?.output).not.toContain('Echo');
    },
  );

  table<[string, () => unknown]>([
    ['throws', raise('x')],
    ['answers no text', () => ({ why: 1 })],
    ['answers later', () => Promise.reject(new Error('late'))],
  ])('a refusal stays if its explanation throws', async (_, explain) => {
    const { result } = await once({ policy: { offers: () => false, explain } });
    expect(result).toMatchObject({ error: { code: 'not_allowed' } });
  });
});

describe('invalid rewrites', () => {
  test('null from a hook or permission is not a rewrite', async () => {
    const hook = await once({ hooks: { PreToolUse: [{ hooks: [() => ({ updatedInput: null })] }] } });
    expect(hook.result).toMatchObject({ ok: true, output: '{"text":"hi"}' });
    const permission = await once({ permissions: { check: async () => ({ behavior: 'allow', updatedInput: null }) } });
    expect(permission.result).toMatchObject({ ok: true, output: '{"text":"hi"}' });
  });

  table<[string, unknown]>([
    ['a list', [1]],
    ['a number', 5],
    ['a boolean', false],
    ['empty text', ''],
    ['blank text', ' \n'],
    ['a map', new Map([['text', 'x']])],
    ['a date', new Date(0)],
    ['an error', new Error('x')],
  ])('anything but an object is an invalid answer, which denies', async (_, updatedInput) => {
    const hook = await once({ hooks: { PreToolUse: [{ hooks: [() => ({ updatedInput })] }] } });
    expect(hook.result).toMatchObject({ error: { code: 'denied_by_hook' } });
    const allow = { behavior: 'allow', updatedInput };
    const no = async () => ({ behavior: 'deny', message: 'x' });
    for (const permissions of [{ check: async () => allow }, { check: no, decide: () => allow }])
      expect((await once({ permissions })).result).toMatchObject({ error: { code: 'permission_denied' } });
  });

  table<[string, unknown, string]>([
    ['JSON text', '{"text":"json"}', '{"text":"json"}'],
    ['what is coerced', { count: '5' }, '{"count":5}'],
    ['JSON text that is coerced', '{"count":"5"}', '{"count":5}'],
  ])('repeated equal rewrites of permission count as one', async (_, updatedInput, output) => {
    const { result } = await once({ permissions: { check: async () => ({ behavior: 'allow', updatedInput }) } });
    expect(result).toMatchObject({ ok: true, output });
    const hook = await once({ hooks: { PreToolUse: [{ hooks: [() => ({ updatedInput })] }] } });
    expect(hook.result).toMatchObject({ ok: true, output });
  });
});

describe('an answer of a hook must be a plain object', () => {
  table<[string, unknown]>([
    ['an error', new Error('no')],
    ['a map', new Map([['decision', 'deny']])],
    ['a set', new Set(['deny'])],
    ['a date', new Date(0)],
    ['an object that inherits its decision', Object.create({ decision: 'deny' })],
    ['a function', () => 'deny'],
    ['a boolean', false],
  ])('any other value denies', async (_, answer) => {
    const { result } = await once({ hooks: { PreToolUse: [{ hooks: [() => answer] }] } });
    expect(result).toMatchObject({ error: { code: 'denied_by_hook' } });
  });

  test('an object without a prototype is accepted', async () => {
    const answer = Object.assign(Object.create(null), { decision: 'deny', reason: 'bare' });
    const { result } = await once({ hooks: { PreToolUse: [{ hooks: [() => answer] }] } });
    expect(result).toMatchObject({ output: 'Error: denied by hook: bare' });
  });

  table(['', ' ', undefined])('a deny without a reason gets a default message', async (reason) => {
    const answer = { decision: 'deny', ...(reason === undefined ? {} : { reason }) };
    const { result } = await once({ hooks: { PreToolUse: [{ hooks: [() => answer] }] } });
    expect(result.output).toBe('Error: denied by hook: no reason was given');
  });
});

describe('options without effect are rejected', () => {
  const deny = () => ({ decision: 'deny' });
  const cases: readonly (readonly [string, unknown])[] = [
    ['a misspelt event', { preToolUse: [{ hooks: [deny] }] }],
    ['a list in place of events', [{ hooks: [deny] }]],
    ['a function in place of events', deny],
    ['an event without a list', { PreToolUse: { hooks: [deny] } }],
    ['an entry that is none', { PreToolUse: [deny] }],
    ['an entry that is null', { PreToolUse: [null] }],
    ['a misspelt entry', { PreToolUse: [{ match: 'Echo', hooks: [deny] }] }],
    ['a matcher that is an expression', { PreToolUse: [{ matcher: /Echo/, hooks: [deny] }] }],
    ['a matcher that is a list', { PreToolUse: [{ matcher: ['Echo'], hooks: [deny] }] }],
    ['a matcher that is null', { PostToolUse: [{ matcher: null, hooks: [deny] }] }],
    ...[-1, Number.NaN, '50', null].map(
      (timeoutMs) => [`the time ${timeoutMs}`, { PreToolUse: [{ timeoutMs, hooks: [deny] }] }] as const,
    ),
    ['a misspelt word for errors', { onHookError: 'Allow', PreToolUse: [{ hooks: [deny] }] }],
  ];

  table(cases)('hooks', async (_, hooks) => {
    const registry = new ToolRegistry().register(echo);
    await expect(executeTools(calls('Echo'), { registry, hooks: hooks as never })).rejects.toThrow(TypeError);
    expect(() => createToolkit({ root: temporaryFolder(), hooks: hooks as never })).toThrow(/^hooks/);
  });

  table<[string, unknown]>([
    ['an empty object', {}],
    ['one that only looks active', { isActive: true }],
    ['one with a promise', { isActive: Promise.resolve(true), add: () => {} }],
    ['text', 'plan'],
    ['true', true],
  ])('plan mode', async (_, planMode) => {
    const registry = new ToolRegistry().register(echo);
    await expect(executeTools(calls('Echo'), { registry, planMode: planMode as never })).rejects.toThrow('planMode');
    expect(() => createToolkit({ root: temporaryFolder(), planMode: planMode as never })).toThrow('planMode');
  });
});

describe('a decision whose fields throw is a denial', () => {
  const whole = { behavior: 'allow', message: 'no', interrupt: false, updatedInput: undefined };
  const failing = (field: string, behavior: string) =>
    Object.defineProperty({ ...whole, behavior }, field, { enumerable: true, get: raise(`${field} failed`) });
  const flipping = () => {
    let reads = 0;
    return {
      message: 'no',
      get behavior() {
        reads += 1;
        return reads === 1 ? 'deny' : 'allow';
      },
    };
  };
  const cases: readonly (readonly [string, () => unknown])[] = [
    ['behavior', () => failing('behavior', 'allow')],
    ['message', () => failing('message', 'deny')],
    ['interrupt', () => failing('interrupt', 'deny')],
    ['updatedInput', () => failing('updatedInput', 'allow')],
    ['every field', () => new Proxy({}, { has: raise('has'), get: raise('get'), ownKeys: raise('keys') })],
    ['nothing, but says no and then yes', flipping],
  ];

  table(cases)('a decision whose fields throw is a denial', async (_, decision) => {
    const check = async () => decision();
    const announcing = async (request: { readonly announce?: (reason: string) => void }) => {
      request.announce?.('because');
      return decision();
    };
    for (const permissions of [{ check }, { decide: decision, check }, { check: announcing }])
      expect((await once({ permissions })).result).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
  });
});

describe('an invalid verdict is a denial', () => {
  table<[string, unknown]>([
    ['text', 'deny'],
    ['false', false],
    ['a number', 5],
    ['an empty object', {}],
    ['another letter case', { behavior: 'Deny', reason: 'x' }],
    ['an allow', { behavior: 'allow', reason: 'x' }],
    ['a deny without a reason', { behavior: 'deny' }],
    ['a reason that is no text', { behavior: 'ask', reason: 1 }],
    ['a list', ['deny']],
  ])('of a tool', async (_, verdict) => {
    let ran = 0;
    const judged = tool('Judged', () => String(++ran), { verdict: () => verdict });
    for (const permissions of ['bypassPermissions', createPermissions({ allow: ['Judged'] })] as const) {
      const { results } = await run([judged], calls('Judged'), { permissions });
      expect(results).toMatchObject([{ ok: false, error: { code: 'command_denied' } }]);
      expect(results[0]?.output).not.toContain('undefined');
    }
    expect(ran).toBe(0);
  });

  table(['', ' '])('a blank reason is replaced by a default', async (reason) => {
    const judged = (behavior: string) => tool('Judged', () => 'ran', { verdict: () => ({ behavior, reason }) });
    const { results } = await run([judged('deny')], calls('Judged'), {});
    expect(results[0]?.output).toBe('Error: blocked by safety policy: no reason was given');
    let asked = 0;
    const permissions = createPermissions({
      allow: ['Judged'],
      onAsk: () => {
        asked += 1;
        return 'deny';
      },
    });
    await run([judged('ask')], calls('Judged'), { permissions });
    expect(asked).toBe(1);
  });
});

describe('texts for people and models', () => {
  table([
    ['control characters', 'Re\u001b[2Jad\u202e\nX'],
    ['a key across the cut', `${'x'.repeat(80)} ${key}`],
    ['a key after an odd letter', `\u202e ${key}`],
  ])('an unknown tool name is escaped', async (_, name) => {
    const { results } = await run([echo], calls([name, {}]));
    const text = results[0]?.output ?? '';
    expect(text).toMatch(/^Error: unknown tool: /);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).not.toContain(key.slice(0, 12));
  });

  test('the message of a resolver is escaped', async () => {
    const toolResolver = (name: string) => {
      throw new Error(`cannot load ${name}`);
    };
    const { results } = await run([echo], calls([`Re\u001b[2J\u202e\n ${key}`, {}]), { toolResolver });
    expect(results[0]?.output).toContain('(cannot load Re');
    expect(results[0]?.output).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(results[0]?.output).not.toContain(key);
  });

  test('the reason of a question is escaped in the event and in the request', async () => {
    const reason = `It goes to x\u001b[2J\u202e\n ${key}`;
    const judged = tool('Judged', () => 'ran', { verdict: () => ({ behavior: 'ask', reason }) });
    const seen: (string | undefined)[] = [];
    const permissions = createPermissions({
      onAsk: (request) => {
        seen.push(request.reason);
        return 'deny';
      },
    });
    const { events } = await run([judged], calls('Judged'), { permissions });
    for (const event of events) if (event.type === 'permission-ask') seen.push(event.reason);
    expect(seen).toHaveLength(2);
    for (const text of seen) {
      expect(text).toContain('It goes to x');
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(text).not.toContain(key);
    }
  });

  table<[unknown, string]>([
    [-5, 'Try again in 0 ms.'],
    [0, 'Try again in 0 ms.'],
    [Number.NaN, 'Do not call again in this session.'],
    [Number.POSITIVE_INFINITY, 'Do not call again in this session.'],
    ['5', 'Do not call again in this session.'],
  ])('a limiter may return any number', async (retryAfterMs, said) => {
    const { result } = await once({ rateLimiter: { take: () => ({ ok: false, retryAfterMs }) } });
    expect(result.output).toBe(`Error: tool rate limit exceeded for Echo. ${said}`);
    expect(result).toMatchObject({ error: { code: 'rate_limited' } });
    if (typeof retryAfterMs === 'number' && retryAfterMs < 0)
      expect(result).toMatchObject({ error: { retryAfterMs: 0 } });
  });

  test('a call does not start if its turn aborts while the limiter answers', async () => {
    const stop = new AbortController();
    const started: string[] = [];
    const echo = tool('Echo', () => String(started.push('Echo')));
    const take = () => {
      stop.abort();
      return { ok: true, remaining: 1 } as const;
    };
    const { results, events } = await run([echo], calls('Echo'), { rateLimiter: { take }, signal: stop.signal });
    expect(results).toMatchObject([{ error: { code: 'cancelled' } }]);
    expect(started).toEqual([]);
    expect(events.map(({ type }) => type)).not.toContain('tool-start');
  });

  test('a value that JSON cannot represent is an invalid input', async () => {
    const { result } = await once({}, { text: 10n });
    expect(result).toMatchObject({ error: { code: 'invalid_input' } });
    expect(result.output).toContain('text: ');
    const hostile = { toJSON: () => raise('json')() };
    expect((await once({}, { text: hostile })).result).toMatchObject({ error: { code: 'invalid_input' } });
  });
});
