import type { ToolCall, ToolRun } from './core/call.js';
import type { PlanMode } from './host/plan-mode.js';

/**
 * Takes the calls out of the queue and runs them. Those that never started, because the run was aborted or a refusal ended it, are queued
 * again, in front of what was queued meanwhile; all of them where `execute` rejects.
 */
export async function runPlan(
  planMode: Pick<PlanMode, 'queue' | 'add' | 'clear'>,
  execute: (calls: readonly ToolCall[]) => Promise<ToolRun>,
): Promise<ToolRun> {
  const queued = planMode.queue;
  planMode.clear();
  let wasStarted = (_index: number) => false;
  try {
    const run = await execute(queued.map(({ callId, tool, input }) => ({ id: callId, name: tool, input })));
    wasStarted = (index) => {
      const result = run.results[index];
      return result === undefined || result.ok || result.error.code !== 'cancelled';
    };
    return run;
  } finally {
    const left = queued.filter((_, index) => !wasStarted(index));
    if (left.length > 0) {
      const newer = planMode.queue;
      planMode.clear();
      for (const call of [...left, ...newer]) planMode.add(call);
    }
  }
}
