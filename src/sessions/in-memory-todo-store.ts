import type { Todo } from '../core/todo.js';
import type { TodoStore } from '../ports/planning/todo-store.js';

/** Todos in memory. */
export function createTodoStore(): Required<TodoStore> {
  const sessions = new Map<string, Map<string | undefined, readonly Todo[]>>();
  return {
    get: ({ caller: { sessionId, agentId } }) => sessions.get(sessionId)?.get(agentId) ?? [],
    set: (todos, { caller: { sessionId, agentId } }) => {
      const lists = sessions.get(sessionId) ?? new Map<string | undefined, readonly Todo[]>();
      sessions.set(
        sessionId,
        lists.set(
          agentId,
          todos.map((todo) => ({ ...todo })),
        ),
      );
    },
    endSession: (sessionId) => void sessions.delete(sessionId),
  };
}
