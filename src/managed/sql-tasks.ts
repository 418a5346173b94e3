import type { CallScope } from '../core/context.js';
import type { BoardTask, TaskBoard } from '../ports/planning/task-board.js';
import type { SqlClient } from '../ports/sql-client.js';
import { type TaskSessionChange, withChange, withTask } from '../sessions/session-tasks.js';
import { SessionEnds } from './session-ends.js';
import { SqlRows } from './sql-rows.js';

/** Tasks in a table, one row for each session, locked during a change. */
export function sqlTasks(client: SqlClient): TaskBoard {
  const rows = new SqlRows(client, 'tasks');
  const ends = new SessionEnds();
  const tasksOf = async ({ caller }: CallScope) => {
    await ends.over();
    const [row] = await rows.find({ session_id: caller.sessionId });
    return (row?.tasks ?? []) as readonly BoardTask[];
  };
  const changed = async ({ caller }: CallScope, change: TaskSessionChange) => {
    await ends.over();
    return await client.transaction(async (queries) => {
      const locked = new SqlRows(queries, 'tasks');
      const key = { session_id: caller.sessionId };
      const [row] = await locked.put(key, {}, 'updated_at = now()');
      const [{ nextId, tasks }, result] = change({
        nextId: Number(row?.next_id),
        tasks: row?.tasks as readonly BoardTask[],
      });
      await locked.change(key, { next_id: nextId, tasks: JSON.stringify(tasks) }, 'updated_at = now()');
      return result;
    });
  };
  return {
    create: (task, scope) => changed(scope, (session) => withTask(session, task)),
    get: async (taskId, scope) => (await tasksOf(scope)).find(({ id }) => id === taskId),
    update: (taskId, change, scope) => changed(scope, (session) => withChange(session, taskId, change)),
    list: tasksOf,
    endSession: (sessionId) => ends.forget(rows, sessionId),
  };
}
