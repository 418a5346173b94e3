import { readDecision } from '../../access/read-decision.js';
import { ToolError } from '../../core/error.js';
import type { PreparedCall } from '../run/prepared-call.js';

/**
 * Why the tool itself wants the call asked about; undefined where it does not object. Throws `command_denied` for a deny
 * and for an answer that is no verdict: it may be a misspelt no.
 */
export function objectionOf({ assessment: { verdict } }: PreparedCall): string | undefined {
  if (verdict === undefined) return undefined;
  const { behavior, reason } = readDecision(verdict) ?? {};
  if (behavior === undefined || behavior === 'allow' || reason === undefined)
    throw blocked('the safety check of the tool gave no usable verdict');
  const said = reason.trim() === '' ? 'no reason was given' : reason;
  if (behavior === 'deny') throw blocked(said);
  return said;
}

function blocked(reason: string): ToolError {
  return new ToolError('command_denied', `blocked by safety policy: ${reason}`);
}
