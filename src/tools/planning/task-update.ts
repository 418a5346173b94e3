import type { output } from 'zod/v4/core';
import { planningNumbers } from '../../core/numbers.js';
import {
  anything,
  byName,
  choice,
  inputObject,
  list,
  optional,
  text,
  withRule,
  words,
} from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { dependenciesOf } from '../support/dependencies.js';
import { askForTask, isSmall, type TaskBoardDependencies, taskLine, tooLarge } from './task-board.js';

const { maxLineChars, maxPageChars } = planningNumbers;

const input = lazily(() => {
  const ids = (about: string) => optional(list(text(), about));
  return inputObject({
    taskId: text(undefined, { minLength: 1 }),
    subject: optional(words(maxLineChars)),
    description: optional(words(maxPageChars)),
    activeForm: optional(words(maxLineChars)),
    status: optional(choice(['pending', 'in_progress', 'completed', 'deleted'])),
    owner: optional(words(maxLineChars, 'Agent that works on it')),
    addBlocks: ids('Tasks that wait for it'),
    addBlockedBy: ids('Tasks it waits for'),
    metadata: optional(withRule(byName(anything(), 'Merged; null removes a key'), isSmall, tooLarge)),
  });
});

/** Changes a task of the board. */
export function taskUpdateTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('taskUpdateTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskUpdate', {
    description: 'Change a task of the board: its state, words, owner or dependencies.',
    input: input(),
    examples: [{ taskId: '1', status: 'in_progress' }],
    sideEffect: 'none',
    idempotent: false,
    footprint: () => ({ reads: 'nothing', writes: ['tasks'] }),
    title: ({ taskId, status }) => `TaskUpdate ${taskId}${status === undefined ? '' : ` ${status}`}`,
    async execute({ taskId, ...change }, context): Promise<ToolResult> {
      const task = await askForTask(dependencies, context, (board, scope) => board.update(taskId, change, scope));
      const verb = change.status === 'deleted' ? 'Deleted' : 'Updated';
      return { output: `${verb}: ${taskLine(task)}`, metadata: { task, deleted: change.status === 'deleted' } };
    },
  });
}
