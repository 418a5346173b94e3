import type { output } from 'zod/v4/core';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/fixed-limits.js';
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
} from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import type { BoardTask, TaskBoard } from '../../ports/planning/task-board.js';
import { isBoardTask } from '../../sessions/create-task-board.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const { maxLineChars, maxPageChars } = planningNumbers;

/** The dependencies of the tools of the task board. */
export interface TaskBoardDependencies {
  readonly board: TaskBoard;
  /** Time limit for an answer of the board, in milliseconds; 0 = no limit. */
  readonly timeoutMs: number;
}

function isSmall(metadata: object): boolean {
  return JSON.stringify(metadata).length <= maxPageChars;
}

const tooLarge = `expected at most ${maxPageChars} characters as JSON`;

function askBoard<Answer>(
  { board, timeoutMs }: TaskBoardDependencies,
  scope: CallScope,
  ask: (board: TaskBoard, scope: CallScope) => Promise<Answer> | Answer,
  isUsable: (answer: Answer) => boolean = isBoardTask,
): Promise<Answer> {
  return askHost({ option: 'tasks', timeoutMs, isUsable }, scope, (inner) => ask(board, inner));
}

function allTasks(dependencies: TaskBoardDependencies, scope: CallScope): Promise<readonly BoardTask[]> {
  const areTasks = (all: readonly BoardTask[]) => Array.isArray(all) && all.every(isBoardTask);
  return askBoard(dependencies, scope, (board, inner) => board.list(inner), areTasks);
}

/** The line of a task. If the board cannot list its tasks, completed blockers count as open. */
async function lineOf(task: BoardTask, dependencies: TaskBoardDependencies, scope: CallScope): Promise<string> {
  const all = task.blockedBy.length === 0 ? [] : await allTasks(dependencies, scope).catch(() => []);
  return taskLine(task, all);
}

function taskLine({ id, status, subject, owner, blockedBy }: BoardTask, all: readonly BoardTask[]): string {
  const isDone = (blocker: string) => all.some((task) => task.id === blocker && task.status === 'completed');
  const open = blockedBy.filter((blocker) => !isDone(blocker));
  const notes = [
    ...(owner === undefined ? [] : [owner]),
    ...(open.length === 0 ? [] : [`waits for ${open.join(', ')}`]),
  ];
  return `${id} [${status}] ${subject.replaceAll(/\s+/g, ' ')}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

const newTask = lazily(() =>
  inputObject({
    subject: words(maxLineChars, 'One line'),
    description: words(maxPageChars),
    activeForm: optional(words(maxLineChars, 'Such as "Running the tests"')),
    metadata: optional(withRule(byName(anything()), isSmall, tooLarge)),
  }),
);

/** Adds a task to the board of the session. */
export function taskCreateTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof newTask>>> {
  dependenciesOf('taskCreateTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskCreate', {
    description: 'Add a task to the board that the agents of this session share.',
    input: newTask(),
    examples: [{ subject: 'Fix the login', description: 'The form answers 500.' }],
    sideEffect: 'none',
    idempotent: false,
    footprint: () => ({ reads: 'nothing', writes: ['tasks'] }),
    title: ({ subject }) => `TaskCreate ${subject}`,
    async execute(given, context): Promise<ToolResult> {
      const task = await askBoard(dependencies, context, (board, scope) => board.create(given, scope));
      return { output: `Created: ${taskLine(task, [])}`, metadata: { task } };
    },
  });
}

const oneTask = lazily(() => inputObject({ taskId: text(undefined, { minLength: 1 }) }));

/** Shows one task of the board. */
export function taskGetTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof oneTask>>> {
  dependenciesOf('taskGetTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskGet', {
    description: 'Show a task of the board with description and dependencies.',
    input: oneTask(),
    examples: [{ taskId: '1' }],
    sideEffect: 'none',
    footprint: () => ({ reads: ['tasks'], writes: 'nothing' }),
    title: ({ taskId }) => `TaskGet ${taskId}`,
    async execute({ taskId }, context): Promise<ToolResult> {
      const isUsable = (found: unknown) => found === undefined || isBoardTask(found);
      const task = await askBoard(dependencies, context, (board, scope) => board.get(taskId, scope), isUsable);
      if (task === undefined)
        throw new ToolError(
          'invalid_input',
          `taskId: there is no task ${JSON.stringify(taskId)}; TaskList shows all tasks.`,
        );
      const { blocks, metadata } = task;
      const lines = [
        await lineOf(task, dependencies, context),
        ...(blocks.length === 0 ? [] : [`Blocks: ${blocks.join(', ')}`]),
        task.description,
      ];
      if (metadata !== undefined) lines.push(`Metadata: ${JSON.stringify(metadata)}`);
      return { output: lines.join('\n'), metadata: { task } };
    },
  });
}

const noInput = lazily(() => inputObject({}));

/** Shows the board. */
export function taskListTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof noInput>>> {
  dependenciesOf('taskListTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskList', {
    description: 'Show the tasks of the board with state, owner and open blockers.',
    input: noInput(),
    sideEffect: 'none',
    footprint: () => ({ reads: ['tasks'], writes: 'nothing' }),
    async execute(_input, context): Promise<ToolResult> {
      const tasks = await allTasks(dependencies, context);
      return { output: tasks.map((task) => taskLine(task, tasks)).join('\n') || 'No tasks', metadata: { tasks } };
    },
  });
}

const taskChange = lazily(() => {
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
export function taskUpdateTool(dependencies: TaskBoardDependencies): Tool<output<ReturnType<typeof taskChange>>> {
  dependenciesOf('taskUpdateTool', dependencies, 'board', 'timeoutMs');
  return Tool.define('TaskUpdate', {
    description: 'Change a task of the board: its state, text, owner or dependencies.',
    input: taskChange(),
    examples: [{ taskId: '1', status: 'in_progress' }],
    sideEffect: 'none',
    idempotent: false,
    footprint: () => ({ reads: 'nothing', writes: ['tasks'] }),
    title: ({ taskId, status }) => `TaskUpdate ${taskId}${status === undefined ? '' : ` ${status}`}`,
    async execute({ taskId, ...change }, context): Promise<ToolResult> {
      const task = await askBoard(dependencies, context, (board, scope) => board.update(taskId, change, scope));
      const verb = change.status === 'deleted' ? 'Deleted' : 'Updated';
      const line = await lineOf(task, dependencies, context);
      return { output: `${verb}: ${line}`, metadata: { task, deleted: change.status === 'deleted' } };
    },
  });
}
