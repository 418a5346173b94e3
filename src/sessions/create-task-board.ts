import type { Caller, CallScope } from '../core/context.js';
import { assertOptions, ifPossible, isRecord, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { type JsonChange, jsonFile } from '../files/disk/json-file.js';
import type { BoardTask, TaskBoard } from '../ports/planning/task-board.js';
import { noTasks, type TaskSession, type TaskSessionChange, withChange, withTask } from './task-board-changes.js';

/** Options of {@link createTaskBoard}. */
export interface TaskBoardOptions {
  /** Absolute path of a file that keeps tasks after their session. Processes may share it. Default: memory. */
  readonly file?: string | undefined;
}

const kinds: OptionKinds<TaskBoardOptions> = { file: kindOf.absolutePath };

type Sessions = readonly (readonly [sessionId: string, session: TaskSession])[];

/** Stores the tasks of each session, in memory or in a JSON file that is changed under a lock. */
export function createTaskBoard(options: TaskBoardOptions = {}): Required<TaskBoard> {
  assertOptions('createTaskBoard', options, kinds);
  const file = options.file === undefined ? undefined : jsonFile(options.file, readSessions);
  let memory: Sessions = [];
  const tasksOf = ({ sessionId }: Caller) => sessionOf(file?.read() ?? memory, sessionId).tasks;
  /** `change` returns the new state of the session, and the changed task. */
  const changed = async (
    { caller: { sessionId }, signal }: CallScope,
    change: TaskSessionChange,
  ): Promise<BoardTask> => {
    const decide = (sessions: Sessions): JsonChange<Sessions, BoardTask> => {
      const [session, result] = change(sessionOf(sessions, sessionId));
      return { content: [...otherThan(sessions, sessionId), [sessionId, session]], result };
    };
    if (file !== undefined) return await file.change(decide, signal);
    const { content, result } = decide(memory);
    memory = content;
    return result;
  };
  return {
    create: (task, scope) => changed(scope, (session) => withTask(session, task)),
    get: (taskId, { caller }) => tasksOf(caller).find(({ id }) => id === taskId),
    update: (taskId, change, scope) => changed(scope, (session) => withChange(session, taskId, change)),
    list: ({ caller }) => tasksOf(caller),
    endSession: (sessionId) => {
      memory = otherThan(memory, sessionId);
    },
  };
}

function sessionOf(sessions: Sessions, sessionId: string): TaskSession {
  return sessions.find(([id]) => id === sessionId)?.[1] ?? noTasks;
}

function otherThan(sessions: Sessions, sessionId: string): Sessions {
  return sessions.filter(([id]) => id !== sessionId);
}

function readSessions(json: unknown): Sessions {
  const entries = json ?? [];
  const isSession = ([id, session]: readonly [unknown, TaskSession]) =>
    typeof id === 'string' && Number.isSafeInteger(session.nextId) && session.tasks.every(isBoardTask);
  if (Array.isArray(entries) && ifPossible(() => entries.every(isSession)) === true) return entries;
  throw new Error('its content is not a list of tasks');
}

/** Whether a value is a task of a board. */
export function isBoardTask(value: unknown): value is BoardTask {
  if (!isRecord(value)) return false;
  const { id, subject, description, status, owner = '', activeForm = '', blocks, blockedBy, metadata = {} } = value;
  const lists = Array.isArray(blocks) && Array.isArray(blockedBy) ? [...blocks, ...blockedBy] : [undefined];
  const areTexts = [id, subject, description, owner, activeForm, ...lists].every((text) => typeof text === 'string');
  const isJson = isRecord(metadata) && ifPossible(() => JSON.stringify(metadata)) !== undefined;
  return areTexts && isJson && /^(pending|in_progress|completed)$/.test(`${status}`);
}
