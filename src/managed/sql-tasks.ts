import type { CallScope } from '../core/context.js';
import type { BoardTask, TaskBoard } from '../host/planning/task-board.js';
import type { SqlClient } from '../host/sql-client.js';
import { type TaskSessionChange, withChange, withTask } from '../state/planning/task-session.js';
import { SessionEnds } from './session-ends.js';

/** Tasks of each session in a row, which is locked while it is changed. */
export function sqlTasks(client: SqlClient): TaskBoard {
  const ends = new SessionEnds(client, 'tasks');
  const tasksOf = async ({ caller }: CallScope) => {
    await ends.over();
    const { rows } = await client.query('SELECT tasks FROM tasks WHERE session_id = $1', [caller.sessionId]);
    return (rows[0]?.tasks ?? []) as readonly BoardTask[];
  };
  const changed = async ({ caller: { sessionId } }: CallScope, change: TaskSessionChange) => {
    await ends.over();
    return await client.transaction(async ({ query }) => {
      const { rows } = await query(
        `INSERT INTO tasks (session_id) VALUES ($1)
        ON CONFLICT (session_id) DO UPDATE SET updated_at = now() RETURNING next_id, tasks`,
        [sessionId],
      );
      const tasks = rows[0]?.tasks as readonly BoardTask[];
      const [session, result] = change({ nextId: Number(rows[0]?.next_id), tasks });
      await query('UPDATE tasks SET next_id = $2, tasks = $3 WHERE session_id = $1', [
        ...[sessionId, session.nextId],
        JSON.stringify(session.tasks),
      ]);
      return result;
    });
  };
  return {
    create: (task, scope) => changed(scope, (session) => withTask(session, task)),
    get: async (taskId, scope) => (await tasksOf(scope)).find(({ id }) => id === taskId),
    update: (taskId, change, scope) => changed(scope, (session) => withChange(session, taskId, change)),
    list: tasksOf,
    endSession: (sessionId) => ends.forget(sessionId),
  };
}
