import type { Caller } from '../../core/context.js';
import type { QueuedCall } from '../../core/registry/toolkit.js';

/** While plan mode is active, calls with effects are queued instead of run. */
export interface PlanMode {
  readonly isActive: boolean;
  readonly queue: readonly QueuedCall[];
  enter(): void;
  exit(): void;
  add(call: QueuedCall): void;
  clear(): void;
  /** The plan mode of a caller's session. Default: one plan mode for all sessions. */
  of?(caller: Caller): PlanMode;
  /** Deletes the plan of a session. */
  endSession?(sessionId: string): void;
}
