import type { CallScope } from '../core/context.js';
import type { Todo } from '../core/todo.js';
import type { TodoStore } from '../ports/planning/todo-store.js';
import type { SqlQueries } from '../ports/sql-client.js';
import { SessionEnds } from './session-ends.js';
import { SqlRows } from './sql-rows.js';

/** Todos in a table, one row for each agent of a session. */
export function sqlTodos(queries: SqlQueries): TodoStore {
  const rows = new SqlRows(queries, 'todos');
  const ends = new SessionEnds();
  const keyOf = ({ caller }: CallScope) => ({ session_id: caller.sessionId, agent_id: caller.agentId });
  return {
    async get(scope) {
      await ends.over();
      const [row] = await rows.find(keyOf(scope));
      return (row?.todos ?? []) as readonly Todo[];
    },
    async set(todos, scope) {
      await ends.over();
      await rows.put(keyOf(scope), { todos: JSON.stringify(todos) }, 'updated_at = now()');
    },
    endSession: (sessionId) => ends.forget(rows, sessionId),
  };
}
