import type { CallScope } from '../../core/context.js';
import type { Todo } from '../../core/todo.js';
import type { BoardTask, TaskBoard } from '../../ports/planning/task-board.js';
import type { TodoStore } from '../../ports/planning/todo-store.js';
import type { SqlClient, SqlQueries } from '../../ports/sql-client.js';
import { type TaskSessionChange, withChange, withTask } from '../../sessions/task-board-changes.js';
import { type Rows, sqlRows } from '../database/table-rows.js';

/** Todos in a table, one row for each agent of a session. */
export function sqlTodos(queries: SqlQueries): TodoStore {
  const rows = sqlRows(queries, 'todos');
  const { endSession, ended } = sessionEnds(rows);
  const keyOf = ({ caller }: CallScope) => ({ session_id: caller.sessionId, agent_id: caller.agentId });
  return {
    async get(scope) {
      await ended();
      const [row] = await rows.find(keyOf(scope));
      return (row?.todos ?? []) as readonly Todo[];
    },
    async set(todos, scope) {
      await ended();
      await rows.put(keyOf(scope), { todos: JSON.stringify(todos) }, 'updated_at = now()');
    },
    endSession,
  };
}

/** Tasks in a table, one row for each session, locked during a change. */
export function sqlTasks(client: SqlClient): TaskBoard {
  const rows = sqlRows(client, 'tasks');
  const { endSession, ended } = sessionEnds(rows);
  const tasksOf = async ({ caller }: CallScope) => {
    await ended();
    const [row] = await rows.find({ session_id: caller.sessionId });
    return (row?.tasks ?? []) as readonly BoardTask[];
  };
  const changed = async ({ caller }: CallScope, change: TaskSessionChange) => {
    await ended();
    return await client.transaction(async (queries) => {
      const locked = sqlRows(queries, 'tasks');
      const key = { session_id: caller.sessionId };
      const [row] = await locked.put(key, {}, 'updated_at = now()');
      const before = { nextId: Number(row?.next_id), tasks: row?.tasks as readonly BoardTask[] };
      const [{ nextId, tasks }, result] = change(before);
      await locked.change(key, { next_id: nextId, tasks: JSON.stringify(tasks) }, 'updated_at = now()');
      return result;
    });
  };
  return {
    create: (task, scope) => changed(scope, (session) => withTask(session, task)),
    get: async (taskId, scope) => (await tasksOf(scope)).find(({ id }) => id === taskId),
    update: (taskId, change, scope) => changed(scope, (session) => withChange(session, taskId, change)),
    list: tasksOf,
    endSession,
  };
}

/** Deletes the rows of ended sessions. `endSession` does not wait for the deletion; later calls of a store do. */
function sessionEnds(rows: Rows) {
  let deleted: Promise<unknown> = Promise.resolve();
  return {
    endSession(sessionId: string): void {
      // Rows remain if the deletion fails.
      const gone = rows.remove({ session_id: sessionId }).catch(() => {});
      deleted = Promise.all([deleted, gone]);
    },
    ended: () => deleted,
  };
}
