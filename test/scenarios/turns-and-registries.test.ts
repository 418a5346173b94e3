import { createPermissions, createToolkit, type ToolEvent, type Toolkit, type ToolkitOptions } from 'toolwright';
import { fakeTimers, memoryFiles, stubSpawner } from 'toolwright/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RegistryFor } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { tool } from '../support/pipeline.js';

/** A toolkit with a tool `Act`, its executions, and the warnings. */
function world(options: Partial<ToolkitOptions> = {}) {
  const acts: unknown[] = [];
  const events: ToolEvent[] = [];
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles() },
    permissions: 'bypassPermissions',
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => toolkit.dispose());
  toolkit.registry.register(tool('Act', (input) => `${acts.push(input)}`, { sideEffect: 'mutating' }));
  return { toolkit, acts, events };
}

/** A toolkit with an additional tool `Own`, only for the main agent `one`. */
const ownTools: RegistryFor = async (registry, { caller }) =>
  caller.agentId === 'one' ? registry.clone().register(tool('Own', () => 'own')) : registry;

const act = { id: '1', name: 'Act', input: {} };
const begun: Readonly<Record<string, (toolkit: Toolkit) => Promise<unknown>>> = {
  call: (toolkit) => toolkit.call('Act', {}),
  execute: (toolkit) => toolkit.execute([act]),
  decide: (toolkit) => toolkit.decide(act),
  runPlan: (toolkit) => toolkit.runPlan(),
};

for (const [which, options] of Object.entries({
  'over the registry of all': {},
  'over a registry of its own': { registryFor: (registry) => registry.clone() } satisfies Partial<ToolkitOptions>,
  'over a registry that comes later': { registryFor: ownTools },
} as Readonly<Record<string, Partial<ToolkitOptions>>>))
  table(Object.keys(begun))(`a turn ${which} is ended with its session right after it began`, async (how) => {
    const { toolkit, acts } = world(options);
    if (how === 'runPlan') {
      await toolkit.call('EnterPlanMode', {});
      await toolkit.call('Act', {});
      expect(toolkit.planQueue).toHaveLength(1);
    }
    const turn = begun[how]?.(toolkit);
    await toolkit.endSession('default');
    const ended = JSON.stringify(await turn);
    expect(acts).toEqual([]);
    expect(ended).toContain('the session was ended');
    expect([toolkit.sessions(), toolkit.planQueue]).toEqual([[], []]);
  });

test('a turn that is aborted while its registry is selected ends at once, without a warning', async () => {
  let heard: AbortSignal | undefined;
  const { toolkit, events } = world({
    registryFor: (_, { signal }) => {
      heard = signal;
      return new Promise(() => {});
    },
  });
  const control = new AbortController();
  const turns = [toolkit.execute([act], { signal: control.signal }), toolkit.execute([act])];
  control.abort();
  expect((await turns[0])?.status === 'done' && (await turns[0])).toMatchObject({
    results: [{ error: { code: 'cancelled' } }],
  });
  await toolkit.endSession('default');
  expect(await turns[1]).toMatchObject({ results: [{ error: { code: 'cancelled' } }] });
  expect(heard?.aborted).toBe(true);
  expect(events.filter(({ type }) => type === 'registry-warning')).toEqual([]);
});

test('a subagent that is ended while its registry is selected ends at once', async () => {
  const spawner = stubSpawner();
  const { toolkit } = world({
    ...{ hosts: { files: memoryFiles(), subagents: spawner }, timers: fakeTimers() },
    registryFor: () => new Promise(() => {}),
  });
  const { done } = toolkit.subagents.spawn({ description: 'd', prompt: 'p' });
  await toolkit.endSession('default');
  expect([(await done).state, spawner.requests]).toEqual(['cancelled', []]);
});

test('a rule for a tool of one caller gives no warning, and a misspelt one still does', async () => {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => emitted.mockRestore());
  const { toolkit, events } = world({
    permissions: createPermissions({ mode: 'bypassPermissions', deny: ['Own', 'Atc'] }),
    registryFor: ownTools,
  });
  for (const agentId of ['two', 'one']) await toolkit.call('Act', {}, { caller: { sessionId: agentId, agentId } });
  const warned = events.filter(({ type }) => type === 'rule-warning');
  expect(warned).toMatchObject([{ rule: 'Atc', near: 'Act' }]);
  expect(emitted).toHaveBeenCalledTimes(1);
});

test('a rule for a tool that one caller lacks gives no warning', async () => {
  const { toolkit, events } = world({
    permissions: createPermissions({ mode: 'bypassPermissions', deny: ['Other'] }),
    registryFor: (registry) => {
      const fewer = registry.clone();
      fewer.unregister('Other');
      return fewer;
    },
  });
  toolkit.registry.register(
    tool('Other', () => ''),
    tool('Others', () => ''),
  );
  await toolkit.call('Act', {});
  expect(events.filter(({ type }) => type === 'rule-warning')).toEqual([]);
});

test('a subagent at any depth has the tools of the agent that it works for', async () => {
  const spawner = stubSpawner(async ({ id, prompt, tools }) => {
    const offered = tools.map(({ name }) => name);
    const caller = { sessionId: 's', agentId: id };
    const called = await toolkit.call('Own', {}, { caller });
    const below =
      prompt === 'twice' ? await toolkit.subagents.run({ description: 'd', prompt: 'once' }, { caller }) : undefined;
    return JSON.stringify([offered.includes('Own'), called.output, ...(below ? [below.output] : [])]);
  });
  const { toolkit } = world({
    ...{
      hosts: { files: memoryFiles(), subagents: spawner },
      registryFor: ownTools,
      limits: { subagents: { maxDepth: 3 } },
    },
    timers: fakeTimers(),
  });
  const run = async (agentId: string) =>
    (await toolkit.subagents.run({ description: 'd', prompt: 'twice' }, { caller: { sessionId: 's', agentId } }))
      .output;
  expect(JSON.parse(await run('one'))).toEqual([true, 'own', '[true,"own"]']);
  expect(await run('two')).toMatch(/false.*unknown tool: Own.*false.*unknown tool: Own/s);
});
