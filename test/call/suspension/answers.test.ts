import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import type { SuspensionStore } from '../../../src/core.js';
import { fileSuspensions, memorySuspensions } from '../../../src/guards.js';
import {
  type AskAnswer,
  createPermissions,
  createToolkit,
  type PermissionQuestion,
  type SuspendedRun,
  Tool,
  type ToolCall,
  ToolError,
  type ToolEvent,
  type ToolHooks,
  type ToolkitOptions,
  type ToolRun,
  wrapPermissions,
} from '../../../src/index.js';
import { memoryFiles } from '../../../src/testing/index.js';
import { table } from '../../support/each-row.js';
import { suspensionSecret } from '../../support/suspension-world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testToolkit } from '../../support/test-toolkit.js';

// The scope of an answer, and the results of later resumes: one test for each way in which an approval could cover too
// much.

const act = (id: string, what = id): ToolCall => ({ id, name: 'Act', input: { what } });

function world(options: Partial<ToolkitOptions> = {}) {
  const acted: string[] = [];
  const files = memoryFiles({ root: '/ws', files: { 'a.txt': 'a\n' } });
  const make = (more: Partial<ToolkitOptions> = {}) => {
    const all = { root: '/ws', suspensionSecret, ...options, ...more };
    const hosts = options.root === undefined && more.root === undefined ? { files, ...all.hosts } : all.hosts;
    const toolkit = testToolkit({ ...all, hosts });
    toolkit.registry.register(
      Tool.define('Act', {
        description: 'Acts.',
        input: z.object({ what: z.string() }),
        sideEffect: 'network',
        execute: ({ what }) => {
          acted.push(what);
          if (what === 'fail')
            throw new ToolError('execution_failed', 'It failed.', { partialOutput: 'half', metadata: { done: 1 } });
          return `did ${what}`;
        },
      }),
    );
    return toolkit;
  };
  return { acted, files, make, toolkit: make() };
}

type Toolkit = ReturnType<typeof createToolkit>;

async function suspend(toolkit: Toolkit, ...calls: readonly ToolCall[]): Promise<SuspendedRun> {
  return waiting(await toolkit.execute(calls, { approvals: 'suspend' }));
}

function waiting(run: ToolRun | SuspendedRun): SuspendedRun {
  if (run.status !== 'suspended') throw new Error('nothing was asked');
  return run;
}

function opened({ suspension }: SuspendedRun): { readonly expiresAt: number } {
  return JSON.parse(inflateRawSync(Buffer.from(suspension.split('.')[1] ?? '', 'base64url')).toString());
}

/** Hooks that rewrite the call x. */
const rewriting = (answer: object): ToolHooks => ({
  PreToolUse: [{ hooks: [({ input }) => ((input as { what: string }).what === 'x' ? answer : undefined)] }],
});

const all = (run: SuspendedRun, answer: AskAnswer) =>
  Object.fromEntries(run.questions.map(({ id }) => [id, answer] as const));
const codes = ({ results }: ToolRun | SuspendedRun) =>
  results.map((result) => (result === undefined ? 'waits' : result.ok ? 'ok' : result.error.code));

describe('an answer applies only to its question', () => {
  test('and not to the new target of a link', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'real'));
    mkdirSync(join(root, 'other'));
    const { toolkit } = world({ root });
    const input = { file_path: join(root, 'real/x.txt'), content: 'x' };
    const run = await suspend(toolkit, { id: 'w', name: 'Write', input });
    rmSync(join(root, 'real'), { recursive: true });
    symlinkSync(join(root, 'other'), join(root, 'real'));
    const next = waiting(await toolkit.resume(run.suspension, all(run, 'allow-once')));
    expect(next.questions[0]?.id).not.toBe(run.questions[0]?.id);
    expect(() => readFileSync(join(root, 'other/x.txt'))).toThrow(/ENOENT/);
  });

  test('and not to another equal call', async () => {
    const { toolkit, acted } = world();
    const run = await suspend(toolkit, act('x', 'same'), act('x', 'same'));
    const [first, second] = run.questions;
    expect(first?.id).not.toBe(second?.id);
    const next = await toolkit.resume(run.suspension, { [first?.id ?? '']: 'allow-once' });
    expect(codes(next)).toEqual(['ok', 'waits']);
    expect(acted).toEqual(['same']);
  });

  test('and not to one of two inputs that were decided for one id', async () => {
    const { toolkit, acted } = world();
    await toolkit.decide(act('x', 'shown'));
    await toolkit.decide(act('x', 'hidden'));
    expect(codes(await toolkit.execute([act('x', 'hidden')], { answers: { x: 'allow-once' } }))).toEqual([
      'permission_denied',
    ]);
    expect(acted).toEqual([]);
  });

  test('also by the id of the question after a decision in another process', async () => {
    const { make, acted } = world();
    const decided = await make().decide(act('x', 'shown'));
    const { id } = (decided as { readonly question: PermissionQuestion }).question;
    const answers = { [id]: 'allow-once' } as const;
    expect(codes(await make().execute([act('x', 'hidden')], { answers }))).toEqual(['permission_denied']);
    expect(codes(await make().execute([act('x', 'shown')], { answers }))).toEqual(['ok']);
    expect(acted).toEqual(['shown']);
  });

  test('and not in another workspace', async () => {
    const { toolkit } = world({ root: temporaryFolder() });
    const run = await suspend(toolkit, act('x'));
    const other = world({ root: temporaryFolder() });
    await expect(other.toolkit.resume(run.suspension, all(run, 'allow-once'))).rejects.toThrow(/another workspace/);
    expect(other.acted).toEqual([]);
  });
});

table<[string, unknown]>([
  ['a misspelt no', { behavior: 'denied', message: 'no' }],
  ['nothing of a decision', {}],
  ['a list', ['deny']],
])('an invalid answer prevents the call', async (_name, answer) => {
  const { toolkit, acted } = world({ permissions: createPermissions({ allow: ['Act'] }) });
  const answers = { x: answer as AskAnswer };
  await expect(toolkit.execute([act('x')], { answers })).rejects.toThrow(/not an answer about x/);
  await expect(toolkit.call('Act', { what: 'x' }, { id: 'x', answers })).rejects.toThrow(TypeError);
  expect(acted).toEqual([]);
});

describe('a deny rule that is added during a question', () => {
  const asked = (who: 'onAsk' | 'classify', answer: AskAnswer | 'allow') => {
    const permissions = createPermissions({
      [who]: () => {
        permissions.addRules({ deny: ['Act'] });
        return answer;
      },
    });
    return permissions;
  };

  table([
    ['onAsk', 'allow-once'],
    ['onAsk', 'allow-always'],
    ['classify', 'allow'],
  ] as const)('denies the call after every answer', async (who, answer) => {
    const { toolkit, acted } = world({ permissions: asked(who, answer) });
    expect(codes(await toolkit.execute([act('x')]))).toEqual(['permission_denied']);
    expect(acted).toEqual([]);
  });

  test('also denies behind a wrapper, which is called', async () => {
    const inner = asked('onAsk', 'allow-once');
    let checks = 0;
    const permissions = wrapPermissions(inner, {
      check: (request, scope) => {
        checks += 1;
        return inner.check(request, scope);
      },
    });
    const { toolkit, acted } = world({ permissions });
    expect(codes(await toolkit.execute([act('x')]))).toEqual(['permission_denied']);
    expect([checks, acted]).toEqual([2, []]);
  });
});

describe('classify is not called for', () => {
  const deciding = (more: object) => ({ classify: () => 'allow' as const, onAsk: () => 'deny' as const, ...more });

  test('a question of a check of the host', async () => {
    const check = async () => ({ behavior: 'ask' as const, question: {} });
    const { toolkit, acted } = world({ permissions: deciding({ check }) as never });
    expect(codes(await toolkit.execute([act('x')]))).toEqual(['permission_denied']);
    expect(acted).toEqual([]);
  });

  test('a command that checkCommand of the host asks about', async () => {
    const { toolkit } = world({
      root: temporaryFolder(),
      permissions: createPermissions(deciding({ checkCommand: () => 'ask' })),
    });
    const { ok } = await toolkit.call('Bash', { command: 'true' });
    expect(ok).toBe(false);
  });
});

describe('wrapPermissions', () => {
  test('accepts frozen permissions, and asks the questions of both in sequence', async () => {
    let open = 0;
    const inner = Object.freeze(
      createPermissions({
        onAsk: async () => {
          expect(++open).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
          return 'allow-once';
        },
      }),
    );
    const { make, acted } = world();
    const wrapped = make({ permissions: wrapPermissions(inner, { onAsk: inner.onAsk }) });
    const bare = make({ permissions: inner });
    const runs = await Promise.all([wrapped, bare, wrapped].map((toolkit, at) => toolkit.execute([act(`${at}`)])));
    expect(runs.flatMap(codes)).toEqual(['ok', 'ok', 'ok']);
    expect(acted.toSorted()).toEqual(['0', '1', '2']);
  });
});

describe('later resumes', () => {
  test('get the denial that ended the turn, and run none of its waiting calls', async () => {
    const { toolkit, acted } = world();
    const run = await suspend(toolkit, act('x'), act('y'));
    const [x, y] = run.questions.map(({ id }) => id) as [string, string];
    const no: AskAnswer = { behavior: 'deny', message: 'Stop.', interrupt: true };
    const first = await toolkit.resume(run.suspension, { [y]: no });
    expect([first.interrupted, ...codes(first)]).toEqual([true, 'cancelled', 'permission_denied']);
    const second = await toolkit.resume(run.suspension, { [x]: 'allow-once', [y]: 'allow-once' });
    expect([second.interrupted, ...codes(second)]).toEqual([true, 'cancelled', 'permission_denied']);
    expect(acted).toEqual([]);
  });

  test('get all fields of a failure', async () => {
    const { toolkit } = world({ hosts: { suspensions: fileSuspensions(temporaryFolder()) } });
    const run = await suspend(toolkit, act('fail'));
    const facts = async () => {
      const { results } = await toolkit.resume(run.suspension, all(run, 'allow-once'));
      const [result] = results;
      if (result?.ok !== false) throw new Error('it did not fail');
      const { code, message, partialOutput, metadata } = result.error;
      return { output: result.output, code, message, partialOutput, metadata };
    };
    const first = await facts();
    expect(first).toMatchObject({ partialOutput: 'half', metadata: { done: 1 } });
    expect(await facts()).toEqual(first);
  });

  test('run the calls that an abort prevented', async () => {
    const stopped = new AbortController();
    const inner = memorySuspensions();
    const suspensions: SuspensionStore = {
      ...inner,
      async claim(id, callId, scope) {
        const claimed = await inner.claim(id, callId, scope);
        stopped.abort();
        return claimed;
      },
    };
    const { toolkit, acted } = world({ hosts: { suspensions } });
    const run = await suspend(toolkit, act('x'));
    const answers = all(run, 'allow-once');
    expect(codes(await toolkit.resume(run.suspension, answers, { signal: stopped.signal }))).toEqual(['cancelled']);
    expect(acted).toEqual([]);
    expect(codes(await toolkit.resume(run.suspension, answers))).toEqual(['ok']);
    expect(codes(await toolkit.resume(run.suspension, answers))).toEqual(['ok']);
    expect(acted).toEqual(['x']);
  });

  table([
    { sideEffect: 'none', later: 'ok', runs: 2 },
    { sideEffect: 'network', later: 'interrupted', runs: 1 },
  ] as const)('repeat an aborted call that only reads', async (row) => {
    const stopped = new AbortController();
    const { toolkit } = world({ permissions: createPermissions({ ask: ['Hold'] }) });
    let runs = 0;
    toolkit.registry.register(
      Tool.define('Hold', {
        description: 'Holds on until the turn is aborted, then answers.',
        input: z.object({}),
        sideEffect: row.sideEffect,
        async execute(_input, { signal }) {
          runs++;
          stopped.abort();
          signal.throwIfAborted();
          return 'held';
        },
      }),
    );
    const run = await suspend(toolkit, { id: 'x', name: 'Hold', input: {} });
    const answers = all(run, 'allow-once');
    expect(codes(await toolkit.resume(run.suspension, answers, { signal: stopped.signal }))).toEqual(['interrupted']);
    expect(codes(await toolkit.resume(run.suspension, answers))).toEqual([row.later]);
    expect(runs).toBe(row.runs);
  });

  test('continue at the next question of a call if its answer was lost', async () => {
    const { toolkit, acted } = world({ hooks: rewriting({ updatedInput: { what: 'rewritten' } }) });
    const run = await suspend(toolkit, act('x'));
    const first = all(run, 'allow-once');
    const lost = waiting(await toolkit.resume(run.suspension, first));
    const again = waiting(await toolkit.resume(run.suspension, first));
    expect(again.questions).toEqual(lost.questions);
    expect(codes(await toolkit.resume(again.suspension, all(again, 'allow-once')))).toEqual(['ok']);
    expect(acted).toEqual(['rewritten']);
  });

  test('do not repeat the context of hooks', async () => {
    let heard = 0;
    const permissions = createPermissions();
    const hook = () => {
      heard += 1;
      return { updatedInput: { what: 'rewritten' }, additionalContext: 'seen' };
    };
    const { toolkit } = world({ permissions, hooks: { PreToolUse: [{ hooks: [hook] }] } });
    let run = await suspend(toolkit, act('x'));
    run = waiting(await toolkit.resume(run.suspension, all(run, 'allow-once')));
    permissions.addRules({ ask: ['Act'] });
    run = waiting(await toolkit.resume(run.suspension, all(run, 'allow-once')));
    const ended = await toolkit.resume(run.suspension, all(run, 'allow-once'));
    expect(ended.results).toMatchObject([{ output: 'did rewritten', additionalContext: 'seen' }]);
    expect(heard).toBe(1);
  });

  test('expire at the time of the first suspension', async () => {
    const { toolkit, make } = world({ suspensionTtlMs: 60_000 });
    const run = await suspend(toolkit, act('x'), act('y'));
    const [x] = run.questions;
    const longer = make({ suspensionTtlMs: 90_000 });
    const next = waiting(await longer.resume(run.suspension, { [x?.id ?? '']: 'deny' }));
    expect(opened(next).expiresAt).toBe(opened(run).expiresAt);
  });

  test('run nothing twice if a full store has dropped the turn', async () => {
    const { make } = world();
    const suspensions = memorySuspensions();
    const toolkit = make({ hosts: { suspensions, files: memoryFiles({ root: '/ws' }) } });
    const run = await suspend(toolkit, act('x'));
    const answers = all(run, 'allow-once');
    expect(codes(await toolkit.resume(run.suspension, answers))).toEqual(['ok']);
    const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
    for (let turn = 0; turn < 1_001; turn++) await suspensions.claim(`turn_${turn}`, '0', scope);
    expect(codes(await toolkit.resume(run.suspension, answers))).toEqual(['interrupted']);
  });
});

test('a store that drops turns before they expire is rejected', () => {
  const suspensions = fileSuspensions(temporaryFolder(), { keepMs: 1_000 });
  expect(() => createToolkit({ root: '/', hosts: { suspensions }, suspensionSecret })).toThrow(/suspensionTtlMs/);
});

table<[string, object, object]>([
  ['an input', { what: 1n }, {}],
  ['a caller', { what: 'x' }, { big: 1n }],
])('a turn that JSON cannot represent is refused before any call runs', async (_name, input, more) => {
  const { toolkit, acted } = world({ permissions: createPermissions({ allow: ['Act'] }) });
  const calls = [act('first'), { id: 'x', name: 'Act', input }];
  const caller = { sessionId: 's', ...more };
  await expect(toolkit.execute(calls, { approvals: 'suspend', caller })).rejects.toThrow(/that JSON can represent/);
  expect(acted).toEqual([]);
});

test('texts of hooks in a suspension are scrubbed', async () => {
  const key = ['ghp', 'A1b2C3d4E5f6A1b2C3d4E5f6A1b2C3d4E5f6'].join('_');
  const answer = { updatedInput: { what: 'y' }, additionalContext: `the key is ${key}` };
  const { toolkit } = world({ hooks: rewriting(answer) });
  const run = await suspend(toolkit, act('x'));
  const next = waiting(await toolkit.resume(run.suspension, all(run, 'allow-once')));
  const text = JSON.stringify(opened(next));
  expect(text).toContain('the key is');
  expect(text).not.toContain(key);
});

test('a denial that came with the call is reported like any other', async () => {
  const events: ToolEvent[] = [];
  const { toolkit } = world({ onEvent: (event) => events.push(event) });
  await toolkit.execute([act('x')], { answers: { x: 'deny' } });
  expect(events.map(({ type }) => type)).toEqual(['permission-decision', 'tool-refused', 'tool-result']);
});

test('a call does not run if a file replaces the folder of suspended turns', async () => {
  const folder = temporaryFolder();
  const { toolkit, acted } = world({ hosts: { suspensions: fileSuspensions(join(folder, 'turns')) } });
  const run = await suspend(toolkit, act('x'));
  writeFileSync(join(folder, 'turns'), '');
  expect(codes(await toolkit.resume(run.suspension, all(run, 'allow-once')))).toEqual(['execution_failed']);
  expect(acted).toEqual([]);
  renameSync(join(folder, 'turns'), join(folder, 'moved'));
  expect(codes(await toolkit.resume(run.suspension, all(run, 'allow-once')))).toEqual(['ok']);
});
