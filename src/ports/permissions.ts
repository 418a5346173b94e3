import type { Target } from '../core/assessment.js';
import type { ToolTraits } from '../core/builtin-tool-facts.js';
import type { Caller, CallScope } from '../core/context.js';
import type { AskAnswer, AskingSubagent, PermissionDecision, PermissionQuestion } from '../core/permission-question.js';
import type { Risk, SideEffect } from '../core/risk.js';
import type { Answering } from '../core/support/callback-type.js';
import type { McpOrigin } from '../core/tool-names.js';

/** The default decision about calls without a matching rule; see `createPermissions`. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';

/** A call that needs permission, described for rules and people. Plain JSON data. */
export interface PermissionRequest {
  readonly callId: string;
  /** The name of the tool that will run. */
  readonly tool: string;
  /** The other names that a rule may use for this tool. Default: the usual aliases of the built-in tools. */
  readonly aliases?: readonly string[] | undefined;
  /** The MCP server and the tool's name there. Default: taken from a name such as `mcp__server__tool`. */
  readonly mcp?: McpOrigin | undefined;
  /** The input that will be parsed and run, not escaped for display. */
  readonly input: unknown;
  readonly sideEffect: SideEffect;
  readonly risk: Risk;
  /** One line with every control and hidden character escaped, such as `Bash: npm test`. */
  readonly title: string;
  /** Many lines, also escaped: the whole command, the change. */
  readonly preview?: string | undefined;
  /** The reason for the question, such as the rule or the part of the input. */
  readonly reason?: string | undefined;
  /** Things that a person could overlook: look-alike letters, hidden or bidirectional characters. */
  readonly warnings: readonly string[];
  /** Rules that the answer `allow-always` would add. */
  readonly suggestions: readonly string[];
  /** The subagent that makes the call, if the toolkit has subagents. */
  readonly agent?: AskingSubagent | undefined;
  /** The targets that rules with a pattern match. Default: taken from the input fields of the built-in tools. */
  readonly targets?: readonly Target[] | undefined;
  /** The traits of the tool. Default: the traits of the built-in tool with the same name. */
  readonly traits?: ToolTraits | undefined;
  /**
   * Whether the tool runs without a question if no rule matches. Default: true for Read, Glob, Grep, ListMcpResources
   * and ReadMcpResource.
   */
  readonly autoAllowed?: boolean | undefined;
  /** The reason why the tool itself demands a question, even if an allow rule matches. */
  readonly mustAsk?: string | undefined;
  /** True in plan mode for a call with effects, which is queued unless a rule denies it. */
  readonly isPlanned?: boolean | undefined;
  /** True when the plan of the call was approved. The call is then allowed if no rule matches. */
  readonly isApproved?: boolean | undefined;
  /** Whether a permission decision or a hook has rewritten the input since the first check. */
  readonly rewrittenBy?: 'permission' | 'hook' | undefined;
  /** True when a person answered with a new input. This answer counts as consent to the new input. */
  readonly wasAsked?: boolean | undefined;
  /** True if the caller of `check` asks the person when the decision is `ask`. Otherwise `check` asks the person. */
  readonly mayAnswerAsk?: boolean | undefined;
}

/**
 * Decides whether a call may run. `check` runs for every call, even of auto-allowed tools, one call at a time. A
 * rejection, an invalid answer or no answer within `limits.approval.timeoutMs` denies the call. Use `wrapPermissions`
 * to wrap other permissions.
 */
export interface Permissions {
  /** Decides about a request. For `ask`, the fields reason, source, suggestions and agent of `question` are used. */
  check(request: PermissionRequest, scope: CallScope): Promise<PermissionDecision>;
  /** Decides synchronously where possible; undefined means that {@link check} decides. */
  readonly decide?: ((request: PermissionRequest, caller: Caller) => PermissionDecision | undefined) | undefined;
  /**
   * Asks a person. One question of a session is open at a time; sessions ask in parallel, so a terminal for several
   * sessions needs a queue. The answer must come within `limits.approval.timeoutMs`. Without `onAsk`, questions
   * are denied.
   */
  readonly onAsk?: Answering<[request: PermissionRequest, scope: CallScope], AskAnswer> | undefined;
  /** Classifies a question before a person is asked; `ask` and errors leave the question to the person. */
  readonly classify?:
    | Answering<[question: PermissionQuestion, scope: CallScope], 'allow' | 'deny' | 'ask' | PermissionDecision>
    | undefined;
  /** Adds the rules of an "always" answer for a session. */
  readonly remember?: ((rules: readonly string[], sessionId: string) => void) | undefined;
  /** Whether rules hide the content of a file, from everything (the default of `from`) or from searches. */
  readonly hidesPath?: ((path: string, root: string, from?: 'everything' | 'searches') => boolean) | undefined;
  /** Drops the rules of a session. */
  readonly endSession?: ((sessionId: string) => void) | undefined;
  /** The mode, if any; in `plan` the pipeline queues calls with effects. */
  readonly mode?: PermissionMode | undefined;
  /** Sets the mode; called with `default` when a plan is approved. */
  readonly setMode?: ((mode: PermissionMode) => void) | undefined;
  /** Identifies rules and mode: equal rules and mode have the same version in every process. */
  readonly version?: string | undefined;
}
