import type { QueuedCall } from '../core/toolkit.js';
import type { PlanMode } from '../host/plan-mode.js';

/** Plan mode in memory, off at first. */
export function createPlanMode(): PlanMode {
  let isActive = false;
  let queue: readonly QueuedCall[] = [];
  return {
    get isActive() {
      return isActive;
    },
    get queue() {
      return queue;
    },
    enter: () => {
      isActive = true;
    },
    exit: () => {
      isActive = false;
    },
    add: (call) => {
      queue = [...queue, call];
    },
    clear: () => {
      queue = [];
    },
  };
}
