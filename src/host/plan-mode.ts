import type { QueuedCall } from '../core/toolkit.js';

/** While it is active, calls that would act are queued in place of being run. */
export interface PlanMode {
  readonly isActive: boolean;
  readonly queue: readonly QueuedCall[];
  enter(): void;
  exit(): void;
  add(call: QueuedCall): void;
  clear(): void;
}
