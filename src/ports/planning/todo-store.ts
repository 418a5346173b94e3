import type { CallScope } from '../../core/context.js';
import type { Todo } from '../../core/todo.js';

/** Stores todos: one list for each agent of each session. */
export interface TodoStore {
  get(scope: CallScope): Promise<readonly Todo[]> | readonly Todo[];
  /** Replaces the list. */
  set(todos: readonly Todo[], scope: CallScope): Promise<void> | void;
  /** Deletes the lists of a session. */
  endSession?(sessionId: string): void;
}
