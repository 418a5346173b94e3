import { createHash } from 'node:crypto';
import { win32 } from 'node:path';
import type { CallScope } from '../core/context.js';
import {
  assertNeeded,
  assertOptions,
  isRecord,
  kindOf,
  type OptionKinds,
  withHandledRejection,
} from '../core/support/check-values.js';
import { LatestMap } from '../core/support/latest-map.js';
import { traitsOf } from '../core/tool-names.js';
import type { PostToolUseEvent, PostToolUseFailureAnswer, PreToolUseEvent, ToolHooks } from '../ports/hooks.js';

/** @deprecated No function uses this type; removed in 1.0. */
export type LoopLimits = Readonly<Record<keyof LoopGuardOptions, number>>;

/** Each limit is a whole number from 1 up, or Infinity for no limit. */
export interface LoopGuardOptions {
  /** A note is added once a call gave the same result this many times with no new write in between. Default 3. */
  readonly maxSameCalls?: number | undefined;
  /** A note is added once a tool failed this many times in a row. Default 6. */
  readonly maxFailures?: number | undefined;
}

/** How often a result or failure occurred in a row, and whether a call was denied for it after the last occurrence. */
interface Streak {
  times: number;
  wasDenied: boolean;
}

interface CallHistory extends Streak {
  readonly result: string;
  readonly hasSucceeded: boolean;
  /** Whether the call has ever succeeded, also with another result. */
  readonly hasEverSucceeded: boolean;
}

const kinds: OptionKinds<LoopGuardOptions> = { maxSameCalls: kindOf.count, maxFailures: kindOf.count };
const maxRemembered = 1_000;
const noChange = 'Repeating it will not change that';
/** Fields that do not change the effect of an input with a `command`; in other inputs they may matter. */
const ignoredWithCommand = new Set(['description', 'timeout']);

/**
 * Hooks that stop two kinds of loops: the same call with the same result, and one tool that keeps failing. From the
 * limit on, each result gets a note for the model. Beyond the limit, every second call is denied; the other calls run,
 * so that a change from outside is noticed. A write resets the count of same results; a call counts as a write if it
 * may write files and succeeds for the first time. Calls that never ran are not counted. Throws a TypeError for invalid
 * options.
 */
export function createLoopGuard(options: LoopGuardOptions = {}): ToolHooks {
  assertOptions('createLoopGuard', options, kinds);
  const { maxSameCalls = 3, maxFailures = 6 } = options;
  const agents = new LatestMap<string, ReturnType<typeof agentHistory>>(maxRemembered);
  const historyOf = ({ caller }: CallScope) => {
    const key = `${caller.sessionId}\0${caller.agentId ?? ''}`;
    const history = agents.get(key) ?? agentHistory({ maxSameCalls, maxFailures });
    agents.set(key, history);
    return history;
  };
  return {
    PreToolUse: [{ hooks: [(event, scope) => historyOf(scope).check(event)] }],
    PostToolUse: [{ hooks: [(event, scope) => historyOf(scope).succeeded(event)] }],
    PostToolUseFailure: [{ hooks: [(event, scope) => historyOf(scope).failed(event, event.error.message)] }],
    onSessionEnd: (sessionId) => {
      for (const key of agents.keys()) if (key.startsWith(`${sessionId}\0`)) agents.delete(key);
    },
  };
}

function agentHistory(limits: Readonly<Record<keyof LoopGuardOptions, number>>) {
  const calls = new LatestMap<string, CallHistory>(maxRemembered);
  const failures = new Map<string, Streak>();

  function check(event: PreToolUseEvent) {
    const { tool } = event;
    const call = calls.get(keyOf(event));
    if (mustDeny(call, limits.maxSameCalls))
      return deny(`this call gave the same result ${times(call)} with no new write in between; do something else`);
    const streak = failures.get(tool);
    if (mustDeny(streak, limits.maxFailures))
      return deny(`${tool} failed ${timesInARow(streak)}; read its last message and use another tool first`);
    return {};
  }

  function succeeded(event: PostToolUseEvent): PostToolUseFailureAnswer {
    failures.delete(event.tool);
    // A model can wait for a running task only by polling it.
    if (traitsOf(event).awaits === true && event.result.metadata?.state === 'running') return {};
    const isFirst = calls.get(keyOf(event))?.hasEverSucceeded !== true;
    if (isFirst && mayWriteFiles(event)) for (const call of calls.values()) call.times = 0;
    const call = count(event, event.result.output, true);
    if (!isAtLimit(call)) return {};
    return note(`This call gave the same result ${times(call)}. ${noChange}; try another way.`);
  }

  function failed(event: PreToolUseEvent, message: string): PostToolUseFailureAnswer {
    const { tool } = event;
    const streak = failures.get(tool) ?? { times: 0, wasDenied: false };
    failures.set(tool, streak);
    countOnce(streak);
    const call = count(event, message, false);
    if (isAtLimit(call))
      return note(
        `This call failed in the same way ${times(call)}. ${noChange}; read the message and try another way.`,
      );
    if (streak.times < limits.maxFailures) return {};
    return note(`${tool} failed ${timesInARow(streak)}. Stop and find out why before you use it again.`);
  }

  /** Whether a result gets a note. A first result gets none, because it repeats nothing. */
  function isAtLimit({ times }: Streak): boolean {
    return times >= Math.max(2, limits.maxSameCalls);
  }

  function count(event: PreToolUseEvent, output: string, hasSucceeded: boolean): CallHistory {
    const result = hash(output);
    const key = keyOf(event);
    const known = calls.get(key);
    const isSame = known?.result === result && known.hasSucceeded === hasSucceeded;
    const hasEverSucceeded = hasSucceeded || known?.hasEverSucceeded === true;
    const call = isSame ? known : { result, hasSucceeded, hasEverSucceeded, times: 0, wasDenied: false };
    countOnce(call);
    calls.set(key, call);
    return call;
  }

  return { check, succeeded, failed };
}

/** Merges several sets of hooks, in order. The strictest `onHookError` applies. */
export function mergeHooks(...sets: readonly ToolHooks[]): ToolHooks {
  for (const set of sets) assertNeeded('mergeHooks', set);
  return {
    // Unknown fields are kept, so that the toolkit names them in its error.
    ...Object.assign({}, ...sets),
    PreToolUse: sets.flatMap((set) => set.PreToolUse ?? []),
    PostToolUse: sets.flatMap((set) => set.PostToolUse ?? []),
    PostToolUseFailure: sets.flatMap((set) => set.PostToolUseFailure ?? []),
    // Every set is called, even after one has failed, so that each set deletes its state.
    onSessionEnd: (sessionId) => {
      const failures: unknown[] = [];
      for (const set of sets) {
        try {
          withHandledRejection<unknown>(set.onSessionEnd?.(sessionId));
        } catch (failure) {
          failures.push(failure);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'Hooks failed at the end of a session');
    },
    onAgentEnd: (caller) => Promise.allSettled(sets.map(async (set) => await set.onAgentEnd?.(caller))),
    onHookError: sets.length > 0 && sets.every((set) => set.onHookError === 'allow') ? 'allow' : 'deny',
  };
}

/** Whether a call may write files, with POSIX or Windows paths. Footprints also contain keys such as `todos`. */
function mayWriteFiles({ footprint }: PreToolUseEvent): boolean {
  const writes = footprint?.writes ?? 'everything';
  return typeof writes === 'string' ? writes === 'everything' : writes.some((key) => win32.isAbsolute(key));
}

function mustDeny(streak: Streak | undefined, max: number): streak is Streak {
  if (streak === undefined || streak.times <= max || streak.wasDenied) return false;
  streak.wasDenied = true;
  return true;
}

function countOnce(streak: Streak): void {
  streak.times += 1;
  streak.wasDenied = false;
}

function deny(reason: string) {
  return { decision: 'deny', reason } as const;
}

function note(additionalContext: string): PostToolUseFailureAnswer {
  return { additionalContext };
}

function times({ times: count }: Streak): string {
  return count === 1 ? 'once' : `${count} times`;
}

function timesInARow(streak: Streak): string {
  return streak.times === 1 ? 'once' : `${times(streak)} in a row`;
}

function keyOf({ tool, input }: PreToolUseEvent): string {
  return hash(`${tool}\0${JSON.stringify(input, normalize)}`);
}

/** Sorts the fields, because models write them in any order. Drops fields without influence on a command. */
function normalize(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !('command' in value && ignoredWithCommand.has(name)));
  return Object.fromEntries(fields.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
