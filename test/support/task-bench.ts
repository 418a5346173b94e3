import { bashTool, TaskManager, taskOutputTool, taskStopTool } from 'toolwright/tools';
import { onTestFinished } from 'vitest';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import { toolContext } from './call-scope.js';
import { type ShellBench, shellBench } from './shell.js';

const limits = resolveLimits();

/** Bash, TaskOutput and TaskStop over one real shell and one task manager. */
export function taskBench(options: Parameters<typeof shellBench>[0] & { readonly autoBackground?: boolean } = {}) {
  const { autoBackground = false, ...rest } = options;
  const { timers } = rest;
  const shell: ShellBench = shellBench(rest);
  const tasks = new TaskManager({ limits: limits.tasks, stopGraceMs: 5_000, maxLogChars: 100_000, timers });
  onTestFinished(() => tasks.dispose());
  const bash = bashTool({ shell: shell.shell, tasks, limits, autoBackground, timers });
  const output = taskOutputTool({ tasks, limits });
  const stop = taskStopTool({ tasks });
  const start = async (command: string, timeout?: number) => {
    const result = await bash.execute({ command, run_in_background: true, timeout }, toolContext());
    return { result, task_id: String(result.metadata?.taskId) };
  };
  return { ...shell, tasks, bash, output, stop, start };
}
