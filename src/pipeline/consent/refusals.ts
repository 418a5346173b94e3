import type { Denial } from '../../access/read-decision.js';
import type { ToolCall } from '../../core/call.js';
import { ToolError } from '../../core/error.js';
import type { PermissionQuestion } from '../../core/permission-question.js';
import type { Run } from '../run/run.js';
import type { Outcome } from '../run/supervisor.js';
import { announceAnswer } from './question-events.js';

/** What a no comes to; `otherwise` is said where it has no reason. */
export function refused({ reason, interrupt = false }: Denial, otherwise: string): ToolError {
  return new ToolError('permission_denied', reason || otherwise, { interrupt });
}

/** What a host that was asked for permission answered; throws the refusal where it did not. */
export function hostAnswer<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'value') return outcome.value;
  if (outcome.kind === 'stopped' && outcome.error.code === 'cancelled') throw outcome.error;
  if (outcome.kind === 'stopped') {
    const late = `${outcome.error.message}, so the call did not run. Go on without it, or ask the user.`;
    throw new ToolError('permission_denied', late);
  }
  const { thrown } = outcome;
  throw new ToolError('permission_denied', `Permission could not be asked: ${ToolError.from(thrown).message}`, {
    cause: thrown,
  });
}

/** Throws `permission_denied` for a call that was refused before its turn began or went on. */
export function assertNotRefused(call: ToolCall, question: PermissionQuestion | undefined, run: Run): void {
  const refusal = run.approvals?.refusalOf(call, question);
  if (refusal === undefined) return;
  announceAnswer(question ?? { callId: call.id, tool: call.name }, refusal, run);
  throw refused(refusal, `The user refused ${call.name}. Do something else, or ask them.`);
}
