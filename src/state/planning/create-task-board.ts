import type { Caller, CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/numbers.js';
import { isRecord } from '../../core/support/is-record.js';
import { assertOptions, kindOf, type OptionKinds } from '../../core/support/option-kinds.js';
import type { BoardTask, BoardTaskChange, NewBoardTask, TaskBoard } from '../../host/planning/task-board.js';
import { type FileChange, JsonFile } from './json-file.js';

/** Where tasks are kept. */
export interface TaskBoardOptions {
  /**
   * Absolute path of a file in an existing folder, which several processes may share; with it tasks outlive their
   * session. Default: in memory.
   */
  readonly file?: string | undefined;
}

const kinds: OptionKinds<TaskBoardOptions> = { file: kindOf.absolutePath };

/** The tasks of one session, and the id that comes next. */
interface Session {
  readonly nextId: number;
  readonly tasks: readonly BoardTask[];
}

type Sessions = readonly (readonly [sessionId: string, session: Session])[];
const empty: Session = { nextId: 1, tasks: [] };

/** Tasks of each session, in memory or in a file of JSON that is changed under a lock. */
export function createTaskBoard(options: TaskBoardOptions = {}): Required<TaskBoard> {
  assertOptions('createTaskBoard', options, kinds);
  const file = options.file === undefined ? undefined : new JsonFile(options.file, readSessions);
  let memory: Sessions = [];
  const tasksOf = ({ sessionId }: Caller) => sessionOf(file?.read() ?? memory, sessionId).tasks;
  /** `change` answers the session as it is to be, and the task that it is about. */
  const changed = async (
    { caller: { sessionId }, signal }: CallScope,
    change: (session: Session) => readonly [Session, BoardTask],
  ): Promise<BoardTask> => {
    const decide = (sessions: Sessions): FileChange<Sessions, BoardTask> => {
      const [session, result] = change(sessionOf(sessions, sessionId));
      return { content: [...otherThan(sessions, sessionId), [sessionId, session]], result };
    };
    if (file !== undefined) return await file.change(decide, signal);
    const { content, result } = decide(memory);
    memory = content;
    return result;
  };
  return {
    create: (task, scope) => changed(scope, (session) => created(session, task)),
    get: (taskId, { caller }) => tasksOf(caller).find(({ id }) => id === taskId),
    update: (taskId, change, scope) => changed(scope, (session) => updated(session, taskId, change)),
    list: ({ caller }) => tasksOf(caller),
    endSession: (sessionId) => {
      memory = otherThan(memory, sessionId);
    },
  };
}

function sessionOf(sessions: Sessions, sessionId: string): Session {
  return sessions.find(([id]) => id === sessionId)?.[1] ?? empty;
}

function otherThan(sessions: Sessions, sessionId: string): Sessions {
  return sessions.filter(([id]) => id !== sessionId);
}

function created({ nextId, tasks }: Session, task: NewBoardTask): readonly [Session, BoardTask] {
  if (tasks.length >= planningNumbers.maxTasks)
    throw new ToolError('limit_reached', `There are ${tasks.length} tasks already. Delete those that are done first.`);
  const made: BoardTask = { id: `${nextId}`, ...task, status: 'pending', blocks: [], blockedBy: [] };
  return [{ nextId: nextId + 1, tasks: [...tasks, made] }, made];
}

function updated(
  session: Session,
  id: string,
  { status, addBlocks = [], addBlockedBy = [], metadata, ...rest }: BoardTaskChange,
): readonly [Session, BoardTask] {
  const tasks = new Map(session.tasks.map((task) => [task.id, task]));
  const known = (field: string, wanted: string): BoardTask => {
    const task = tasks.get(wanted);
    if (task === undefined)
      throw refused(field, `there is no task ${JSON.stringify(wanted)}; TaskList shows those there are`);
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
  const given = Object.entries({ ...rest, status }).filter(([, value]) => value !== undefined);
  change(task, { ...Object.fromEntries(given), ...(metadata && { metadata: merged(task.metadata, metadata) }) });
  const edges = [
    ...addBlocks.map((other) => ['addBlocks', id, other] as const),
    ...addBlockedBy.map((other) => ['addBlockedBy', other, id] as const),
  ];
  for (const [field, from, to] of edges) {
    const other = from === id ? to : from;
    if (reaches(tasks, known(field, to).id, known(field, from).id))
      throw refused(field, `task ${id} and task ${other} would wait for each other; leave one of the two out`);
    change(known(field, from), { blocks: [...without(known(field, from).blocks, to), to] });
    change(known(field, to), { blockedBy: [...without(known(field, to).blockedBy, from), from] });
  }
  const result = known('taskId', id);
  const open = result.blockedBy.filter((other) => tasks.get(other)?.status !== 'completed');
  if (status === 'in_progress' && open.length > 0)
    throw refused('status', `task ${id} cannot start before ${open.join(', ')}; complete what it waits for first`);
  return [{ ...session, tasks: [...tasks.values()] }, result];
}

/** Whether a task is another, or blocks it, directly or through others. */
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

function readSessions(json: unknown): Sessions {
  const entries = json ?? [];
  const isSession = ([id, session]: readonly [unknown, Session]) =>
    typeof id === 'string' && Number.isSafeInteger(session.nextId) && session.tasks.every(isBoardTask);
  if (Array.isArray(entries) && entries.every(isSession)) return entries;
  throw new Error('it holds something else than tasks');
}

/** Whether a value is a task of a board. */
export function isBoardTask(value: unknown): value is BoardTask {
  if (!isRecord(value)) return false;
  const { id, subject, description, status, owner = '', activeForm = '', blocks, blockedBy, metadata = {} } = value;
  const lists = Array.isArray(blocks) && Array.isArray(blockedBy) ? [...blocks, ...blockedBy] : [undefined];
  const areTexts = [id, subject, description, owner, activeForm, ...lists].every((text) => typeof text === 'string');
  return areTexts && /^(pending|in_progress|completed)$/.test(`${status}`) && isJson(metadata);
}

function isJson(value: unknown): boolean {
  try {
    return isRecord(value) && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
