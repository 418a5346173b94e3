import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { inputObject, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { isBoardTask } from '../../sessions/create-task-board.js';
import { dependenciesOf } from '../support/dependencies.js';
import { askForTask, type TaskBoardDependencies, taskLine } from './task-board.js';

const input = lazily(() => inputObject({ taskId: text(undefined, { minLength: 1 }) }));

/** Shows one task of the board. */
export function taskGetTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('taskGetTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskGet', {
    description: 'Show a task of the board with description and dependencies.',
    input: input(),
    examples: [{ taskId: '1' }],
    sideEffect: 'none',
    footprint: () => ({ reads: ['tasks'], writes: 'nothing' }),
    title: ({ taskId }) => `TaskGet ${taskId}`,
    async execute({ taskId }, context): Promise<ToolResult> {
      const isUsable = (found: unknown) => found === undefined || isBoardTask(found);
      const task = await askForTask(dependencies, context, (board, scope) => board.get(taskId, scope), isUsable);
      if (task === undefined)
        throw new ToolError(
          'invalid_input',
          `taskId: there is no task ${JSON.stringify(taskId)}; TaskList shows all tasks.`,
        );
      const { blocks, metadata } = task;
      const lines = [
        taskLine(task),
        ...(blocks.length === 0 ? [] : [`Blocks: ${blocks.join(', ')}`]),
        task.description,
      ];
      if (metadata !== undefined) lines.push(`Metadata: ${JSON.stringify(metadata)}`);
      return { output: lines.join('\n'), metadata: { task } };
    },
  });
}
