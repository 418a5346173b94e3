import type { Footprint } from '../core/assessment.js';
import type { ToolTraits } from '../core/builtin-tool-facts.js';
import type { Caller, CallScope } from '../core/context.js';
import type { AnyErrorCode, ToolError } from '../core/error.js';
import type { ToolResult } from '../core/tool-result.js';

/** A call that is about to run. */
export interface PreToolUseEvent {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /**
   * The canonical paths and the keys that the call touches; `writes` is `'nothing'` for a read-only call. After an
   * earlier hook has rewritten the input, this is the footprint of the new input: everything if the footprint cannot be
   * determined, and nothing if the new input is invalid, because such a call does not run. A program that calls hooks
   * itself can omit the footprint, which then counts as everything.
   */
  readonly footprint?: Footprint | undefined;
  /** The traits of the tool. Default: the traits of the built-in tool with the same name. */
  readonly traits?: ToolTraits | undefined;
}

/** The answer of a PreToolUse hook. A missing answer changes nothing; unknown fields are an error of the hook. */
export interface PreToolUseAnswer {
  readonly behavior?: 'allow' | 'deny' | undefined;
  /** The older name of `behavior`; `deny` in either field denies. */
  readonly decision?: 'allow' | 'deny' | undefined;
  readonly reason?: string | undefined;
  /** The error code of a denied call, in snake_case. Default: `denied_by_hook`. */
  readonly code?: AnyErrorCode | undefined;
  /** Replaces the input; the new input is parsed and authorised again before the call runs. */
  readonly updatedInput?: unknown;
  readonly additionalContext?: string | undefined;
}

/** A successful call; the result is scrubbed. */
export interface PostToolUseEvent extends PreToolUseEvent {
  readonly result: ToolResult;
}

/** The answer of a PostToolUse hook. */
export interface PostToolUseAnswer {
  readonly updatedOutput?: string | undefined;
  readonly additionalContext?: string | undefined;
  /** Asks the host not to show the output to people. */
  readonly suppressOutput?: boolean | undefined;
}

/** A failed call; the error is scrubbed. */
export interface PostToolUseFailureEvent extends PreToolUseEvent {
  readonly error: ToolError;
}

/** The answer of a PostToolUseFailure hook. */
export interface PostToolUseFailureAnswer {
  readonly additionalContext?: string | undefined;
}

/** A hook function. */
export type Hook<Event, Answer> = (
  event: Event,
  scope: CallScope,
) => Promise<Answer | undefined | void> | Answer | undefined | void;

/** Hooks for the tools whose names match. */
export interface HookEntry<Event, Answer> {
  /** A regular expression for the whole name, such as `Write|Edit`; an empty text and `*` match all. Default: all. */
  readonly matcher?: string | undefined;
  /** Time for each hook in milliseconds. Default `limits.call.hookTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Functions, called in order. Default none; then `command` is required. */
  readonly hooks?: readonly Hook<Event, Answer>[] | undefined;
  /**
   * A shell command line in place of functions, run in the root. The command gets the event as JSON on standard input;
   * exit code 2 denies. Default none; then `hooks` is required.
   */
  readonly command?: string | undefined;
}

/** All hooks of a run, by event. They run in order, each with the input or output of the hook before it. */
export interface ToolHooks {
  /** Before a call runs, after permission: may deny the call or rewrite its input. Default none. */
  readonly PreToolUse?: readonly HookEntry<PreToolUseEvent, PreToolUseAnswer>[] | undefined;
  /** After a successful call: may rewrite its output and add context. Default none. */
  readonly PostToolUse?: readonly HookEntry<PostToolUseEvent, PostToolUseAnswer>[] | undefined;
  /** After a failed call: may add context to its result. Default none. */
  readonly PostToolUseFailure?: readonly HookEntry<PostToolUseFailureEvent, PostToolUseFailureAnswer>[] | undefined;
  /** The decision if a PreToolUse hook throws, times out or returns an invalid answer. Default `deny`. */
  readonly onHookError?: 'deny' | 'allow' | undefined;
  /** Called when the toolkit ends a session, for hooks that keep state per session. Default none. */
  readonly onSessionEnd?: ((sessionId: string) => void) | undefined;
  /**
   * Called with the caller of an ended subagent, for hooks that keep state per agent. Awaited for at most
   * `limits.call.hookTimeoutMs`. Default none.
   */
  readonly onAgentEnd?: ((caller: Caller) => unknown) | undefined;
}
