import type { ToolCall } from '../../core/call.js';
import { ToolError } from '../../core/error.js';
import type { PermissionQuestion } from '../../core/permission-question.js';
import type { Run } from '../run/run.js';
import { announceAnswer } from './question-events.js';

/** Throws `permission_denied` for a call that was refused before its turn began or went on. */
export function assertNotRefused(call: ToolCall, question: PermissionQuestion | undefined, run: Run): void {
  const refusal = run.approvals?.refusalOf(call, question);
  if (refusal === undefined) return;
  announceAnswer(question ?? { callId: call.id, tool: call.name }, refusal, run);
  const { message, interrupt = false } = refusal;
  const said = message || `The user refused ${call.name}. Do something else, or ask them.`;
  throw new ToolError('permission_denied', said, { interrupt });
}
