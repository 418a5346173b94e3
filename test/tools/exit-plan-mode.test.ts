import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type AskAnswer,
  createPermissions,
  createPlanMode,
  createToolkit,
  exitPlanModeTool,
  type PermissionRequest,
  type ToolkitOptions,
} from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { allowAll, run } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A toolkit in plan mode with given answers of the host and one queued change. */
async function planning(
  answer: AskAnswer | ((request: PermissionRequest) => AskAnswer),
  options: Partial<ToolkitOptions> = {},
) {
  const root = temporaryFolder();
  const asked: PermissionRequest[] = [];
  const onAsk = (request: PermissionRequest) => {
    asked.push(request);
    return typeof answer === 'function' ? answer(request) : answer;
  };
  const permissions = createPermissions({ mode: 'plan', allow: ['*'], autoAllow: 'low-risk', onAsk });
  const toolkit = createToolkit({ root, permissions, ...options });
  const path = join(root, 'planned.txt');
  const write = { id: 'write', name: 'Write', input: { file_path: path, content: 'x' } };
  await toolkit.execute([write]);
  const exit = {
    id: 'exit',
    name: 'ExitPlanMode',
    input: { plan: '1. Write planned.txt', allowedPrompts: [{ tool: 'Bash', prompt: 'run the tests' }] },
  };
  return { toolkit, permissions, asked, path, write, exit };
}

describe('a plan', () => {
  test('is shown with its queue, in spite of an allow rule', async () => {
    const { toolkit, asked, exit } = await planning('deny');
    await toolkit.execute([exit]);
    expect(asked).toMatchObject([
      { tool: 'ExitPlanMode', reason: 'A person has to approve a plan before it is carried out.', suggestions: [] },
    ]);
    expect(asked[0]?.preview).toBe(
      '1. Write planned.txt\n\nQueued calls:\n1. Write planned.txt\n\nCommands that the plan needs:\n1. run the tests',
    );
  });

  test('that is approved ends plan mode, and runPlan runs its queue', async () => {
    const { toolkit, permissions, path, exit } = await planning('allow-once');
    const { results } = await toolkit.execute([exit]);
    expect(results).toMatchObject([
      {
        ok: true,
        metadata: {
          planExit: true,
          wasActive: true,
          plan: '1. Write planned.txt',
          queued: [{ callId: 'write', tool: 'Write' }],
        },
      },
    ]);
    expect(results[0]?.output).toMatch(
      /^The plan is approved and plan mode is over.*\n1 call is still queued and did not run\..*\n\nThe approved plan:\n1\. Write/,
    );
    expect(permissions.mode).toBe('default');
    expect(existsSync(path)).toBe(false);
    expect((await toolkit.runPlan()).results).toMatchObject([{ ok: true, callId: 'write' }]);
    expect(readFileSync(path, 'utf8')).toBe('x');
    expect(toolkit.planQueue).toEqual([]);
  });

  test('that is edited is returned as approved, without another question', async () => {
    const { toolkit, asked, exit } = await planning({ behavior: 'allow', updatedInput: { plan: '1. Write nothing' } });
    const { results } = await toolkit.execute([exit]);
    expect(results).toMatchObject([{ ok: true, metadata: { plan: '1. Write nothing' } }]);
    expect(results[0]?.output).toContain('The approved plan:\n1. Write nothing');
    expect(asked).toHaveLength(1);
  });

  const rows: readonly [AskAnswer, RegExp][] = [
    ['deny', /^Error: The user refused ExitPlanMode/],
    [{ behavior: 'deny', message: 'Use a migration.' }, /^Error: Use a migration\.$/],
  ];
  test('that is rejected keeps plan mode and the queue', () =>
    eachRow(rows, async ([answer, message]) => {
      const { toolkit, permissions, write, exit } = await planning(answer);
      const { results } = await toolkit.execute([exit, write]);
      expect(results).toMatchObject([{ error: { code: 'permission_denied' } }, { error: { code: 'queued_for_plan' } }]);
      expect(results[0]?.output).toMatch(message);
      expect(permissions.mode).toBe('plan');
      expect(toolkit.planQueue).toHaveLength(2);
    }));

  test('that is approved lets later calls of the same turn run', async () => {
    const { toolkit, path, exit, write } = await planning('allow-once');
    const { results } = await toolkit.execute([exit, { ...write, id: 'again' }]);
    expect(results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  test('needs onAsk', async () => {
    const toolkit = createToolkit({ root: temporaryFolder(), permissions: 'plan' });
    const { results } = await toolkit.execute([{ id: 'exit', name: 'ExitPlanMode', input: { plan: 'p' } }]);
    expect(results).toMatchObject([{ error: { code: 'permission_denied' } }]);
    expect(results[0]?.output).toMatch(/can ask a person with permissions: createPermissions\(\{ onAsk \}\)\.$/);
  });

  test('works in plan mode set by the program', async () => {
    const planMode = createPlanMode();
    planMode.enter();
    const { toolkit, asked, exit } = await planning('allow-once', { planMode });
    await toolkit.execute([exit]);
    expect(asked).toHaveLength(1);
    expect(planMode.isActive).toBe(false);
  });
});

test('without plan mode the tool returns a plain answer', async () => {
  const planMode = createPlanMode();
  const { results } = await run([exitPlanModeTool({ planMode })], [{ id: 'exit', name: 'ExitPlanMode', input: {} }], {
    permissions: createPermissions({ allow: ['ExitPlanMode'] }),
  });
  expect(results).toMatchObject([
    { ok: true, output: 'Plan mode was not on. Go on.', metadata: { planExit: true, wasActive: false, queued: [] } },
  ]);
});

test('without a toolkit it uses a plan mode of the host', async () => {
  const planMode = createPlanMode();
  planMode.enter();
  const { results } = await run(
    [exitPlanModeTool({ planMode })],
    [{ id: 'exit', name: 'ExitPlanMode', input: { plan: 'p' } }],
    { planMode, permissions: allowAll },
  );
  expect(results).toMatchObject([{ ok: true }]);
  expect(planMode.isActive).toBe(false);
});
