import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPermissions, createToolkit, Tool } from '../../src/index.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const action = fc.constantFrom('enter', 'exit', 'act', 'act', 'run', 'clear', 'end');
const step = fc.record({ action, isAllowed: fc.boolean(), pause: fc.nat(2) });
const steps = fc.array(step, { maxLength: 12 });

test('two sessions of one toolkit plan independently during concurrent calls', async () => {
  const root = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(steps, steps, async (first, second) => {
      const ran: string[] = [];
      const answers = new Map<string, boolean>();
      const act = Tool.define('Act', {
        description: 'Acts for the session that asks.',
        input: { type: 'object', properties: { mark: { type: 'string' } } },
        sideEffect: 'mutating',
        execute: ({ mark }: { readonly mark?: string }, { caller }) => {
          ran.push(`${caller.sessionId}:${mark}`);
          return 'done';
        },
      });
      const onAsk = async (_: unknown, { caller }: { readonly caller: { readonly sessionId: string } }) =>
        answers.get(caller.sessionId) === true ? ('allow-once' as const) : ('deny' as const);
      await using toolkit = createToolkit({ root, permissions: createPermissions({ root, onAsk }) });
      toolkit.registry.register(act);

      const live = async (sessionId: string, all: typeof first) => {
        const caller = { sessionId };
        const done: string[] = [];
        let isPlanning = false;
        let queue: string[] = [];
        const call = async (name: string, input: object) => {
          const { results } = await toolkit.execute([{ id: `${done.length}`, name, input }], { caller });
          const [result] = results;
          return result?.ok === true ? 'ok' : result?.error.code;
        };
        for (const [index, { action, isAllowed, pause }] of all.entries()) {
          for (let turn = 0; turn < pause; turn++) await new Promise(setImmediate);
          answers.set(sessionId, isAllowed);
          const mark = `${sessionId}:${index}`;
          const asked = isAllowed ? 'ok' : 'permission_denied';
          if (action === 'enter') {
            expect(await call('EnterPlanMode', {})).toBe(asked);
            isPlanning ||= isAllowed;
          } else if (action === 'exit') {
            expect(await call('ExitPlanMode', { plan: 'act' })).toBe(asked);
            isPlanning &&= !isAllowed;
          } else if (action === 'act') {
            expect(await call('Act', { mark: `${index}` })).toBe(isPlanning ? 'queued_for_plan' : asked);
            if (isPlanning) queue.push(mark);
            else if (isAllowed) done.push(mark);
          } else if (action === 'run') {
            const { results } = await toolkit.runPlan({ caller });
            expect(results.map(({ ok }) => ok)).toEqual(queue.map(() => true));
            done.push(...queue);
            [isPlanning, queue] = [false, []];
          } else {
            if (action === 'clear') toolkit.clearPlan(caller);
            else await toolkit.endSession(sessionId);
            if (action === 'end') isPlanning = false;
            queue = [];
          }
          const queued = toolkit.planQueueOf(caller).map(({ input }) => (input as { readonly mark: string }).mark);
          expect(queued.map((one) => `${sessionId}:${one}`)).toEqual(queue);
          expect(ran.filter((one) => one.startsWith(`${sessionId}:`))).toEqual(done);
        }
      };
      await Promise.all([live('a', first), live('b', second)]);
    }),
    { numRuns: runs(1_000) },
  );
});

test('with mode plan, a session that leaves plan mode does not affect others', async () => {
  const permissions = createPermissions({ mode: 'plan', onAsk: () => 'allow-once' });
  await using toolkit = createToolkit({ root: temporaryFolder(), permissions });
  const touch = { id: 'b', name: 'Bash', input: { command: 'touch made' } };
  const codeOf = async (sessionId: string, call = touch) => {
    const [result] = (await toolkit.execute([call], { caller: { sessionId } })).results;
    return result?.ok === true ? 'ok' : result?.error.code;
  };
  expect([await codeOf('a'), await codeOf('b')]).toEqual(['queued_for_plan', 'queued_for_plan']);
  expect(await codeOf('a', { id: 'e', name: 'ExitPlanMode', input: { plan: 'touch' } as never })).toBe('ok');
  expect([await codeOf('a'), await codeOf('b')]).toEqual(['ok', 'queued_for_plan']);
  expect(toolkit.planQueueOf({ sessionId: 'b' })).toHaveLength(2);
});
