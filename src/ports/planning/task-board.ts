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
  /** The agent that works on it. */
  readonly owner?: string | undefined;
  /** Tasks that wait for this one. */
  readonly blocks: readonly string[];
  /** Tasks that this one waits for. Both ends of a dependency are kept. */
  readonly blockedBy: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A new task. */
export type NewBoardTask = Pick<BoardTask, 'subject' | 'description' | 'activeForm' | 'metadata'>;

/** Changes of a task; fields that are left out stay. */
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
 * Stores the tasks of each session. A change is made whole or not at all. It rejects with `invalid_input` that names
 * the task for an unknown id, circular dependencies, and the start of a task that waits for another.
 */
export interface TaskBoard {
  create(task: NewBoardTask, scope: CallScope): Promise<BoardTask> | BoardTask;
  get(taskId: string, scope: CallScope): Promise<BoardTask | undefined> | BoardTask | undefined;
  /**
   * Changes a task; null in `metadata` removes a key. Resolves with the changed task, or with the last state of a
   * deleted one.
   */
  update(taskId: string, change: BoardTaskChange, scope: CallScope): Promise<BoardTask> | BoardTask;
  /** By id, lowest first. */
  list(scope: CallScope): Promise<readonly BoardTask[]> | readonly BoardTask[];
  /** Deletes the tasks of a session. */
  endSession?(sessionId: string): void;
}
