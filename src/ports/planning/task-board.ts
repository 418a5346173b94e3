import type { CallScope } from '../../core/context.js';

/** A task that agents of one session share. */
export interface BoardTask {
  /** A number from 1 up, in text; never given twice in a session. */
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** The subject in words for while it is done: "Running the tests". */
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

/** A task that is to be. */
export type NewBoardTask = Pick<BoardTask, 'subject' | 'description' | 'activeForm' | 'metadata'>;

/** What changes of a task; what is left out stays. */
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
 * Keeps the tasks of each session. A change is made whole or not at all, and rejects with `invalid_input` that names
 * the task: an unknown id, dependencies in a circle, the start of a task that waits for another.
 */
export interface TaskBoard {
  create(task: NewBoardTask, scope: CallScope): Promise<BoardTask> | BoardTask;
  get(taskId: string, scope: CallScope): Promise<BoardTask | undefined> | BoardTask | undefined;
  /** Merges `metadata`, where null takes a key out. Answers the task as it is now, or as it was where it is deleted. */
  update(taskId: string, change: BoardTaskChange, scope: CallScope): Promise<BoardTask> | BoardTask;
  /** By id, lowest first. */
  list(scope: CallScope): Promise<readonly BoardTask[]> | readonly BoardTask[];
  /** Forgets the tasks of a session. */
  endSession?(sessionId: string): void;
}
