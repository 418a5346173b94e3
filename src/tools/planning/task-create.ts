import type { output } from 'zod/v4/core';
import { planningNumbers } from '../../core/numbers.js';
import { anything, byName, inputObject, optional, withRule, words } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { dependenciesOf } from '../support/dependencies.js';
import { askForTask, isSmall, type TaskBoardDependencies, taskLine, tooLarge } from './task-board.js';

const { maxLineChars, maxPageChars } = planningNumbers;

const input = lazily(() =>
  inputObject({
    subject: words(maxLineChars, 'One line'),
    description: words(maxPageChars),
    activeForm: optional(words(maxLineChars, 'Such as "Running the tests"')),
    metadata: optional(withRule(byName(anything()), isSmall, tooLarge)),
  }),
);

/** Puts a task on the board of the session. */
export function taskCreateTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('taskCreateTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskCreate', {
    description: 'Add a task to the board that the agents of this session share.',
    input: input(),
    examples: [{ subject: 'Fix the login', description: 'The form answers 500.' }],
    sideEffect: 'none',
    idempotent: false,
    footprint: () => ({ reads: 'nothing', writes: ['tasks'] }),
    title: ({ subject }) => `TaskCreate ${subject}`,
    async execute(given, context): Promise<ToolResult> {
      const task = await askForTask(dependencies, context, (board, scope) => board.create(given, scope));
      return { output: `Created: ${taskLine(task)}`, metadata: { task } };
    },
  });
}
