import { callerKind } from '../../core/caller-kind.js';
import { having, kindOf, type OptionKinds, orFalse, signalKind, timersKind } from '../../core/support/option-kinds.js';
import type { Turn } from './run.js';
import type { RunOptions } from './run-options.js';

/** What the options of a run take; what is checked elsewhere, with a message of its own, takes anything here. */
export const runKinds: OptionKinds<RunOptions> = {
  registry: having('a ToolRegistry', 'snapshot'),
  permissions: kindOf.anything,
  hooks: kindOf.anything,
  hookPrograms: kindOf.record,
  rateLimiter: having('a rate limiter', 'take'),
  scrubber: orFalse(having('a scrubber', 'text')),
  policy: kindOf.anything,
  planMode: kindOf.anything,
  toolResolver: kindOf.callback,
  retry: kindOf.record,
  deadLetters: having('a store of dead letters', 'add'),
  outputStore: having('an output store', 'save'),
  limits: kindOf.record,
  concurrency: kindOf.anything,
  places: having('a file tree', 'resolve'),
  turns: having('what knows the turns', 'enter', 'leave'),
  timers: timersKind,
};

/** What the options of a turn take. */
export const turnKinds: OptionKinds<Turn> = {
  caller: callerKind,
  signal: signalKind,
  onEvent: kindOf.callback,
  timeoutMs: kindOf.milliseconds,
};
