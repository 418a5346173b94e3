import { ToolError } from '../core/error.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertArgument, assertNeeded, having } from '../core/support/option-kinds.js';
import { unrefTimer } from '../core/support/timer.js';
import type { SubagentSpawner } from '../ports/agents/subagents.js';
import type { LeasedEnd } from './subagent-lease.js';
import type { SubagentLeases, TakenRun } from './subagent-leases.js';

/** What a spawner needs to hold its runs by leases. */
export interface LeasedSpawnerParts {
  readonly leases: SubagentLeases;
  readonly toolkit: Pick<Toolkit, 'files'>;
}

/**
 * Holds each run of a spawner by a lease: when its process ends, another one can take it over. A process that has lost
 * a run reports nothing of it: it is `interrupted` there.
 *
 * @example hosts: { subagents: (toolkit) => leasedSpawner(inProcessSpawner({ toolkit, model }), { leases, toolkit }) }
 */
export function leasedSpawner(spawner: SubagentSpawner, parts: LeasedSpawnerParts): SubagentSpawner {
  const aSpawner = having('a spawner', 'spawn');
  assertArgument('leasedSpawner takes a spawner', spawner, aSpawner, 'leasedSpawner(spawner, { leases, toolkit })');
  assertNeeded('leasedSpawner', parts, 'leases', 'toolkit');
  const { leases, toolkit } = parts;
  return {
    types: spawner.types,
    models: spawner.models,
    forget: (id) => spawner.forget?.(id),
    async spawn(request, scope) {
      const lease = await leases.claim(request, scope.caller, toolkit.files.root);
      const signal = AbortSignal.any([scope.signal, lease.lost]);
      const lost = new Promise<never>((_, reject) => {
        lease.lost.addEventListener('abort', () => reject(lease.lost.reason), { once: true });
      });
      const run = async () => {
        const result = await spawner.spawn(request, { ...scope, signal });
        await lease.settle({ state: 'completed', output: result.output, usage: result.usage });
        return result;
      };
      try {
        return await Promise.race([run(), lost]);
      } catch (thrown) {
        if (!lease.lost.aborted) await lease.settle(failedBy(thrown)).catch(() => {});
        throw thrown;
      }
    },
  };
}

/**
 * Looks for subagents whose process has ended, and runs them in this toolkit, from their beginning: as background
 * subagents of whoever started them. What they had started themselves ends with them. Answers how to stop looking.
 */
export function takeOverSubagents(toolkit: Toolkit, leases: SubagentLeases): () => Promise<void> {
  const aToolkit = having('a toolkit', 'execute', 'openIn');
  assertArgument('takeOverSubagents takes a toolkit', toolkit, aToolkit, 'takeOverSubagents(toolkit, leases)');
  let isOver = false;
  let timer: unknown;
  let looking: Promise<unknown> = Promise.resolve();
  const look = async () => {
    for (let goesOn = true; goesOn && !isOver; ) {
      const taken = await leases.takeNext(toolkit.files.root).catch(() => undefined);
      goesOn = taken !== undefined && (await begin(taken, toolkit, leases).catch(() => false));
    }
    if (isOver) return;
    timer = unrefTimer(leases.timers.set(start, leases.renewMs));
  };
  const start = () => {
    looking = look();
  };
  start();
  return async () => {
    isOver = true;
    leases.timers.clear(timer);
    await looking;
  };
}

/** Answers whether there is room for more. */
async function begin({ task, caller, lease }: TakenRun, toolkit: Toolkit, leases: SubagentLeases): Promise<boolean> {
  const { parentId, depth = 1, agentId: _, ...inherited } = caller;
  if (depth > 1) {
    await lease.settle(failedBy(new ToolError('interrupted', 'The agent that started it has ended.')));
    return true;
  }
  const parent = parentId === undefined ? inherited : { ...inherited, agentId: parentId };
  try {
    const { id, done } = toolkit.subagents.spawn(task, { caller: parent });
    leases.adopt(id, lease);
    // One that was stopped before it began asked for no lease.
    void done.then(() => leases.disown(id));
    return true;
  } catch (thrown) {
    const isFull = ToolError.from(thrown).code === 'limit_reached';
    await (isFull ? lease.release() : lease.settle(failedBy(thrown)));
    return !isFull;
  }
}

function failedBy(thrown: unknown): LeasedEnd {
  const { code, message } = ToolError.from(thrown);
  return { state: 'failed', error: { code, message } };
}
