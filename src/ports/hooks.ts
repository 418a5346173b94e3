import type { ToolTraits } from '../core/builtin-tools.js';
import type { Caller, CallScope } from '../core/context.js';
import type { AnyErrorCode, ToolError } from '../core/error.js';
import type { Footprint, ToolResult } from '../core/tool.js';

/** A call that is about to run. */
export interface PreToolUseEvent {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /**
   * What the call touches, canonical paths for files: `writes` is `'nothing'` for a call that only looks. After a
   * rewrite by an earlier hook it is that of the new input: nothing for an input that the tool does not take, which is
   * refused unless a later hook rewrites it once more, and everything where it is not known. The pipeline always says
   * it; who drives hooks without it may leave it out, and then it may be everything.
   */
  readonly footprint?: Footprint | undefined;
  /** What the tool states. Default: what the built-in tool of its name states. */
  readonly traits?: ToolTraits | undefined;
}

/**
 * What a PreToolUse hook may answer; an empty or missing answer changes nothing, one with other fields is a failure of
 * the hook.
 */
export interface PreToolUseAnswer {
  readonly behavior?: 'allow' | 'deny' | undefined;
  /** The same by its older name; a no in one of them is a no. */
  readonly decision?: 'allow' | 'deny' | undefined;
  readonly reason?: string | undefined;
  /** The code that the call is refused with, in snake_case. Default: `denied_by_hook`. */
  readonly code?: AnyErrorCode | undefined;
  /** Replaces the input; it is parsed and authorised again before it runs. */
  readonly updatedInput?: unknown;
  readonly additionalContext?: string | undefined;
}

/** A call that did what it was asked; the result is scrubbed already. */
export interface PostToolUseEvent extends PreToolUseEvent {
  readonly result: ToolResult;
}

/** What a PostToolUse hook may answer. */
export interface PostToolUseAnswer {
  readonly updatedOutput?: string | undefined;
  readonly additionalContext?: string | undefined;
  /** Asks the host not to show the output to people. */
  readonly suppressOutput?: boolean | undefined;
}

/** A call that ran and failed; the error is scrubbed already. */
export interface PostToolUseFailureEvent extends PreToolUseEvent {
  readonly error: ToolError;
}

/** What a PostToolUseFailure hook may answer. */
export interface PostToolUseFailureAnswer {
  readonly additionalContext?: string | undefined;
}

/** A hook function: the event, then who asks and when to stop. */
export type Hook<Event, Answer> = (
  event: Event,
  scope: CallScope,
) => Promise<Answer | undefined | void> | Answer | undefined | void;

/** Hooks for the tools whose names match. */
export interface HookEntry<Event, Answer> {
  /**
   * A regular expression that must match the whole tool name, such as `Write|Edit` or `mcp__.*`; an empty text
   * and `*` match every one. Default: every tool.
   */
  readonly matcher?: string | undefined;
  /** Time for each hook in milliseconds. Default `limits.call.hookTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Functions, called one after the other. Default none: then there is a `command`. */
  readonly hooks?: readonly Hook<Event, Answer>[] | undefined;
  /**
   * A shell line in place of functions, run in the root: the event comes as JSON on its standard input, exit code 2
   * denies. Default none: then there are `hooks`.
   */
  readonly command?: string | undefined;
}

/** All hooks of a run, by event. They run in order, and each sees what the one before it rewrote. */
export interface ToolHooks {
  /** Before a call runs, after permission: may deny it or rewrite its input. Default none. */
  readonly PreToolUse?: readonly HookEntry<PreToolUseEvent, PreToolUseAnswer>[] | undefined;
  /** After a call that worked: may rewrite its output and add to it. Default none. */
  readonly PostToolUse?: readonly HookEntry<PostToolUseEvent, PostToolUseAnswer>[] | undefined;
  /** After a call that ran and failed: may add to its result. Default none. */
  readonly PostToolUseFailure?: readonly HookEntry<PostToolUseFailureEvent, PostToolUseFailureAnswer>[] | undefined;
  /** What a PreToolUse hook means that throws, is late or answers nonsense. Default `deny`. */
  readonly onHookError?: 'deny' | 'allow' | undefined;
  /** Called when the toolkit ends a session, for hooks that remember something by session. Default none. */
  readonly onSessionEnd?: ((sessionId: string) => void) | undefined;
  /**
   * Called when a subagent has ended, with its caller, for hooks that keep something for agents. Waited for up to
   * `limits.call.hookTimeoutMs`. Default none.
   */
  readonly onAgentEnd?: ((caller: Caller) => unknown) | undefined;
}
