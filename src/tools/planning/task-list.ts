import type { output } from 'zod/v4/core';
import { inputObject } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { dependenciesOf } from '../support/dependencies.js';
import { askForTasks, type TaskBoardDependencies, taskLine } from './task-board.js';

const input = lazily(() => inputObject({}));

/** Shows the board. */
export function taskListTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('taskListTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskList', {
    description: 'Show the tasks of the board with state, owner and what they wait for.',
    input: input(),
    sideEffect: 'none',
    footprint: () => ({ reads: ['tasks'], writes: 'nothing' }),
    async execute(_input, context): Promise<ToolResult> {
      const tasks = await askForTasks(dependencies, context);
      const done = new Set(tasks.flatMap(({ id, status }) => (status === 'completed' ? [id] : [])));
      const open = tasks.map((task) => ({ ...task, blockedBy: task.blockedBy.filter((id) => !done.has(id)) }));
      return { output: open.map(taskLine).join('\n') || 'No tasks', metadata: { tasks } };
    },
  });
}
