import { createPermissions, createToolkit, Tool } from 'toolwright';
import { memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { z } from 'zod/v4';
import type { Assessment } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';

const input = z.object({ path: z.string() });

function judged(assess: (input: { path: string }) => Assessment | Promise<Assessment>) {
  const asked: unknown[] = [];
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles({}) },
    permissions: createPermissions({
      root: '/workspace',
      allow: ['Publish', 'Edit(/workspace/open/**)'],
      deny: ['Edit(/workspace/closed/**)'],
      onAsk: ({ title, preview, risk, warnings, reason }) => {
        asked.push({ title, preview, risk, warnings, reason });
        return 'allow-once';
      },
    }),
  });
  toolkit.registry.register(
    Tool.define('Publish', {
      description: 'Publish a page.',
      input,
      sideEffect: 'mutating',
      assess,
      execute: async () => 'done',
    }),
  );
  const call = (path: string) => toolkit.call('Publish', { path });
  return { asked, call, toolkit };
}

test('one assessment contains everything that rules, people and guards use', async () => {
  let previews = 0;
  const { asked, call } = judged(({ path }) => ({
    title: `Publish ${path}`,
    preview: async () => {
      previews += 1;
      return `all of ${path}`;
    },
    targets: [{ kind: 'edit', path: `/workspace/${path}` }],
    footprint: { reads: 'nothing', writes: [`/workspace/${path}`] },
    risk: 'high',
    notes: ['Everybody can read it then.'],
    ...(path.includes('front') && { verdict: { behavior: 'ask' as const, reason: 'it is the front page' } }),
  }));
  expect(await call('open/a.html')).toMatchObject({ ok: true, output: 'done' });
  expect([asked, previews]).toEqual([[], 0]);
  expect(await call('closed/a.html')).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
  expect(await call('open/front.html')).toMatchObject({ ok: true });
  const title = 'Publish open/front.html';
  const warnings = ['Everybody can read it then.'];
  expect(asked).toEqual([
    { title, preview: 'all of open/front.html', risk: 'high', warnings, reason: 'it is the front page' },
  ]);
});

test('omitted parts have defaults by side effect and name, also in an asynchronous assessment', async () => {
  const { toolkit } = judged(async () => ({}));
  const scope = { caller: { sessionId: 's' }, signal: AbortSignal.any([]) };
  expect(await toolkit.registry.get('Publish')?.assess({ path: 'a' }, scope)).toEqual({
    title: 'Publish',
    footprint: { reads: 'everything', writes: 'everything' },
    risk: 'medium',
  });
});

test('riskOf gives the risk of an input without a call, and the risk of the side effect if the assessment is asynchronous', () => {
  const definition = { description: '', input, sideEffect: 'mutating', execute: async () => '' } as const;
  const risky = ({ path }: { path: string }) => (path === 'all' ? 'critical' : 'low');
  const tools = [
    Tool.define('A', { ...definition, risk: risky, targets: async () => [] }),
    Tool.define('B', { ...definition, assess: (given) => ({ risk: risky(given) }) }),
    Tool.define('C', { ...definition, assess: async (given) => ({ risk: risky(given) }) }),
  ];
  expect(tools.map((tool) => tool.riskOf({ path: 'all' }))).toEqual(['critical', 'critical', 'medium']);
});

test('a verdict of the tool denies before a question, and an invalid verdict prevents the call', async () => {
  const wrong: readonly (readonly [said: unknown, code: string, message: string])[] = [
    [{ verdict: { behavior: 'deny', reason: 'it is closed' } }, 'command_denied', 'it is closed'],
    [{ verdict: { behaviour: 'deny', reason: 'it is closed' } }, 'command_denied', 'no usable verdict'],
    [{ verdict: 'deny' }, 'command_denied', 'no usable verdict'],
    [{ verdcit: { behavior: 'deny', reason: 'x' } }, 'execution_failed', 'verdict'],
    [{ footprint: { reads: [] } }, 'execution_failed', 'footprint takes { reads, writes }'],
    [{ risk: 'hihg' }, 'execution_failed', 'risk takes "none"'],
    [{ targets: 'all' }, 'execution_failed', 'targets takes a list'],
    [undefined, 'execution_failed', 'takes an object'],
    ['deny', 'execution_failed', 'takes an object'],
  ];
  await eachRow(wrong, async ([said, code, message]) => {
    for (const answer of [() => said, async () => said]) {
      const { asked, call } = judged(answer as never);
      expect(await call('open/a.html')).toMatchObject({
        ok: false,
        error: { code },
        output: expect.stringContaining(message),
      });
      expect(asked).toEqual([]);
    }
  });
});

test('a call that waited for a conflicting call is assessed again', async () => {
  const seen: string[] = [];
  let isClosed = false;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { toolkit } = judged(() => {
    seen.push(isClosed ? 'closed' : 'open');
    begin();
    return {
      footprint: { reads: 'nothing', writes: ['site'] },
      ...(isClosed && { verdict: { behavior: 'deny' as const, reason: 'the site is closed' } }),
    };
  });
  toolkit.registry
    .register(
      Tool.define('Close', {
        description: 'Close the site.',
        input: z.object({}),
        sideEffect: 'mutating',
        footprint: () => ({ reads: 'nothing', writes: ['site'] }),
        execute: async () => {
          await begun;
          isClosed = true;
          return 'closed';
        },
      }),
    )
    .allow('Close');
  const { results } = await toolkit.execute([
    { id: '1', name: 'Close', input: {} },
    { id: '2', name: 'Publish', input: { path: 'a' } },
  ]);
  expect(results.map(({ output }) => output)).toEqual(['closed', expect.stringContaining('the site is closed')]);
  expect(seen).toEqual(['open', 'closed']);
});

test('a definition with both assess and a separate part is rejected', () => {
  const definition = {
    description: '',
    input,
    sideEffect: 'none',
    assess: () => ({}),
    execute: async () => '',
  } as const;
  expect(() => Tool.define('Publish', { ...definition, verdict: () => undefined })).toThrow(
    'Tool Publish: pass assess or verdict, not both, because assess also returns the verdict',
  );
});
