import type { CallScope } from '../../core/context.js';
import type { Todo } from '../../core/todo.js';

/** Keeps the todos of an agent: one list for each session, and each agent in it. */
export interface TodoStore {
  get(scope: CallScope): Promise<readonly Todo[]> | readonly Todo[];
  /** Puts a list in the place of the old one. */
  set(todos: readonly Todo[], scope: CallScope): Promise<void> | void;
  /** Forgets the lists of a session. */
  endSession?(sessionId: string): void;
}
