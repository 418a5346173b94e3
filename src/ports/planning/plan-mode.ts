import type { Caller } from '../../core/context.js';
import type { QueuedCall } from '../../core/registry/toolkit.js';

/** While it is active, calls that would act are queued in place of being run. */
export interface PlanMode {
  readonly isActive: boolean;
  readonly queue: readonly QueuedCall[];
  enter(): void;
  exit(): void;
  add(call: QueuedCall): void;
  clear(): void;
  /** The plan mode of the session of a caller. Left out: this one is for all sessions. */
  of?(caller: Caller): PlanMode;
  /** Forgets the plan of a session. */
  endSession?(sessionId: string): void;
}
