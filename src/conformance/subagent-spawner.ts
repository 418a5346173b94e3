import { strict as assert } from 'node:assert';
import { startTimer } from '../core/support/timers.js';
import type { SubagentProgress, SubagentRequest, SubagentSpawner } from '../ports/agents/subagents.js';
import { conformanceKit, type Disposable, newScope, within } from './kit.js';

/** A spawner of subagents. */
export interface SubagentSpawnerSubject extends Disposable {
  readonly spawner: SubagentSpawner;
  /** A task that ends by itself within ten seconds, and a task that runs until it is aborted. */
  readonly prompts: { readonly short: string; readonly endless: string };
}

/** The requirements of the agent tools for a spawner. */
export const subagentSpawnerConformance = conformanceKit<SubagentSpawnerSubject>({
  'a subagent returns text, and its usage, if any, consists of whole numbers': async ({ spawner, prompts }, scope) => {
    const { output, usage = {} } = await within(spawner.spawn(requestFor(prompts.short), scope), 'a subagent must end');
    assert.ok(
      typeof output === 'string' && output.trim() !== '',
      'a subagent must return text, because its parent reads nothing else',
    );
    for (const count of Object.values(usage))
      assert.ok(Number.isSafeInteger(count) && count >= 0, `${count} is not a count`);
  },
  'subagents run at the same time': async ({ spawner, prompts }, scope) => {
    const runs = ['a', 'b'].map((id) => spawner.spawn({ ...requestFor(prompts.short), id }, scope));
    assert.equal((await within(Promise.all(runs), 'both must end')).length, 2);
  },
  'an abort ends the subagent': async ({ spawner, prompts }) => {
    const controller = new AbortController();
    const run = spawner.spawn(requestFor(prompts.endless), newScope('conformance', controller.signal));
    startTimer(() => controller.abort(), 50);
    await within(Promise.allSettled([run]), 'an aborted subagent must end', 2_000);
  },
  'the round numbers in progress reports start at 1 or later and never decrease': async (
    { spawner, prompts },
    scope,
  ) => {
    const reports: SubagentProgress[] = [];
    const report = (progress: SubagentProgress) => void reports.push(progress);
    await within(spawner.spawn({ ...requestFor(prompts.short), report }, scope), 'a subagent must end');
    const turns = reports.flatMap(({ turn }) => (turn === undefined ? [] : [turn]));
    assert.ok(turns.every((turn, at) => turn >= (turns[at - 1] ?? 1)));
  },
  'each type has a description': async ({ spawner }) => {
    for (const purpose of Object.values(spawner.types ?? {})) assert.ok(purpose.trim() !== '');
    for (const model of spawner.models ?? []) assert.ok(model.trim() !== '');
  },
});

function requestFor(prompt: string): SubagentRequest {
  const base = { id: 'agent_1', description: 'Try it', type: 'general-purpose', maxTurns: 3 };
  return { ...base, prompt, tools: [], report: () => {}, inbox: () => [] };
}
