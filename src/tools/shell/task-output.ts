import type { output } from 'zod/v4/core';
import type { Limits } from '../../core/limits.js';
import { shellNumbers } from '../../core/numbers.js';
import { flag, inputObject, integer, optional, text } from '../../core/schema/input-object.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { readerOf } from '../../sessions/task.js';
import type { TaskManager } from '../../sessions/task-manager.js';
import { dependenciesOf } from '../support/dependencies.js';
import { taskResult } from '../support/task-result.js';

/** The dependencies of TaskOutput. */
export interface TaskOutputDependencies {
  readonly tasks: TaskManager;
  readonly limits: Pick<Limits, 'tasks' | 'output'>;
}

/** Shows the state of a background task and its output since the session's last look. */
export function taskOutputTool(dependencies: TaskOutputDependencies): Tool<output<ReturnType<typeof inputOf>>> {
  const { tasks, limits } = dependenciesOf('taskOutputTool', dependencies, 'tasks', 'limits');
  const { waitMs, maxWaitMs } = limits.tasks;
  return Tool.define('TaskOutput', {
    description:
      'Read what a background task has put out since you last looked. Waits for its end unless block is false.',
    input: inputOf(waitMs, maxWaitMs),
    sideEffect: 'readonly',
    // The input says how long to wait.
    timeoutMs: 0,
    maxOutputChars: limits.output.maxChars + shellNumbers.statusChars,
    idempotent: false,
    // A session can only read its own tasks.
    risk: () => 'none',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ task_id }) => `TaskOutput ${task_id}`,
    async execute({ task_id, block = true, timeout = waitMs }, context): Promise<ToolResult> {
      const view = await tasks.read(task_id, readerOf(context.caller), block ? timeout : 0, context);
      return taskResult(view, limits.output.maxChars);
    },
  });
}

function inputOf(waitMs: number, maxWaitMs: number) {
  return inputObject({
    task_id: text('Id from "Task started"', { minLength: 1 }),
    block: optional(flag('Default true')),
    timeout: optional(integer(`Milliseconds to wait at most; default ${waitMs}`, { minimum: 0, maximum: maxWaitMs })),
  });
}
