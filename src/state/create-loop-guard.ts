import type { CallScope } from '../core/context.js';
import { nodeCrypto } from '../core/node-modules.js';
import type {
  PostToolUseAnswer,
  PostToolUseEvent,
  PostToolUseFailureEvent,
  PreToolUseAnswer,
  PreToolUseEvent,
  ToolHooks,
} from '../host/hooks.js';
import { type LoopLimits, SessionLoops } from './session-loops.js';

/** When a loop guard speaks up. */
export interface LoopGuardOptions extends Partial<LoopLimits> {
  /** Monotonic milliseconds, for tests. */
  readonly now?: (() => number) | undefined;
}

const defaults: LoopLimits = { maxSameCalls: 3, maxSwings: 2, maxFailures: 6, maxSpawns: 10, spawnWindowMs: 60_000 };
const maxSessions = 1_000;

/**
 * Hooks that notice a model going in circles: the same call with the same result, edits that undo each other, one tool failing over and over,
 * agents started in a rush. The first time the limit is reached the model gets a note with the result; if it goes on all the same, the call is denied.
 * Pass them as `hooks`, or put them beside your own with {@link mergeHooks}.
 */
export function createLoopGuard({ now = () => performance.now(), ...limits }: LoopGuardOptions = {}): ToolHooks {
  const sessions = new Map<string, SessionLoops>();
  const of = ({ caller }: CallScope): SessionLoops => {
    const key = `${caller.sessionId}\0${caller.agentId ?? ''}`;
    const loops = sessions.get(key) ?? new SessionLoops({ ...defaults, ...limits }, now);
    // Taken out and put back, so that the session idle longest is forgotten first.
    sessions.delete(key);
    sessions.set(key, loops);
    const [oldest] = sessions.keys();
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    return loops;
  };
  return {
    PreToolUse: [
      {
        hooks: [
          ({ tool, input }: PreToolUseEvent, scope): PreToolUseAnswer => denial(of(scope).objection(tool, keyOf(tool, input), input)),
        ],
      },
    ],
    PostToolUse: [
      {
        hooks: [
          ({ tool, input, result }: PostToolUseEvent, scope): PostToolUseAnswer =>
            note(of(scope).succeeded(tool, keyOf(tool, input), input, digest(result.output))),
        ],
      },
    ],
    PostToolUseFailure: [
      {
        hooks: [
          ({ tool, input, error }: PostToolUseFailureEvent, scope): PostToolUseAnswer =>
            note(of(scope).failed(tool, keyOf(tool, input), digest(error.message))),
        ],
      },
    ],
  };
}

/** Several sets of hooks as one, in order. The strictest `onHookError` counts. */
export function mergeHooks(...sets: readonly ToolHooks[]): ToolHooks {
  return {
    PreToolUse: sets.flatMap((set) => set.PreToolUse ?? []),
    PostToolUse: sets.flatMap((set) => set.PostToolUse ?? []),
    PostToolUseFailure: sets.flatMap((set) => set.PostToolUseFailure ?? []),
    onHookError: sets.every((set) => set.onHookError === 'allow') ? 'allow' : 'deny',
  };
}

function denial(reason: string | undefined): PreToolUseAnswer {
  return reason === undefined ? {} : { decision: 'deny', reason };
}

function note(text: string | undefined): PostToolUseAnswer {
  return text === undefined ? {} : { additionalContext: text };
}

function keyOf(tool: string, input: unknown): string {
  return digest(`${tool}\0${JSON.stringify(input)}`);
}

function digest(text: string): string {
  return nodeCrypto().createHash('sha256').update(text).digest('base64');
}
