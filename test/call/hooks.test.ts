import { fakeTimers } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { createPermissions, type Footprint, type PreToolUseEvent, Tool, type ToolHooks } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, never, run, tool } from '../support/pipeline.js';

const echo = Tool.define('Echo', {
  description: 'Repeat a text.',
  input: z.object({ text: z.string() }),
  sideEffect: 'none',
  execute: async ({ text }) => {
    if (text === 'fail') throw new Error('failed');
    return text;
  },
});

async function withHooks(hooks: ToolHooks, text = 'hi', options = {}) {
  const timers = fakeTimers();
  const pending = run([echo], calls(['Echo', { text }]), { hooks, timers, ...options });
  await timers.advance(120_000);
  const { results, events } = await pending;
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return { result, events };
}

const fail = () => {
  throw new Error('x');
};

describe('PreToolUse', () => {
  test('a deny refuses the call with the reason of the hook', async () => {
    const { result, events } = await withHooks({
      PreToolUse: [{ hooks: [() => ({ decision: 'deny', reason: 'not today' })] }],
    });
    expect(result).toMatchObject({
      ok: false,
      output: 'Error: denied by hook: not today',
      error: { code: 'denied_by_hook' },
    });
    expect(events.some(({ type }) => type === 'tool-start')).toBe(false);
  });

  table([
    ['throws', fail],
    ['hangs', () => never],
    ['answers text', () => 'deny' as never],
    ['answers an unknown decision', () => ({ decision: 'no' }) as never],
    ['answers a misspelt field', () => ({ descision: 'deny' }) as never],
    ['answers a field of another protocol', () => ({ hookSpecificOutput: { permissionDecision: 'deny' } }) as never],
    ['answers a reason that is no text', () => ({ decision: 'allow', reason: 1 }) as never],
    ['answers a code that is none', () => ({ decision: 'deny', code: 'Not Today' })],
    ['answers a code without a no', () => ({ code: 'limit_reached' })],
  ])('a hook that fails or returns an invalid answer denies, unless onHookError is allow', async (_, hook) => {
    const denied = await withHooks({ PreToolUse: [{ hooks: [hook as never] }] });
    expect(denied.result).toMatchObject({ error: { code: 'denied_by_hook' } });
    const allowed = await withHooks({ PreToolUse: [{ hooks: [hook as never] }], onHookError: 'allow' });
    expect(allowed.result).toMatchObject({ ok: true, output: 'hi' });
  });

  test('a deny with a code refuses the call with this code', async () => {
    const { result } = await withHooks({
      PreToolUse: [{ hooks: [() => ({ behavior: 'deny', code: 'out_of_budget', reason: 'Nothing is left.' })] }],
    });
    expect(result).toMatchObject({ output: 'Error: Nothing is left.', error: { code: 'out_of_budget' } });
  });

  test('each hook gets the input that the previous one rewrote, and an empty answer changes nothing', async () => {
    const seen: unknown[] = [];
    const { result } = await withHooks({
      PreToolUse: [
        { hooks: [({ input }) => void seen.push(input), () => ({ updatedInput: { text: 'one' } })] },
        { hooks: [({ input }) => void seen.push(input), () => ({}), ({ input }) => void seen.push(input)] },
      ],
    });
    expect(seen).toEqual([{ text: 'hi' }, { text: 'one' }, { text: 'one' }]);
    expect(result.output).toBe('one');
  });

  test('a rewritten input is parsed and authorised again', async () => {
    const rewrite = (text: unknown): ToolHooks => ({ PreToolUse: [{ hooks: [() => ({ updatedInput: { text } })] }] });
    expect((await withHooks(rewrite(5))).result).toMatchObject({ ok: true, output: '5' });
    expect((await withHooks(rewrite({}))).result).toMatchObject({ error: { code: 'invalid_input' } });
    const check = async ({ input }: { input: unknown }) =>
      (input as { text: string }).text === 'secret'
        ? { behavior: 'deny' as const, message: 'no' }
        : { behavior: 'allow' as const };
    expect((await withHooks(rewrite('secret'), 'hi', { permissions: { check } })).result).toMatchObject({
      error: { code: 'permission_denied' },
    });
  });

  test('an input rewritten by the asked person does not ask again, and cannot pass a deny rule', async () => {
    let asked = 0;
    const permissions = createPermissions({
      autoAllow: false,
      onAsk: ({ input }) => {
        asked += 1;
        return { behavior: 'allow', updatedInput: { ...(input as object), text: 'mine' } };
      },
    });
    expect((await withHooks({}, 'hi', { permissions })).result).toMatchObject({ ok: true, output: 'mine' });
    expect(asked).toBe(1);
    permissions.addRules({ deny: ['Echo'] });
    expect((await withHooks({}, 'hi', { permissions })).result).toMatchObject({ error: { code: 'permission_denied' } });
  });

  test('permission may rewrite up to the limit, and one more rewrite is refused', async () => {
    const maxRewrites = 3;
    const rewriting = async (times: number) => {
      let count = 0;
      const check = async () =>
        count++ < times
          ? { behavior: 'allow' as const, updatedInput: { text: `again ${count}` } }
          : { behavior: 'allow' as const };
      const options = { permissions: { check }, limits: { call: { maxRewrites } } };
      const { result } = await withHooks({}, 'hi', options);
      return [result.ok ? result.output : result.error.code, count];
    };
    expect(await rewriting(maxRewrites)).toEqual([`again ${maxRewrites}`, maxRewrites + 1]);
    expect(await rewriting(maxRewrites + 1)).toEqual(['permission_denied', maxRewrites + 1]);
    expect(await rewriting(Number.POSITIVE_INFINITY)).toEqual(['permission_denied', maxRewrites + 1]);
  });

  table([
    ['Echo', true],
    ['Write|Echo', true],
    ['E.*', true],
    ['Ech', false],
    ['cho', false],
    ['*', true],
    ['', true],
  ])('a matcher is a whole name or a regular expression for one', async (matcher, applies) => {
    const { result } = await withHooks({ PreToolUse: [{ matcher, hooks: [() => ({ decision: 'deny' })] }] });
    expect(result.ok).toBe(!applies);
  });
});

describe('additionalContext', () => {
  const says = (text: string) => () => ({ additionalContext: text });

  test('of all hooks is added to the result', async () => {
    const { result } = await withHooks({
      PreToolUse: [{ hooks: [says('before')] }],
      PostToolUse: [{ hooks: [says('after')] }],
    });
    expect(result).toMatchObject({ ok: true, additionalContext: 'before\nafter' });
  });

  test('is added to failed and refused results too', async () => {
    const hooks = { PreToolUse: [{ hooks: [says('before')] }], PostToolUseFailure: [{ hooks: [says('after')] }] };
    expect((await withHooks(hooks, 'fail')).result).toMatchObject({ ok: false, additionalContext: 'before\nafter' });
    const denying = [{ hooks: [says('note'), () => ({ decision: 'deny' as const })] }];
    const { result } = await withHooks({ PreToolUse: denying });
    expect(result).toMatchObject({ ok: false, additionalContext: 'note' });
  });
});

describe('PostToolUse', () => {
  test('gets the scrubbed output of the previous hook', async () => {
    const key = ['ghp', '_', 'a1'.repeat(18)].join('');
    const seen: string[] = [];
    const { result } = await withHooks({
      PostToolUse: [
        { hooks: [() => ({ updatedOutput: `new ${key}` }), ({ result: { output } }) => void seen.push(output)] },
        {
          hooks: [
            ({ result: { output } }) => ({ updatedOutput: `${output} and ${key}` }),
            ({ result: { output } }) => void seen.push(output),
          ],
        },
      ],
    });
    expect(seen).toEqual(['new [REDACTED]', 'new [REDACTED] and [REDACTED]']);
    expect(result?.output).toBe('new [REDACTED] and [REDACTED]');
  });

  test('can rewrite the output and hide it from people', async () => {
    const { result } = await withHooks({
      PostToolUse: [{ hooks: [({ result: { output } }) => ({ updatedOutput: `${output}!`, suppressOutput: true })] }],
    });
    expect(result).toMatchObject({ ok: true, output: 'hi!', suppressOutput: true });
  });

  test('a failure runs PostToolUseFailure instead', async () => {
    const fired: string[] = [];
    await withHooks(
      {
        PostToolUse: [{ hooks: [() => void fired.push('ok')] }],
        PostToolUseFailure: [{ hooks: [({ error }) => void fired.push(error.message)] }],
      },
      'fail',
    );
    expect(fired).toEqual(['failed']);
  });

  test('no hook gets a credential, and additions of hooks are scrubbed', async () => {
    const key = ['sk', '-', 'a1B2'.repeat(8)].join('');
    const seen: string[] = [];
    const { result } = await withHooks(
      {
        PostToolUse: [
          { hooks: [({ result: { output } }) => void seen.push(output)] },
          { hooks: [() => ({ updatedOutput: `again ${key}`, additionalContext: key })] },
        ],
      },
      `the key ${key}`,
    );
    expect(seen).toEqual(['the key [REDACTED]']);
    expect(result).toMatchObject({ output: 'again [REDACTED]', additionalContext: '[REDACTED]' });
  });
});

test('a conflicting call waits until the hooks after the call have ended', async () => {
  const order: string[] = [];
  const footprint = () => ({ reads: 'nothing', writes: ['a'] });
  const write = tool('Write', () => String(order.push('write')), { footprint });
  const hook = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push('hook');
  };
  await run([write], calls('Write', 'Write'), { hooks: { PostToolUse: [{ hooks: [hook] }] } });
  expect(order).toEqual(['write', 'hook', 'write', 'hook']);
});

describe('the footprint in the events of a hook', () => {
  const touching = (seen: Footprint[]) =>
    Tool.define('Touch', {
      description: 'Touch a file.',
      input: z.object({ path: z.string(), fail: z.boolean().optional() }),
      sideEffect: 'mutating',
      footprint: async ({ path }) => {
        const touched = { reads: 'nothing' as const, writes: [`/real/${path}`] };
        seen.push(touched);
        return touched;
      },
      execute: ({ fail }) => {
        if (fail === true) throw new Error('failed');
        return 'touched';
      },
    });
  const touch = (hooks: ToolHooks, input: object = { path: 'a' }, made: Footprint[] = []) =>
    run([touching(made)], calls(['Touch', input]), { hooks });

  test('is the same before the call, after it and after its failure', async () => {
    const seen: [string, Footprint | undefined][] = [];
    const note = (event: string) => [
      { hooks: [({ footprint }: Pick<PreToolUseEvent, 'footprint'>) => void seen.push([event, footprint])] },
    ];
    const hooks = { PreToolUse: note('before'), PostToolUse: note('after'), PostToolUseFailure: note('failure') };
    await touch(hooks);
    await touch(hooks, { path: 'b', fail: true });
    const of = (path: string) => ({ reads: 'nothing', writes: [path] });
    expect(seen).toEqual([
      ['before', of('/real/a')],
      ['after', of('/real/a')],
      ['before', of('/real/b')],
      ['failure', of('/real/b')],
    ]);
  });

  test('is that of the input that the previous hook rewrote', async () => {
    const seen: (Footprint | undefined)[] = [];
    await touch({
      PreToolUse: [
        { hooks: [() => ({ updatedInput: { path: 'b' } })] },
        { hooks: [({ footprint }) => void seen.push(footprint)] },
        { hooks: [({ footprint }) => void seen.push(footprint)] },
      ],
    });
    expect(seen.map((footprint) => footprint?.writes)).toEqual([['/real/b'], ['/real/b']]);
  });

  table([
    ['an input that the tool does not take', {}],
    ['no input at all', 'nonsense'],
  ])('is empty after a rewrite to an invalid input', async (_, updatedInput) => {
    const seen: (Footprint | undefined)[] = [];
    const { results } = await touch({
      PreToolUse: [{ hooks: [() => ({ updatedInput })] }, { hooks: [({ footprint }) => void seen.push(footprint)] }],
    });
    expect(seen).toEqual([{ reads: 'nothing', writes: 'nothing' }]);
    expect(results[0]).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  test('cannot be changed by a hook', async () => {
    const made: Footprint[] = [];
    const change = ({ footprint }: Pick<PreToolUseEvent, 'footprint'>) => {
      (footprint?.writes as string[]).length = 0;
      return {};
    };
    const { results } = await touch(
      { PreToolUse: [{ hooks: [change] }], PostToolUse: [{ hooks: [change] }] },
      { path: 'a' },
      made,
    );
    expect(results[0]).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
    expect(made).toEqual([{ reads: 'nothing', writes: ['/real/a'] }]);
  });
});
