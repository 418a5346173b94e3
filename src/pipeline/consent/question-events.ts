import { denial, type Settled } from '../../access/read-decision.js';
import type { PermissionQuestion } from '../../core/permission-question.js';
import { escapeLine } from '../../text/display.js';
import type { Run } from '../run/run.js';
import { scrubText } from '../run/scrub-result.js';

/** What was answered about a call, as the listener hears it. */
export function announceAnswer(
  { callId, tool }: Pick<PermissionQuestion, 'callId' | 'tool'>,
  decision: Settled | undefined,
  run: Run,
): void {
  if (!run.hasListener) return;
  const { behavior, reason } = decision ?? denial('');
  const said = behavior === 'allow' || reason === '' ? {} : { message: scrubText(reason, run) };
  run.emit({ type: 'permission-decision', callId, name: tool, behavior, ...said });
}

/** Tells the listener that a person is being asked. */
export function announceQuestion({ callId, tool, title, risk, reason }: PermissionQuestion, run: Run): void {
  if (run.hasListener) run.emit({ type: 'permission-ask', callId, name: tool, title, risk, reason });
}

/** Of a reason that is shown to a person. */
export const maxReasonChars = 1_000;

/** One line that is safe to show: without credentials, and with everything deceptive spelled out. */
export function show(text: string, run: Run, maxChars = Number.POSITIVE_INFINITY): string {
  return escapeLine(scrubText(text, run), maxChars);
}
