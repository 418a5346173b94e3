import type { CallScope } from '../core/context.js';
import { isRecord } from '../core/support/is-record.js';
import { assertNeeded, assertOptions, type OptionKind, type OptionKinds } from '../core/support/option-kinds.js';
import { traitsOf } from '../core/tool-names.js';
import type {
  PostToolUseAnswer,
  PostToolUseEvent,
  PostToolUseFailureAnswer,
  PostToolUseFailureEvent,
  PreToolUseAnswer,
  PreToolUseEvent,
  ToolHooks,
} from '../ports/hooks.js';
import { digest } from './digest.js';
import { type LoopLimits, type SeenCall, SessionLoops } from './session-loops.js';

/** When a loop guard speaks up. Each limit is a whole number from 1 up, or Infinity for none. */
export interface LoopGuardOptions {
  /** The same call with the same result, with nothing changed in between that can matter to it. Default 3. */
  readonly maxSameCalls?: number | undefined;
  /** Failures of one tool in a row. Default 6. */
  readonly maxFailures?: number | undefined;
}

const count: OptionKind = {
  takes: 'a whole number from 1 up, or Infinity',
  isShown: true,
  holds: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && (value as number) > 0),
};
const kinds: OptionKinds<LoopGuardOptions> = { maxSameCalls: count, maxFailures: count };
const maxSessions = 1_000;
/** Elsewhere such fields may be what a call is about, such as the description of a ticket. */
const besideCommand = new Set(['description', 'timeout']);

/**
 * Hooks that notice a model going in circles: the same call with the same result, one tool failing over and over. At
 * the limit the model gets a note with the result; if it goes on, a call is denied, and the one after that may run
 * again. A change that can matter to a repeat makes it fresh. A call that was refused before counts nowhere, and so does
 * one that never runs after all. Throws a TypeError for options that make no sense.
 */
export function createLoopGuard(options: LoopGuardOptions = {}): ToolHooks {
  assertOptions('createLoopGuard', options, kinds);
  const { maxSameCalls = 3, maxFailures = 6 } = options;
  const limits: LoopLimits = { maxSameCalls, maxFailures };
  const sessions = new Map<string, SessionLoops>();
  const of = ({ caller }: CallScope): SessionLoops => {
    const key = `${caller.sessionId}\0${caller.agentId ?? ''}`;
    const loops = sessions.get(key) ?? new SessionLoops(limits);
    // Taken out and put back, so that the session idle longest is forgotten first.
    sessions.delete(key);
    sessions.set(key, loops);
    const [oldest] = sessions.keys();
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    return loops;
  };
  const before = (event: PreToolUseEvent, scope: CallScope): PreToolUseAnswer => {
    const reason = of(scope).objection(seen(event));
    return reason === undefined ? {} : { decision: 'deny', reason };
  };
  const after = (event: PostToolUseEvent, scope: CallScope): PostToolUseAnswer =>
    note(of(scope).succeeded(seen(event), isPolling(event) ? undefined : digest(event.result.output)));
  const afterFailure = (event: PostToolUseFailureEvent, scope: CallScope): PostToolUseFailureAnswer =>
    note(of(scope).failed(seen(event), digest(event.error.message)));
  return {
    PreToolUse: [{ hooks: [before] }],
    PostToolUse: [{ hooks: [after] }],
    PostToolUseFailure: [{ hooks: [afterFailure] }],
    onSessionEnd: (sessionId) => {
      for (const key of sessions.keys()) if (key.startsWith(`${sessionId}\0`)) sessions.delete(key);
    },
  };
}

/** Several sets of hooks as one, in order. The strictest `onHookError` counts. */
export function mergeHooks(...sets: readonly ToolHooks[]): ToolHooks {
  for (const set of sets) assertNeeded('mergeHooks', set);
  return {
    // What is misspelt goes along, for the toolkit to refuse.
    ...Object.assign({}, ...sets),
    PreToolUse: sets.flatMap((set) => set.PreToolUse ?? []),
    PostToolUse: sets.flatMap((set) => set.PostToolUse ?? []),
    PostToolUseFailure: sets.flatMap((set) => set.PostToolUseFailure ?? []),
    onSessionEnd: (sessionId) => {
      for (const set of sets) set.onSessionEnd?.(sessionId);
    },
    onAgentEnd: (caller) => Promise.all(sets.map((set) => set.onAgentEnd?.(caller))),
    onHookError: sets.every((set) => set.onHookError === 'allow') ? 'allow' : 'deny',
  };
}

function note(text: string | undefined): PostToolUseFailureAnswer {
  return text === undefined ? {} : { additionalContext: text };
}

/** There is nothing else to do for a task that is awaited but to look again. */
function isPolling(event: PostToolUseEvent): boolean {
  return traitsOf(event).awaits === true && event.result.metadata?.state === 'running';
}

function seen(event: PreToolUseEvent): SeenCall {
  return { ...event, key: digest(`${event.tool}\0${JSON.stringify(event.input, sorted)}`) };
}

/**
 * A model writes the fields of one call now in this order, now in that, and words anew what a command is called and how
 * long it may take.
 */
function sorted(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !('command' in value && besideCommand.has(name)));
  return Object.fromEntries(fields.sort(([left], [right]) => (left < right ? -1 : 1)));
}
