import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/v4';
import { executeTools, type RegistryEvent, Tool, type ToolInitContext, ToolRegistry } from '../../src/core.js';
import { eachRow } from '../support/each-row.js';
import { allowAll, calls, deferred, run, settle, tool } from '../support/pipeline.js';

const definition = { description: 'Made later.', input: z.object({ text: z.string() }), sideEffect: 'none' as const };
const made = { ...definition, execute: ({ text }: { readonly text: string }) => `later ${text}` };
const call = (name = 'Later') => calls([name, { text: 'a' }]);
const names = (registry: ToolRegistry) => registry.definitions().map(({ name }) => name);

function execute(registry: ToolRegistry, turn = call(), more: object = {}) {
  return executeTools(turn, { registry, permissions: allowAll, ...more });
}

describe('a tool with an init function', () => {
  test('is created by the first turn, for any calls of that turn, and only once', async () => {
    const init = vi.fn(async (_context: ToolInitContext) => made);
    const registry = new ToolRegistry({ cwd: '/somewhere' }).register(
      tool('Now', () => 'now'),
      Tool.define('Later', init),
    );
    expect((await execute(registry, calls('Now'))).results).toMatchObject([{ ok: true }]);
    expect(names(registry)).toEqual(['Now', 'Later']);
    expect((await execute(registry)).results).toMatchObject([{ ok: true, output: 'later a' }]);
    await registry.ready();
    expect(init).toHaveBeenCalledTimes(1);
    expect(init.mock.calls[0]?.[0].cwd).toBe('/somewhere');
  });

  test('may have a synchronous init, which gets the working directory of the process by default', async () => {
    const registry = new ToolRegistry().register(Tool.define('Later', ({ cwd }) => ({ ...made, description: cwd })));
    expect(await registry.ready()).toEqual([]);
    expect(registry.definitions()).toMatchObject([{ name: 'Later', description: process.cwd() }]);
  });

  test('keeps its place in the list, which contains it once it is ready', async () => {
    const registry = new ToolRegistry().register(
      tool('One', () => ''),
      Tool.define('Later', async () => made),
      tool('Two', () => ''),
    );
    expect([registry.names(), names(registry), registry.near('Latre')]).toEqual([
      ['One', 'Later', 'Two'],
      ['One', 'Two'],
      [],
    ]);
    await registry.ready();
    expect([names(registry), registry.near('Latre')]).toEqual([['One', 'Later', 'Two'], ['Later']]);
  });

  test('is created once for several waiters', async () => {
    const gate = deferred();
    const init = vi.fn(async () => {
      await gate.promise;
      return made;
    });
    const registry = new ToolRegistry().register(Tool.define('Later', init));
    const waiting = [registry.ready(), execute(registry), registry.ready(), execute(registry)];
    await settle();
    gate.resolve();
    const [, first, , second] = await Promise.all(waiting);
    expect([first, second]).toMatchObject([{ results: [{ ok: true }] }, { results: [{ ok: true }] }]);
    expect(init).toHaveBeenCalledTimes(1);
  });

  test('sends an event when it is registered and when it is ready', async () => {
    const events: RegistryEvent[] = [];
    const lists: string[][] = [];
    const registry = new ToolRegistry();
    registry.subscribe((event) => {
      events.push(event);
      lists.push(names(registry));
    });
    registry.register(Tool.define('Later', () => made));
    await registry.ready();
    expect(events).toEqual([
      { type: 'tool-register', name: 'Later' },
      { type: 'tool-register', name: 'Later' },
    ]);
    expect(lists).toEqual([[], ['Later']]);
  });

  test('may be built in', async () => {
    const registry = new ToolRegistry({ builtin: [Tool.define('Later', async () => made)] });
    expect([registry.hasPending, names(registry)]).toEqual([true, []]);
    const without = registry.clone();
    without.unregister('Later');
    expect(without.clone().hasPending).toBe(false);
    expect(await registry.ready()).toEqual([]);
    expect(names(registry)).toEqual(['Later']);
    expect((await execute(registry)).results).toMatchObject([{ ok: true, output: 'later a' }]);
  });

  test('may be registered again, before and after it is ready, and keeps its mark', async () => {
    const init = vi.fn(async () => made);
    const later = Tool.define('Later', init);
    const registry = new ToolRegistry().register(later).allow('Later').register(later);
    expect(registry.isAllowed('Later')).toBe(true);
    await registry.ready();
    for (const any of [registry, registry.clone()]) {
      any.register(later);
      expect([any.isAllowed('Later'), any.hasPending]).toEqual([true, false]);
      expect(() => any.register(Tool.define('Later', init))).toThrow('registered already');
    }
    expect(init).toHaveBeenCalledTimes(1);
    const other = tool('Later', () => '', { replace: true });
    expect(registry.register(other).isAllowed('Later')).toBe(false);
  });

  test('costs a turn nothing once it is ready', async () => {
    const registry = new ToolRegistry().register(Tool.define('Later', () => made));
    expect(registry.hasPending).toBe(true);
    await registry.ready();
    const ready = vi.spyOn(registry, 'ready');
    await execute(registry);
    expect(registry.hasPending).toBe(false);
    expect(ready).not.toHaveBeenCalled();
  });

  test('says what to do when it is called directly before it is created', async () => {
    const context = {
      callId: 'c',
      caller: { sessionId: 's' },
      signal: new AbortController().signal,
      metadata: () => {},
    };
    const later = Tool.define('Later', async () => ({ ...definition, execute: ({ text }) => text }));
    await expect(later.execute({ text: 'a' }, context)).rejects.toThrow('await registry.ready()');
    expect(await (await later.init?.({ cwd: '/', workingDir: '/' }))?.execute({ text: 'a' }, context)).toEqual({
      output: 'a',
    });
  });

  test('cannot have a name that no provider accepts', () =>
    eachRow(['', 'a b'], (name) => expect(() => Tool.define(name, () => made)).toThrow('1 to 64')));
});

const nonsense: readonly (readonly [string, () => unknown, string])[] = [
  [
    'throws',
    () => {
      throw new Error('no server');
    },
    'no server',
  ],
  ['rejects', () => Promise.reject(new Error('no server')), 'no server'],
  ['rejects with text', () => Promise.reject('no server'), 'no server'],
  ['answers nothing', () => undefined, 'pass execute'],
  ['gives no schema', () => ({ ...made, input: 7 }), 'pass input'],
  ['gives no side effect', () => ({ ...made, sideEffect: 'evil' }), 'sideEffect must be'],
];

describe('an init', () => {
  test('that fails affects only its tool, which gives the reason', () =>
    eachRow(nonsense, async ([, init, reason]) => {
      const registry = new ToolRegistry().register(
        Tool.define('Bad', init as never),
        Tool.define('Later', () => made),
      );
      const { results } = await execute(registry, [...call('Bad'), ...call()], { permissions: 'default' });
      expect(results[0]).toMatchObject({
        ok: false,
        error: { code: 'execution_failed', message: expect.stringContaining(reason) },
      });
      expect(results[0]?.output).toMatch(/^Error: Bad is not ready: .*Use another tool/s);
      expect(names(registry)).toEqual(['Later']);
      expect(await registry.ready()).toMatchObject([{ name: 'Bad', reason: expect.stringContaining(reason) }]);
    }));

  test('that failed is repeated once by the next turn that calls the tool, and the model is told', async () => {
    const init = vi.fn(async () => {
      if (init.mock.calls.length < 3) throw new Error('not yet');
      return made;
    });
    const registry = new ToolRegistry().register(Tool.define('Later', init as () => Promise<typeof made>));
    const [first] = (await execute(registry, [...call(), ...call()])).results;
    expect(first).toMatchObject({ error: { code: 'execution_failed' } });
    expect(first?.output).toBe(
      'Error: Later is not ready: not yet. Use another tool, or call it again in your next turn, which tries to make it.',
    );
    expect(init).toHaveBeenCalledTimes(1);
    expect((await execute(registry)).results).toMatchObject([{ error: { code: 'execution_failed' } }]);
    expect(init).toHaveBeenCalledTimes(2);
    expect((await execute(registry)).results).toMatchObject([{ ok: true }]);
    await execute(registry);
    expect(init).toHaveBeenCalledTimes(3);
  });

  test('that failed is not repeated by turns that do not call the tool', async () => {
    const init = vi.fn(() => Promise.reject(new Error('no server')));
    const registry = new ToolRegistry().register(
      tool('Now', () => 'now'),
      Tool.define('Later', init),
    );
    for (let turn = 0; turn < 3; turn++) await execute(registry, calls('Now'));
    expect(init).toHaveBeenCalledTimes(1);
  });

  test('that failed leaves nothing pending', async () => {
    const registry = new ToolRegistry().register(Tool.define('Later', () => Promise.reject(new Error('no server'))));
    let rounds = 0;
    for (; registry.hasPending && rounds < 5; rounds++) await registry.ready();
    expect(rounds).toBe(1);
  });

  test('that failed is repeated for a call by an alias, for the called tool only', async () => {
    const gate = deferred();
    const other = vi.fn(() => Promise.reject(new Error('no server')));
    const init = vi.fn(async () => {
      if (init.mock.calls.length < 2) throw new Error('not yet');
      await gate.promise;
      return made;
    });
    const registry = new ToolRegistry()
      .register(Tool.define('Later', init as () => Promise<typeof made>), Tool.define('Other', other))
      .alias('Afterwards', 'Later');
    await registry.ready();
    const turn = execute(registry, [...call('Afterwards'), ...call('Afterwards'), ...call('Later')]);
    await settle();
    expect(registry.hasPending).toBe(false);
    gate.resolve();
    expect((await turn).results).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    expect([init.mock.calls.length, other.mock.calls.length]).toEqual([2, 1]);
  });

  test('that is repeated is awaited by all turns that call the tool, each once', async () => {
    const gate = deferred();
    const init = vi.fn(async () => {
      if (init.mock.calls.length > 1) await gate.promise;
      throw new Error('no server');
    });
    const registry = new ToolRegistry().register(Tool.define('Bad', init as () => Promise<never>));
    await registry.ready();
    const turns = [
      execute(registry, [...call('Bad'), ...call('Bad')]),
      execute(registry, [...call('Bad'), ...call('Bad')]),
    ];
    await settle();
    gate.resolve();
    expect(await Promise.all(turns)).toMatchObject([
      { results: [{ ok: false }, { ok: false }] },
      { results: [{ ok: false }, { ok: false }] },
    ]);
    expect(init).toHaveBeenCalledTimes(2);
  });

  test('that hangs beside one that fails delays no second turn, for a call of either', async () => {
    const stopped = deferred();
    const begun: string[] = [];
    const hang = async () => {
      begun.push('Hang');
      await stopped.promise;
      return made;
    };
    const registry = new ToolRegistry().register(
      tool('Now', () => 'now'),
      Tool.define('Hang', hang),
      Tool.define('Bad', () => Promise.reject(new Error('no server'))),
    );
    await execute(registry, calls('Now'), { limits: { resolver: { timeoutMs: 20 } } });
    // Without a limit, a turn that waited for it would never end.
    const limits = { resolver: { timeoutMs: 0 } };
    for (const name of ['Now', 'Bad', 'Hang']) await execute(registry, call(name), { limits });
    expect(begun).toEqual(['Hang']);
    stopped.resolve();
  });

  test('that failed is repeated by the next ready(), unless retries are off', async () => {
    const init = vi.fn(async () => {
      if (init.mock.calls.length < 2) throw new Error('not yet');
      return made;
    });
    const registry = new ToolRegistry().register(Tool.define('Later', init as () => Promise<typeof made>));
    expect(await registry.ready()).toEqual([{ name: 'Later', reason: 'not yet' }]);
    expect(await registry.ready({ retry: [] })).toEqual([{ name: 'Later', reason: 'not yet' }]);
    expect(init).toHaveBeenCalledTimes(1);
    expect(await registry.ready()).toEqual([]);
  });

  test('that failed is not repeated by the same turn for a tool of the resolver', async () => {
    const init = vi.fn(() => Promise.reject(new Error('no server')));
    const registry = new ToolRegistry().register(Tool.define('Bad', init));
    const toolResolver = (name: string) => Tool.define(name, async () => made);
    const { results } = await execute(registry, [...call('New'), ...call('Newer'), ...call('Bad')], { toolResolver });
    expect(results).toMatchObject([{ ok: true }, { ok: true }, { ok: false }]);
    expect(init).toHaveBeenCalledTimes(1);
  });

  test('that has not started is reported when the tool is used', () => {
    const registry = new ToolRegistry().register(Tool.define('Later', () => made));
    expect(() => registry.get('Later')?.input.parse({})).toThrow(
      'Later is not ready: it was not made yet. Use another tool, or call it again in your next turn',
    );
  });

  test('that hangs delays one turn for its limit, and the tool is listed when it is ready', async () => {
    const gate = deferred();
    const init = vi.fn(async () => {
      await gate.promise;
      return made;
    });
    const registry = new ToolRegistry().register(Tool.define('Later', init));
    const limits = { resolver: { timeoutMs: 20 } };
    expect((await execute(registry, call(), { limits })).results).toMatchObject([
      {
        error: {
          code: 'execution_failed',
          message: expect.stringMatching(/longer than 20 ms\. .* call it again in a later turn\.$/),
        },
      },
    ]);
    expect(registry.hasPending).toBe(false);
    expect(await registry.ready({ timeoutMs: 1 })).toHaveLength(1);
    gate.resolve();
    await settle();
    expect((await execute(registry)).results).toMatchObject([{ ok: true }]);
    expect(init).toHaveBeenCalledTimes(1);
  });

  test('does not delay an aborted turn', async () => {
    const gate = deferred();
    const registry = new ToolRegistry().register(
      Tool.define('Later', async () => {
        await gate.promise;
        return made;
      }),
    );
    const stop = new AbortController();
    const turn = execute(registry, call(), { signal: stop.signal });
    await settle();
    stop.abort();
    expect((await turn).results).toMatchObject([{ error: { code: 'cancelled' } }]);
    gate.resolve();
    expect(await registry.ready()).toEqual([]);
  });

  test('is not started by an aborted turn', async () => {
    const init = vi.fn(() => made);
    const registry = new ToolRegistry().register(Tool.define('Later', init));
    await execute(registry, call(), { signal: AbortSignal.abort() });
    expect(init).not.toHaveBeenCalled();
  });

  test('has no effect if its tool was removed or replaced meanwhile', async () => {
    const gate = deferred();
    const slow = (name: string) =>
      Tool.define(name, async () => {
        await gate.promise;
        return made;
      });
    const registry = new ToolRegistry().register(slow('Gone'), slow('Replaced'));
    const ready = registry.ready();
    const other = tool('Replaced', () => 'other', { replace: true });
    registry.unregister('Gone');
    registry.register(other);
    gate.resolve();
    await ready;
    expect(registry.names()).toEqual(['Replaced']);
    expect(registry.get('Replaced')).toBe(other);
  });

  test('of a manually assembled tool is validated too', async () => {
    const by = (name: string, init: () => unknown) => ({ ...tool(name, () => ''), init }) as Tool;
    const wrong = [
      by('Other', async () => tool('Another', () => '')),
      by('None', async () => ({ name: 'None' })),
      by('Sudden', () => {
        throw new Error('at once');
      }),
    ];
    const unready = await new ToolRegistry().register(...wrong).ready();
    expect(unready.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('another name'),
      expect.stringContaining('Tool.define'),
      'at once',
    ]);
  });
});

describe('a clone', () => {
  test('has the ready tools without creating them again', async () => {
    const init = vi.fn(() => made);
    const registry = new ToolRegistry().register(Tool.define('Later', init));
    await registry.ready();
    const clone = registry.clone();
    expect(clone.get('Later')).toBe(registry.get('Later'));
    expect(clone.hasPending).toBe(false);
    expect((await execute(clone)).results).toMatchObject([{ ok: true }]);
    expect(init).toHaveBeenCalledTimes(1);
  });

  test('shares pending tools, whichever is used first', () =>
    eachRow(['the clone', 'the original'], async (first) => {
      const init = vi.fn(async () => made);
      const registry = new ToolRegistry().register(Tool.define('Later', init));
      const clone = registry.clone();
      const both = first === 'the clone' ? [clone, registry] : [registry, clone];
      for (const one of both) expect((await execute(one)).results).toMatchObject([{ ok: true }]);
      expect(clone.get('Later')).toBe(registry.get('Later'));
      expect(init).toHaveBeenCalledTimes(1);
    }));
});

test('a tool of the resolver may still have to be created', async () => {
  const toolResolver = (name: string) => Tool.define(name, async () => made);
  const registry = new ToolRegistry();
  const { results } = await execute(registry, [...call(), ...call()], { toolResolver });
  expect(results).toMatchObject([{ output: 'later a' }, { output: 'later a' }]);
  expect(names(registry)).toEqual(['Later']);
});

test('a policy is not asked about a pending tool', async () => {
  const offers = vi.fn(() => true);
  const registry = new ToolRegistry().register(Tool.define('Later', () => Promise.reject(new Error('no'))));
  const { results } = await run([], call(), { registry, policy: { offers, explain: () => '' } });
  expect(results).toMatchObject([{ error: { code: 'execution_failed' } }]);
  expect(offers).not.toHaveBeenCalled();
});
