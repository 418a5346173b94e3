import type { Caller, CallScope } from '../core/context.js';
import type { Risk, SideEffect } from '../core/risk.js';
import type { Target } from '../core/tool.js';

/** Who decides by default: see `createPermissions` for what each mode lets run. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';

/** One call that wants to run, described for rules and for people. */
export interface PermissionRequest {
  readonly callId: string;
  /** The name of the tool that will run. */
  readonly tool: string;
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
  /** What rules with a pattern are matched against. Default: read off the fields of the built-in tools. */
  readonly targets?: readonly Target[] | undefined;
  /** True for the tools that run without asking unless a rule says otherwise. Default: the five that only look. */
  readonly autoAllowed?: boolean | undefined;
  /** Whether a name that stands in a rule means this tool. Default: the usual aliases of the built-in tools. */
  readonly isCalled?: ((name: string) => boolean) | undefined;
  /**
   * A text of this request as a person may see it: one line, without credentials, everything deceptive spelled out. Set
   * when somebody is to be asked.
   */
  readonly display?: ((text: string) => string) | undefined;
  /** Set when the tool itself demands that somebody is asked, whatever an allow rule says. */
  readonly mustAsk?: string | undefined;
  /**
   * To be called when the request has to wait for its turn to be asked: until {@link announce} its time does not run.
   */
  readonly queued?: (() => void) | undefined;
  /**
   * To be called when a person is about to be asked: the host hears a `permission-ask` event, and the time to answer
   * begins.
   */
  readonly announce?: ((reason: string) => void) | undefined;
  /**
   * To be called by permissions that are asked, with themselves: what they hide then is hidden although others stand in
   * front of them and pass on only `check`.
   */
  readonly introduce?: ((permissions: Permissions) => void) | undefined;
  /** True while plan mode is on and the call would act: it is queued unless a rule denies it. */
  readonly isPlanned?: boolean | undefined;
  /** To be called where plan mode is on and the call would act: it is queued, whatever the answer. */
  readonly postpone?: (() => void) | undefined;
  /** True when the plan that the call belongs to was approved, which is consent where no rule speaks. */
  readonly isApproved?: boolean | undefined;
  /** Set when the input was rewritten since it was first checked, and by whom. */
  readonly rewrittenBy?: 'permission' | 'hook' | undefined;
  /**
   * True when the input was rewritten by an answer for which the request was announced: somebody was asked, and this is
   * what they want.
   */
  readonly wasAsked?: boolean | undefined;
}

/** The answer to a request. `updatedInput` replaces the input; it is parsed and checked again before anything runs. */
export type PermissionDecision =
  | { readonly behavior: 'allow'; readonly updatedInput?: unknown }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: boolean | undefined };

/**
 * Decides whether a call may run. It is asked for every call, the auto-allowed ones included, one at a time. A
 * rejection, a malformed answer or no answer within `limits.approval.timeoutMs` denies; the time counts from the call,
 * or from where the request is announced. To stand in front of other permissions, pass the request on to their `check`,
 * with all that is in it.
 */
export interface Permissions {
  check(request: PermissionRequest, scope: CallScope): Promise<PermissionDecision>;
  /**
   * Decides at once where nobody needs to be asked; undefined sends the call to {@link check}. Leave it out to see
   * every call there.
   */
  readonly decide?: ((request: PermissionRequest, caller: Caller) => PermissionDecision | undefined) | undefined;
  /**
   * Whether a rule keeps the content of a file from being shown without asking: such files are left out of searches.
   */
  readonly hidesPath?: ((path: string, root: string, from?: 'everything' | 'searches') => boolean) | undefined;
  /** Forgets what was allowed for a session. */
  readonly endSession?: ((sessionId: string) => void) | undefined;
  /** The mode, where there is one; in `plan` the pipeline queues what would act. */
  readonly mode?: PermissionMode | undefined;
}
