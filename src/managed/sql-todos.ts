import type { Todo } from '../core/todo.js';
import type { TodoStore } from '../host/planning/todo-store.js';
import type { SqlQueries } from '../host/sql-client.js';
import { SessionEnds } from './session-ends.js';
import { sqlCondition } from './sql-condition.js';

/** Todos in a table. */
export function sqlTodos(client: SqlQueries): TodoStore {
  const ends = new SessionEnds(client, 'todos');
  return {
    async get({ caller: { sessionId, agentId } }) {
      await ends.over();
      const { text, values } = sqlCondition({ session_id: sessionId, agent_id: agentId });
      const { rows } = await client.query(`SELECT todos FROM todos WHERE ${text}`, values);
      return (rows[0]?.todos ?? []) as readonly Todo[];
    },
    async set(todos, { caller: { sessionId, agentId } }) {
      await ends.over();
      await client.query(
        `INSERT INTO todos (session_id, agent_id, todos) VALUES ($1, $2, $3)
        ON CONFLICT (session_id, agent_id) DO UPDATE SET todos = EXCLUDED.todos, updated_at = now()`,
        [sessionId, agentId, JSON.stringify(todos)],
      );
    },
    endSession: (sessionId) => ends.forget(sessionId),
  };
}
