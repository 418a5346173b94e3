import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { inputObject, optional, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { TaskManager } from '../../sessions/task-manager.js';
import { dependenciesOf } from '../support/dependencies.js';
import { stubbornLines } from './bash-result.js';

const input = lazily(() =>
  inputObject({
    task_id: optional(text('Id from "Task started"')),
    shell_id: optional(text('Older name of task_id')),
  }),
);

/** The dependencies of TaskStop. */
export interface TaskStopDependencies {
  readonly tasks: TaskManager;
}

/** Stops a background task and every process that it started. */
export function taskStopTool(dependencies: TaskStopDependencies): Tool<output<ReturnType<typeof input>>> {
  const { tasks } = dependenciesOf('taskStopTool', dependencies, 'tasks');
  return Tool.define('TaskStop', {
    description: 'Stop a background task and everything it started.',
    input: input(),
    sideEffect: 'blocking',
    // A session can only stop its own tasks.
    risk: () => 'none',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ task_id, shell_id }) => `TaskStop ${task_id ?? shell_id ?? ''}`.trim(),
    // An input that is refused in any case is refused before a person is asked.
    verdict: (input) => void idOf(input),
    async execute(input, { caller }): Promise<ToolResult> {
      const id = idOf(input);
      const { taskId, label, state, outputFile, wasRunning, survivors } = await tasks.stop(id, caller);
      const said = wasRunning ? `Task stopped: ${taskId}` : `Task ${taskId} was not running any more: ${state}`;
      const output = [said, ...stubbornLines(survivors)].join('\n');
      return {
        output,
        metadata: { taskId, state, label, survivors, ...(outputFile === undefined ? {} : { outputFile }) },
      };
    },
  });
}

function idOf({ task_id, shell_id }: output<ReturnType<typeof input>>): string {
  if (task_id || shell_id) return task_id || shell_id || '';
  throw new ToolError('invalid_input', 'task_id: is required but missing. Pass the id from "Task started".');
}
