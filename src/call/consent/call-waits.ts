import type { PermissionQuestion } from '../../core/permission-question.js';
import type { Footprint } from '../../core/tool.js';
import type { PermissionRequest } from '../../ports/permissions.js';

/** What became of the input of a call before it is decided, if anything did. */
export type Earlier = Pick<PermissionRequest, 'rewrittenBy' | 'wasAsked'>;

/** Where a call stands that goes on later: its input as it is now, and what became of it. */
export interface CallStage {
  readonly input: unknown;
  readonly earlier: Earlier;
  /** How many calls before it in its turn have its id. Default 0. */
  readonly occurrence?: number;
  /** What has to be answered first; without it, the call waits for one before it that touches the same. */
  readonly question?: PermissionQuestion;
  /** Set when the hooks before the call have run already. */
  readonly isAfterHooks?: boolean;
}

/** Thrown where a call cannot go on before somebody has answered, and its turn does not wait for that. */
export class CallWaits {
  readonly stage: CallStage;
  readonly footprint: Footprint;

  constructor(stage: CallStage, footprint: Footprint) {
    this.stage = stage;
    this.footprint = footprint;
  }
}
