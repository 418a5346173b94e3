import type { CallScope } from '../../core/context.js';

/** A task that agents of one session share. */
export interface BoardTask {
  /** A number from 1 up, as text; never used twice in a session. */
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** The text to show while the task is in progress: "Running the tests". */
  readonly activeForm?: string | undefined;
  readonly status: 'pending' | 'in_progress' | 'completed';
  /** The agent that works on the task. */
  readonly owner?: string | undefined;
  /** Tasks that wait for this task. */
  readonly blocks: readonly string[];
  /** Tasks that this task waits for. A dependency is stored in both tasks. */
  readonly blockedBy: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A new task. */
export type NewBoardTask = Pick<BoardTask, 'subject' | 'description' | 'activeForm' | 'metadata'>;

/** Changes of a task; fields that are left out keep their value. */
export interface BoardTaskChange {
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly activeForm?: string | undefined;
  readonly owner?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly status?: BoardTask['status'] | 'deleted' | undefined;
  readonly addBlocks?: readonly string[] | undefined;
  readonly addBlockedBy?: readonly string[] | undefined;
}

/**
 * Stores the tasks of each session. A change is atomic. update` rejects with `invalid_input` for an unknown id,
 * circular dependencies, and the start of a task that waits for another task; the message names the task.
 */
export interface TaskBoard {
  create(task: NewBoardTask, scope: CallScope): Promise<BoardTask> | BoardTask;
  get(taskId: string, scope: CallScope): Promise<BoardTask | undefined> | BoardTask | undefined;
  /**
   * Changes a task; null in `metadata` removes a key. Resolves with its new state; for a deleted task, with its last
   * state.
   */
  update(taskId: string, change: BoardTaskChange, scope: CallScope): Promise<BoardTask> | BoardTask;
  /** All tasks by id, lowest first. */
  list(scope: CallScope): Promise<readonly BoardTask[]> | readonly BoardTask[];
  /** Deletes the tasks of a session. */
  endSession?(sessionId: string): void;
}
