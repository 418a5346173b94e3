import type { CallScope } from '../../core/context.js';
import { planningNumbers } from '../../core/numbers.js';
import { askHost } from '../../ports/ask-host.js';
import type { BoardTask, TaskBoard } from '../../ports/planning/task-board.js';
import { isBoardTask } from '../../sessions/create-task-board.js';

/** The dependencies of the tools of the task board. */
export interface TaskBoardDependencies {
  readonly board: TaskBoard;
  /** How long the board may take; 0 = no limit. */
  readonly timeoutMs: number;
}

/** Whether the metadata of a task is short enough to be shown with it. */
export function isSmall(metadata: object): boolean {
  return JSON.stringify(metadata).length <= planningNumbers.maxPageChars;
}

/** The message for metadata that is too long. */
export const tooLarge = `expected at most ${planningNumbers.maxPageChars} characters as JSON`;

/** Asks the board for a task. */
export function askForTask<Answer extends BoardTask | undefined>(
  { board, timeoutMs }: TaskBoardDependencies,
  scope: CallScope,
  ask: (board: TaskBoard, scope: CallScope) => Promise<Answer> | Answer,
  isUsable: (answer: Answer) => boolean = isBoardTask,
): Promise<Answer> {
  return askHost({ option: 'tasks', timeoutMs, isUsable }, scope, (inner) => ask(board, inner));
}

/** All tasks of the session. */
export function askForTasks(
  { board, timeoutMs }: TaskBoardDependencies,
  scope: CallScope,
): Promise<readonly BoardTask[]> {
  const isUsable = (tasks: readonly BoardTask[]) => Array.isArray(tasks) && tasks.every(isBoardTask);
  return askHost({ option: 'tasks', timeoutMs, isUsable }, scope, (inner) => board.list(inner));
}

/** A task in one line. */
export function taskLine({ id, status, subject, owner, blockedBy }: BoardTask): string {
  const notes = [
    ...(owner === undefined ? [] : [owner]),
    ...(blockedBy.length === 0 ? [] : [`waits for ${blockedBy.join(', ')}`]),
  ];
  return `${id} [${status}] ${subject.replaceAll(/\s+/g, ' ')}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}
