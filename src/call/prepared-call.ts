import type { CallAssessment, Footprint } from '../core/assessment.js';
import type { ToolCall } from '../core/call.js';
import type { PermissionQuestion } from '../core/permission-question.js';
import type { Tool } from '../core/tool.js';
import type { PermissionRequest } from '../ports/permissions.js';
import type { AcceptedInput } from './parse-input.js';

/** The state of a call before it runs. Plain data, so that a later turn can continue it. */
export interface CallStage extends Pick<PermissionRequest, 'rewrittenBy' | 'wasAsked'> {
  readonly input: unknown;
  /** The number of earlier calls of the turn with the same id. Default 0. */
  readonly occurrence?: number | undefined;
  /**
   * The question that must be answered first. A waiting call without a question waits for an earlier call that
   * conflicts with it.
   */
  readonly question?: PermissionQuestion | undefined;
  /** True if the PreToolUse hooks have already run. */
  readonly isAfterHooks?: boolean;
}

/** A call that is being prepared: the tool, and the input after coercion and rewrites. */
export interface PreparedCall {
  readonly call: ToolCall;
  readonly stage: CallStage;
  readonly tool: Tool;
  readonly input: AcceptedInput;
  readonly assessment: CallAssessment;
  /** One line for people, scrubbed and escaped. */
  readonly title: string;
}

export interface Consent {
  /** The stage at which the call starts again with a rewritten input; undefined if the input is unchanged. */
  readonly next: CallStage | undefined;
  /**
   * Called just before the call runs. Throws if the rules now deny the call, or ask about a call that they allowed
   * before. Returns a promise that rejects if a path now leads to another file; undefined if no path is checked.
   */
  readonly checkAgain: () => Promise<void> | undefined;
}

export type AuthorisedCall = PreparedCall & Pick<Consent, 'checkAgain'>;

/**
 * Thrown in a turn that does not wait for answers: the call needs an answer, or conflicts with an earlier call that
 * waits.
 */
export class CallWaits {
  readonly stage: CallStage;
  readonly footprint: Footprint;

  constructor(stage: CallStage, footprint: Footprint) {
    this.stage = stage;
    this.footprint = footprint;
  }
}
