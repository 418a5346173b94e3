import type { CallScope } from '../../core/context.js';
import type { Todo } from '../../core/todo.js';
import { askHost } from '../../ports/ask-host.js';
import type { TodoStore } from '../../ports/planning/todo-store.js';

/** The dependencies of the tools for todos. */
export interface TodoDependencies {
  readonly todos: TodoStore;
  /** How long the store may take; 0 = no limit. */
  readonly timeoutMs: number;
}

/** Reads the todos of the calling agent from the store. */
export function readTodos({ todos, timeoutMs }: TodoDependencies, scope: CallScope): Promise<readonly Todo[]> {
  return askHost({ option: 'todos', timeoutMs, isUsable: areTodos }, scope, (inner) => todos.get(inner));
}

/** Todos as the model reads them, one per line. */
export function todoLines(todos: readonly Todo[]): readonly string[] {
  const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };
  return todos.map(({ content, status }) => `${marks[status]} ${content.replaceAll(/\s+/g, ' ')}`);
}

function areTodos(value: readonly Todo[]): boolean {
  return Array.isArray(value) && value.every(isTodo);
}

function isTodo(value: unknown): boolean {
  const { content, status, activeForm } = (value ?? {}) as Partial<Todo>;
  return (
    typeof content === 'string' &&
    typeof activeForm === 'string' &&
    /^(pending|in_progress|completed)$/.test(`${status}`)
  );
}
