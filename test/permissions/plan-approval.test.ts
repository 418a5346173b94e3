import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import {
  type AskAnswer,
  createPermissions,
  createPlanMode,
  executeTools,
  type PermissionMode,
  type PermissionRequest,
  type Permissions,
  Tool,
  ToolRegistry,
} from '../../src/index.js';
import { table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';
import { calls } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

/** ExitPlanMode and a change in one turn, with plan mode set by the host. */
async function leave(permissions: PermissionMode | Permissions) {
  const planMode = createPlanMode();
  planMode.enter();
  const root = temporaryFolder();
  const toolkit = testToolkit({ root, planMode, permissions });
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

describe('in every mode, leaving plan mode needs an approval', () => {
  table(modes)('it stays on without onAsk', async (mode) => {
    for (const permissions of [mode, createPermissions({ mode, allow: ['*', 'ExitPlanMode'] })]) {
      const { codes, planMode, isWritten } = await leave(permissions);
      expect([codes, planMode.isActive, isWritten]).toEqual([['permission_denied', 'queued_for_plan'], true, false]);
    }
  });

  table(
    modes
      .filter((mode) => mode !== 'dontAsk')
      .flatMap((mode) => [[mode, 'allow-once'] as const, [mode, 'deny'] as const]),
  )('it ends with the approval of a person, and stays on after a denial', async (mode, answer: AskAnswer) => {
    const asked: string[] = [];
    const onAsk = ({ tool }: PermissionRequest) => {
      asked.push(tool);
      return answer;
    };
    const { planMode } = await leave(createPermissions({ mode, onAsk }));
    expect([asked[0], planMode.isActive]).toEqual(['ExitPlanMode', answer === 'deny']);
  });

  test('without plan mode there is no question', async () => {
    const toolkit = testToolkit({ permissions: 'bypassPermissions' });
    expect((await toolkit.execute(calls(['ExitPlanMode', { plan: 'p' }]))).results).toMatchObject([{ ok: true }]);
  });

  test('a denied call is refused and is not part of the plan', async () => {
    const root = temporaryFolder();
    const planMode = createPlanMode();
    planMode.enter();
    const toolkit = testToolkit({ root, planMode, permissions: createPermissions({ deny: ['Edit(closed)'] }) });
    const write = (name: string) => ['Write', { file_path: join(root, name), content: 'x' }] as const;
    const { results } = await toolkit.execute(calls(write('closed'), write('open')));
    expect(results.map((result) => !result.ok && result.error.code)).toEqual(['permission_denied', 'queued_for_plan']);
    expect(planMode.queue.map(({ callId }) => callId)).toEqual(['call_1']);
  });

  test('explain says that it asks', () => {
    const exit = permissionRequest('ExitPlanMode', { input: { plan: 'p' }, sideEffect: 'readonly', risk: 'low' });
    const mustAsk = 'A person has to approve a plan before it is carried out.';
    const asks = { behavior: 'ask', source: 'safety' };
    for (const mode of modes.filter((one) => one !== 'dontAsk'))
      expect(createPermissions({ mode, allow: ['*'] }).explain({ ...exit, mustAsk })).toMatchObject(asks);
    expect(createPermissions({ mode: 'plan', allow: ['*'] }).explain(exit)).toMatchObject(asks);
    expect(createPermissions({ mode: 'bypassPermissions' }).explain(exit)).toMatchObject({ behavior: 'allow' });
  });

  test('verdicts of other tools do not ask in bypassPermissions', () => {
    const write = permissionRequest('Write', { mustAsk: 'a git hook' });
    expect(createPermissions({ mode: 'bypassPermissions' }).explain(write).behavior).toBe('allow');
  });
});

test('without a host of plan mode a call is denied, since no plan could run it later', async () => {
  const act = { description: 'Acts.', input: z.object({}), sideEffect: 'mutating', execute: () => 'done' } as const;
  const registry = new ToolRegistry().register(Tool.define('Act', act));
  const permissions = createPermissions({ mode: 'plan' });
  const { results } = await executeTools([{ id: 'c', name: 'Act', input: {} }], { registry, permissions });
  expect(results).toMatchObject([{ ok: false, error: { code: 'permission_denied' } }]);
  expect(results[0]?.output).toContain('plan mode is on');
});
