import { ToolError } from '../core/error.js';
import { planningNumbers } from '../core/fixed-limits.js';
import type { BoardTask, BoardTaskChange, NewBoardTask, TaskBoard } from '../ports/planning/task-board.js';

/** The tasks of one session, and the next id. */
export interface TaskSession {
  readonly nextId: number;
  readonly tasks: readonly BoardTask[];
}

/** Returns the new state of a session, and the changed task. */
export type TaskSessionChange = (session: TaskSession) => readonly [TaskSession, BoardTask];

/** The state of a new session. */
export const noTasks: TaskSession = { nextId: 1, tasks: [] };

/** Adds a task. Throws `limit_reached` beyond the maximum number of tasks. */
export function withTask({ nextId, tasks }: TaskSession, task: NewBoardTask): ReturnType<TaskSessionChange> {
  if (tasks.length >= planningNumbers.maxTasks)
    throw new ToolError('limit_reached', `There are ${tasks.length} tasks already. Delete completed tasks first.`);
  const made: BoardTask = { id: `${nextId}`, ...task, status: 'pending', blocks: [], blockedBy: [] };
  return [{ nextId: nextId + 1, tasks: [...tasks, made] }, made];
}

/** Changes a task. Throws `invalid_input` in the cases that {@link TaskBoard} lists. */
export function withChange(
  session: TaskSession,
  id: string,
  { status, addBlocks = [], addBlockedBy = [], metadata, ...rest }: BoardTaskChange,
): ReturnType<TaskSessionChange> {
  const tasks = new Map(session.tasks.map((task) => [task.id, task]));
  const known = (field: string, wanted: string): BoardTask => {
    const task = tasks.get(wanted);
    if (task === undefined)
      throw refused(field, `there is no task ${JSON.stringify(wanted)}; use TaskList to see all tasks`);
    return task;
  };
  const change = (task: BoardTask, more: Partial<BoardTask>) => tasks.set(task.id, { ...task, ...more });
  const task = known('taskId', id);
  if (status === 'deleted') {
    tasks.delete(id);
    for (const other of tasks.values())
      change(other, { blocks: without(other.blocks, id), blockedBy: without(other.blockedBy, id) });
    return [{ ...session, tasks: [...tasks.values()] }, task];
  }
  const all = metadata && merged(task.metadata, metadata);
  const { maxPageChars } = planningNumbers;
  if (all !== undefined && JSON.stringify(all).length > maxPageChars)
    throw refused(
      'metadata',
      `the task would have more than ${maxPageChars} characters of metadata as JSON; remove old keys`,
    );
  const given = Object.entries({ ...rest, status }).filter(([, value]) => value !== undefined);
  change(task, { ...Object.fromEntries(given), ...(all && { metadata: all }) });
  const edges = [
    ...addBlocks.map((other) => ['addBlocks', id, other] as const),
    ...addBlockedBy.map((other) => ['addBlockedBy', other, id] as const),
  ];
  for (const [field, from, to] of edges) {
    const other = from === id ? to : from;
    if (reaches(tasks, known(field, to).id, known(field, from).id))
      throw refused(field, `task ${id} and task ${other} would block each other; leave ${other} out`);
    change(known(field, from), { blocks: [...without(known(field, from).blocks, to), to] });
    change(known(field, to), { blockedBy: [...without(known(field, to).blockedBy, from), from] });
  }
  const result = known('taskId', id);
  const open = result.blockedBy.filter((other) => tasks.get(other)?.status !== 'completed');
  if (status === 'in_progress' && open.length > 0)
    throw refused('status', `task ${id} cannot start before ${open.join(', ')}; complete those first`);
  return [{ ...session, tasks: [...tasks.values()] }, result];
}

/** Whether `from` and `to` are the same task, or `from` blocks `to` directly or through other tasks. */
function reaches(tasks: ReadonlyMap<string, BoardTask>, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return (tasks.get(from)?.blocks ?? []).some((next) => reaches(tasks, next, to, seen));
}

function without(ids: readonly string[], id: string): string[] {
  return ids.filter((other) => other !== id);
}

function merged(old: BoardTask['metadata'] = {}, more: BoardTask['metadata'] = {}) {
  return Object.fromEntries([...Object.entries(old), ...Object.entries(more)].filter(([key]) => more[key] !== null));
}

function refused(field: string, what: string): ToolError {
  return new ToolError('invalid_input', `${field}: ${what}.`);
}
