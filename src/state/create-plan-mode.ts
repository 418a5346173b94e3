import { assertOptions } from '../core/option-kinds.js';
import type { QueuedCall } from '../core/toolkit.js';
import type { PlanMode } from '../host/plan-mode.js';

/** Plan mode in memory, off at first. It has no options: throws a TypeError for any. */
export function createPlanMode(options: Readonly<Record<string, never>> = {}): PlanMode {
  assertOptions('createPlanMode', options, {});
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
