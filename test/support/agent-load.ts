import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createToolkit } from 'toolwright';
import { inProcessSpawner } from 'toolwright/agents';
import { createFileClaims } from 'toolwright/guards';
import { expect } from 'vitest';
import type { AgentModel } from '../../src/agents/in-process-spawner.js';
import { until } from './until.js';

const count = (kind: string) => process.getActiveResourcesInfo().filter((name) => name === kind).length;

/** Starts agents that claim a file and run a command, steers and cancels them, and checks that nothing is left. */
export async function leavesNothing(root: string, rounds: number): Promise<void> {
  const claims = createFileClaims();
  const model: AgentModel = ({ messages }) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const path = join(root, `${turn}.txt`);
    if (turn % 2 === 0)
      return { toolCalls: [{ id: `w${turn}`, name: 'Write', input: { file_path: path, content: 'x' } }] };
    return { toolCalls: [{ id: `b${turn}`, name: 'Bash', input: { command: 'echo up; exec sleep 1000' } }] };
  };
  let commands = 0;
  const toolkit = createToolkit({
    root,
    onEvent: ({ type, ...event }) => {
      if (type === 'tool-progress' && 'name' in event && event.name === 'Bash') commands++;
    },
    permissions: 'bypassPermissions',
    hooks: claims.hooks,
    limits: { subagents: { settleMs: 1, maxTotal: rounds }, bash: { killGraceMs: 200 } },
    hosts: { subagents: (toolkit) => inProcessSpawner({ toolkit, model }) },
  });
  const abort = new AbortController();
  const state = () => ({
    timers: count('Timeout'),
    processes: count('ProcessWrap'),
    listeners: getEventListeners(abort.signal, 'abort').length,
    claims: claims.list().size,
    running: toolkit.subagents.list().filter(({ state }) => state === 'running').length,
  });
  const round = async (number: number) => {
    const task = { description: 'hold a file', prompt: 'Hold it.' };
    const isForeground = number % 2 === 0;
    const run = isForeground
      ? toolkit.subagents.run(task, { signal: abort.signal })
      : toolkit.subagents.spawn(task).done;
    await until(() => claims.list().size > 0);
    const seen = commands;
    if (number % 5 === 0) await until(() => commands > seen);
    if (number % 3 === 0) await toolkit.subagents.steer(toolkit.subagents.list().at(-1)?.agentId ?? '', 'Another.');
    await toolkit.subagents.cancel('all');
    expect(await run).toMatchObject({ state: 'cancelled' });
  };
  try {
    await round(0);
    const before = state();
    for (let number = 1; number < rounds; number++) await round(number);
    await until(() => isDeepStrictEqual(state(), before));
    expect(before).toMatchObject({ claims: 0, running: 0, listeners: 0 });
  } finally {
    await toolkit.dispose();
  }
}
