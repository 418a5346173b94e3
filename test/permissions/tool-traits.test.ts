import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import type { Target, ToolTraits } from '../../src/core.js';
import { createFileClaims, createLoopGuard } from '../../src/guards.js';
import { createPermissions, Tool, type ToolkitOptions } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** A toolkit with a custom tool with `traits`, and the outcome of its call for a file. */
function withOwn(
  traits: ToolTraits | undefined,
  options: Partial<ToolkitOptions> = {},
  advice: () => string | undefined = () => undefined,
) {
  const root = temporaryFolder();
  const toolkit = testToolkit({ root, ...options });
  const own = Tool.define('Publish', {
    description: 'Publish a page.',
    input: z.object({ page: z.string() }),
    sideEffect: 'mutating',
    ...{ traits, advice },
    targets: ({ page }): Target[] => [{ kind: 'edit', path: page }],
    footprint: ({ page }) => ({ reads: 'nothing', writes: [page] }),
    execute: ({ page }) => {
      writeFileSync(page, 'x');
      return { output: 'published', metadata: { state: 'running' } };
    },
  });
  toolkit.registry.register(own);
  const page = join(root, 'page');
  const publish = async (agentId?: string) => {
    const caller = { sessionId: 's', ...(agentId === undefined ? {} : { agentId }) };
    const { results } = await toolkit.execute([{ id: 'c', name: 'Publish', input: { page } }], { caller });
    return results[0]?.ok === false ? results[0].error.code : (results[0]?.additionalContext ?? 'ok');
  };
  return { toolkit, publish };
}

test('traits of a custom tool have the effect of those of a built-in one', () => {
  const rows: readonly (readonly [ToolTraits | undefined, ToolkitOptions['permissions'], string])[] = [
    [undefined, 'acceptEdits', 'permission_denied'],
    [{ edits: true }, 'acceptEdits', 'ok'],
    [{ edits: true }, 'default', 'permission_denied'],
    [{ endsPlan: true }, createPermissions({ mode: 'bypassPermissions' }), 'ok'],
    [{ inPlaceOf: ['Write'] }, createPermissions({ mode: 'bypassPermissions', deny: ['Write'] }), 'permission_denied'],
    [undefined, createPermissions({ mode: 'bypassPermissions', deny: ['Write'] }), 'ok'],
  ];
  return eachRow(rows, async ([traits, permissions, outcome]) => {
    expect(await withOwn(traits, { permissions }).publish()).toBe(outcome);
  });
});

test('file claims apply to a custom tool with the trait edits', async () => {
  const outcomes = async (traits: ToolTraits | undefined) => {
    const { publish } = withOwn(traits, { permissions: 'bypassPermissions', hooks: createFileClaims().hooks });
    return [await publish('ann'), await publish('bob')];
  };
  expect(await outcomes({ edits: true })).toEqual(['ok', 'denied_by_hook']);
  expect(await outcomes(undefined)).toEqual(['ok', 'ok']);
});

test('repeated calls of a tool with the trait awaits are not a loop', async () => {
  const last = async (traits: ToolTraits | undefined) => {
    const { publish } = withOwn(traits, { permissions: 'bypassPermissions', hooks: createLoopGuard() });
    for (let times = 1; times < 5; times += 1) await publish();
    return await publish();
  };
  expect(await last({ awaits: true })).toBe('ok');
  expect(await last(undefined)).not.toBe('ok');
});

test('a call that ends a plan asks in every mode, by its trait or its name', () => {
  const permissions = createPermissions({ mode: 'plan' });
  const request = { callId: 'c', input: {}, sideEffect: 'readonly', risk: 'low', title: 'x' } as const;
  const explain = (tool: string, traits?: ToolTraits) =>
    permissions.explain({ ...request, tool, traits, warnings: [], suggestions: [] }).source;
  expect(explain('ExitPlanMode')).toBe('safety');
  expect(explain('Present', { endsPlan: true })).toBe('safety');
  expect(explain('Present')).toBe('mode');
});

test('the instructions of a tool are in the system prompt while it is offered', () => {
  const advise = (options?: Partial<ToolkitOptions>) =>
    withOwn(undefined, options, () => 'Publish pages one by one.').toolkit.instructions();
  expect(advise()).toContain('Publish pages one by one.');
  expect(advise({ policy: { deny: ['Publish'] } })).not.toContain('one by one');
});
