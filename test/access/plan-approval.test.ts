import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type AskAnswer,
  createPermissions,
  createPlanMode,
  createToolkit,
  type PermissionMode,
  type PermissionRequest,
  type Permissions,
} from '../../src/index.js';
import { calls } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

/** The end of a plan and a change in one turn, while a switch of the host has plan mode on. */
async function leave(permissions: PermissionMode | Permissions) {
  const planMode = createPlanMode();
  planMode.enter();
  const root = temporaryFolder();
  const toolkit = createToolkit({ root, planMode, permissions });
  onTestFinished(() => toolkit.dispose());
  const path = join(root, 'a');
  const { results } = await toolkit.execute(
    calls(['ExitPlanMode', { plan: 'p' }], ['Write', { file_path: path, content: 'x' }]),
  );
  return {
    codes: results.map((result) => (result.ok ? 'ok' : result.error.code)),
    planMode,
    isWritten: existsSync(path),
  };
}

describe('plan mode is left when somebody has said so, in every mode', () => {
  test.each(modes)('%s with nobody to ask', async (mode) => {
    for (const permissions of [mode, createPermissions({ mode, allow: ['*', 'ExitPlanMode'] })]) {
      const { codes, planMode, isWritten } = await leave(permissions);
      expect([codes, planMode.isActive, isWritten]).toEqual([['permission_denied', 'queued_for_plan'], true, false]);
    }
  });

  test.each(
    modes
      .filter((mode) => mode !== 'dontAsk')
      .flatMap((mode) => [[mode, 'allow-once'] as const, [mode, 'deny'] as const]),
  )('%s with somebody who says %s', async (mode, answer: AskAnswer) => {
    const asked: string[] = [];
    const onAsk = ({ tool }: PermissionRequest) => {
      asked.push(tool);
      return answer;
    };
    const { planMode } = await leave(createPermissions({ mode, onAsk }));
    expect([asked[0], planMode.isActive]).toEqual(['ExitPlanMode', answer === 'deny']);
  });

  test('where plan mode is off there is nothing to ask about', async () => {
    const toolkit = createToolkit({ root: temporaryFolder(), permissions: 'bypassPermissions' });
    onTestFinished(() => toolkit.dispose());
    expect((await toolkit.execute(calls(['ExitPlanMode', { plan: 'p' }]))).results).toMatchObject([{ ok: true }]);
  });

  test('what a rule denies is refused, and is no part of the plan', async () => {
    const root = temporaryFolder();
    const planMode = createPlanMode();
    planMode.enter();
    const toolkit = createToolkit({ root, planMode, permissions: createPermissions({ deny: ['Edit(closed)'] }) });
    onTestFinished(() => toolkit.dispose());
    const write = (name: string) => ['Write', { file_path: join(root, name), content: 'x' }] as const;
    const { results } = await toolkit.execute(calls(write('closed'), write('open')));
    expect(results.map((result) => !result.ok && result.error.code)).toEqual(['permission_denied', 'queued_for_plan']);
    expect(planMode.queue.map(({ callId }) => callId)).toEqual(['call_1']);
  });

  test('explain says that it is asked', () => {
    const exit: PermissionRequest = {
      ...{
        callId: 'c',
        tool: 'ExitPlanMode',
        input: { plan: 'p' },
        sideEffect: 'readonly',
        risk: 'low',
        title: 'ExitPlanMode',
      },
      ...{ warnings: [], suggestions: [] },
    };
    const mustAsk = 'A plan is carried out when somebody has approved it.';
    for (const mode of ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const)
      expect(createPermissions({ mode, allow: ['*'] }).explain({ ...exit, mustAsk })).toMatchObject({
        behavior: 'ask',
        source: 'safety',
      });
    expect(createPermissions({ mode: 'plan', allow: ['*'] }).explain(exit)).toMatchObject({
      behavior: 'ask',
      source: 'safety',
    });
    expect(createPermissions({ mode: 'bypassPermissions' }).explain(exit)).toMatchObject({ behavior: 'allow' });
  });

  test('what other tools demand is not asked about in bypassPermissions', () => {
    const write: PermissionRequest = {
      ...{
        callId: 'c',
        tool: 'Write',
        input: { file_path: '/ws/.git/hooks/a' },
        sideEffect: 'mutating',
        risk: 'medium',
        title: 'Write',
      },
      ...{ warnings: [], suggestions: [], mustAsk: 'a git hook' },
    };
    expect(createPermissions({ mode: 'bypassPermissions' }).explain(write).behavior).toBe('allow');
  });
});
