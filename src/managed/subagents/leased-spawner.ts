import { ToolError } from '../../core/error.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { assertArgument, assertNeeded, having } from '../../core/support/check-values.js';
import { unlessAborted, unrefTimer } from '../../core/support/timers.js';
import type { SubagentSpawner } from '../../ports/agents/subagents.js';
import type { LeasedEnd } from './lease.js';
import type { SubagentLeases, TakenRun } from './lease-store.js';

/** Options of {@link leasedSpawner}. */
export interface LeasedSpawnerParts {
  readonly leases: SubagentLeases;
  readonly toolkit: Pick<Toolkit, 'files'>;
}

/**
 * Runs each subagent of a spawner under a lease, so that another process can take over the run when this process ends.
 * In a process that has lost its lease, the run ends as `interrupted`.
 *
 * @example hosts: { subagents: (toolkit) => leasedSpawner(inProcessSpawner({ toolkit, model }), { leases, toolkit }) }
 */
export function leasedSpawner(spawner: SubagentSpawner, parts: LeasedSpawnerParts): SubagentSpawner {
  const aSpawner = having('a spawner', 'spawn');
  assertArgument('leasedSpawner takes a spawner', spawner, aSpawner, 'leasedSpawner(spawner, { leases, toolkit })');
  assertNeeded('leasedSpawner', parts, 'leases', 'toolkit');
  const { leases, toolkit } = parts;
  return {
    // Getters, because a host may define its types and models later.
    get types() {
      return spawner.types;
    },
    get models() {
      return spawner.models;
    },
    forget: (id) => spawner.forget?.(id),
    async spawn(request, scope) {
      const lease = await leases.claim(request, scope.caller, toolkit.files.root);
      const signal = AbortSignal.any([scope.signal, lease.lost]);
      const run = async () => {
        const result = await spawner.spawn(request, { ...scope, signal });
        await lease.settle({ state: 'completed', output: result.output, usage: result.usage });
        return result;
      };
      try {
        return await unlessAborted(run(), lease.lost, (): never => {
          throw lease.lost.reason;
        });
      } catch (thrown) {
        if (!lease.lost.aborted) await lease.settle(failedBy(thrown)).catch(() => {});
        throw thrown;
      }
    },
  };
}

/**
 * Takes over subagents whose process has ended, and restarts them in this toolkit as background subagents of the same
 * caller. Their own subagents are not restarted. Returns a function that stops the checks for such subagents.
 */
export function takeOverSubagents(toolkit: Toolkit, leases: SubagentLeases): () => Promise<void> {
  const aToolkit = having('a toolkit', 'execute', 'openIn');
  assertArgument('takeOverSubagents takes a toolkit', toolkit, aToolkit, 'takeOverSubagents(toolkit, leases)');
  let isOver = false;
  let timer: unknown;
  let checking: Promise<unknown> = Promise.resolve();
  const check = async () => {
    for (let hasRoom = true; hasRoom && !isOver; ) {
      const taken = await leases.takeNext(toolkit.files.root).catch(() => undefined);
      hasRoom = taken !== undefined && (await begin(taken, toolkit, leases).catch(() => false));
    }
    if (isOver) return;
    timer = unrefTimer(leases.timers.set(start, leases.renewMs));
  };
  const start = () => {
    checking = check();
  };
  start();
  return async () => {
    isOver = true;
    leases.timers.clear(timer);
    await checking;
  };
}

/** Restarts a run that was taken over. Resolves with whether the toolkit has room for more runs. */
async function begin({ task, caller, lease }: TakenRun, toolkit: Toolkit, leases: SubagentLeases): Promise<boolean> {
  const { parentId, depth = 1, agentId: _, ...inherited } = caller;
  if (depth > 1) {
    const message = 'The subagent was not restarted, because its parent has ended.';
    await lease.settle(failedBy(new ToolError('interrupted', message)));
    return true;
  }
  const parent = parentId === undefined ? inherited : { ...inherited, agentId: parentId };
  try {
    const { id, done } = toolkit.subagents.spawn(task, { caller: parent });
    leases.adopt(id, lease);
    // A run that is stopped before its start never claims its lease.
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
