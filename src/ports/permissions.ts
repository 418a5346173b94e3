import type { ToolTraits } from '../core/builtin-tools.js';
import type { Caller, CallScope } from '../core/context.js';
import type { AskAnswer, AskingSubagent, PermissionDecision, PermissionQuestion } from '../core/permission-question.js';
import type { Risk, SideEffect } from '../core/risk.js';
import type { Answering } from '../core/support/answering.js';
import type { Target } from '../core/tool.js';
import type { McpOrigin } from '../core/tool-names.js';

/** Who decides by default: see `createPermissions` for what each mode lets run. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';

/** One call that wants to run, described for rules and for people. Plain data: it survives JSON. */
export interface PermissionRequest {
  readonly callId: string;
  /** The name of the tool that will run. */
  readonly tool: string;
  /** The other names that a rule may use for this tool. Default: the usual aliases of the built-in tools. */
  readonly aliases?: readonly string[] | undefined;
  /** The MCP server that the tool is of, and its name there. Default: read off a name such as `mcp__server__tool`. */
  readonly mcp?: McpOrigin | undefined;
  /** The input as it will be parsed and run, not made safe for display. */
  readonly input: unknown;
  readonly sideEffect: SideEffect;
  readonly risk: Risk;
  /** One line with every control and hidden character escaped, such as `Bash: npm test`. */
  readonly title: string;
  /** Many lines, escaped as well: the whole command, the change. */
  readonly preview?: string | undefined;
  /** Why it is asked: which rule, or which part of the input. */
  readonly reason?: string | undefined;
  /** What a person could overlook: look-alike letters, hidden or bidirectional characters. */
  readonly warnings: readonly string[];
  /** Rules that "always" would add. */
  readonly suggestions: readonly string[];
  /** The subagent that asks, where `createToolkit` has wired subagents. */
  readonly agent?: AskingSubagent | undefined;
  /** What rules with a pattern are matched against. Default: read off the fields of the built-in tools. */
  readonly targets?: readonly Target[] | undefined;
  /** What the tool states. Default: what the built-in tool of its name states. */
  readonly traits?: ToolTraits | undefined;
  /** True for the tools that run without asking unless a rule says otherwise. Default: the five that only look. */
  readonly autoAllowed?: boolean | undefined;
  /** Set when the tool itself demands that somebody is asked, whatever an allow rule says. */
  readonly mustAsk?: string | undefined;
  /** True while plan mode is on and the call would act: it is queued unless a rule denies it. */
  readonly isPlanned?: boolean | undefined;
  /** True when the plan that the call belongs to was approved, which is consent where no rule speaks. */
  readonly isApproved?: boolean | undefined;
  /** Set when the input was rewritten since it was first checked, and by whom. */
  readonly rewrittenBy?: 'permission' | 'hook' | undefined;
  /** True when the input was rewritten by the answer of somebody who was asked: this is what they want. */
  readonly wasAsked?: boolean | undefined;
  /**
   * True when whoever checks the request may answer `ask` and have the question put by the caller. Without it,
   * `createPermissions` asks by itself.
   */
  readonly mayAnswerAsk?: boolean | undefined;
}

/**
 * Decides whether a call may run. It is asked for every call, the auto-allowed ones included, one at a time. A
 * rejection, a malformed answer or no answer within `limits.approval.timeoutMs` denies. To put something around other
 * permissions, use `wrapPermissions`.
 */
export interface Permissions {
  /**
   * Of the question in an `ask`, the reason, the source, the suggestions and the agent are used; the caller knows the
   * rest.
   */
  check(request: PermissionRequest, scope: CallScope): Promise<PermissionDecision>;
  /** Decides where nothing has to be waited for; undefined sends the call to {@link check}. */
  readonly decide?: ((request: PermissionRequest, caller: Caller) => PermissionDecision | undefined) | undefined;
  /**
   * Puts a question to a person. One question of a session is open at a time; sessions do not wait for each other, so
   * a terminal that serves several needs a queue of its own. It has `limits.approval.timeoutMs` from the moment it is
   * called. Without it, what would be asked is denied.
   */
  readonly onAsk?: Answering<[request: PermissionRequest, scope: CallScope], AskAnswer> | undefined;
  /** Judges a question before a person is asked; `ask` and whatever it throws leave it to them. */
  readonly classify?:
    | Answering<[question: PermissionQuestion, scope: CallScope], 'allow' | 'deny' | 'ask' | PermissionDecision>
    | undefined;
  /** Keeps the rules of an "always" for a session. */
  readonly remember?: ((rules: readonly string[], sessionId: string) => void) | undefined;
  /**
   * Whether a rule keeps the content of a file from being shown without asking: such files are left out of searches.
   */
  readonly hidesPath?: ((path: string, root: string, from?: 'everything' | 'searches') => boolean) | undefined;
  /** Forgets what was allowed for a session. */
  readonly endSession?: ((sessionId: string) => void) | undefined;
  /** The mode, where there is one; in `plan` the pipeline queues what would act. */
  readonly mode?: PermissionMode | undefined;
  /** Sets the mode; called with `default` when a plan is approved. */
  readonly setMode?: ((mode: PermissionMode) => void) | undefined;
  /** Changes when rules or mode do, and is the same for the same ones in every process. */
  readonly version?: string | undefined;
}
