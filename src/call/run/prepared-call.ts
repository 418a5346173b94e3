import type { CallAssessment } from '../../core/assessment.js';
import type { ToolCall } from '../../core/call.js';
import type { PermissionQuestion } from '../../core/permission-question.js';
import type { Footprint, Tool } from '../../core/tool.js';
import type { PermissionRequest } from '../../ports/permissions.js';
import type { AcceptedInput } from '../input/parse-input.js';

/** Where a call stands before it runs. Plain data, so that it can go on in a later turn. */
export interface CallStage extends Pick<PermissionRequest, 'rewrittenBy' | 'wasAsked'> {
  /** Its input as it is now. */
  readonly input: unknown;
  /** How many calls before it in its turn have its id. Default 0. */
  readonly occurrence?: number | undefined;
  /** What has to be answered first; without it, the call waits for one before it that touches the same. */
  readonly question?: PermissionQuestion | undefined;
  /** Set when the hooks before the call have run already. */
  readonly isAfterHooks?: boolean;
}

/** A call on its way to running: the tool, and the input as it stands after coercion and rewrites. */
export interface PreparedCall {
  readonly call: ToolCall;
  readonly stage: CallStage;
  readonly tool: Tool;
  readonly input: AcceptedInput;
  /** What the tool says of it. */
  readonly assessment: CallAssessment;
  /** One line for people, scrubbed and escaped. */
  readonly title: string;
}

/** Thrown if a call needs an answer of a person, and its turn does not wait for one. */
export class CallWaits {
  readonly stage: CallStage;
  readonly footprint: Footprint;

  constructor(stage: CallStage, footprint: Footprint) {
    this.stage = stage;
    this.footprint = footprint;
  }
}
