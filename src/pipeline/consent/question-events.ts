import type { PermissionQuestion, PermissionVerdict } from '../../core/permission-question.js';
import { escapeLine } from '../../text/display.js';
import type { Run } from '../run/run.js';
import { scrubText } from '../run/scrub-result.js';

/** What was answered about a call, as the listener hears it. */
export function announceAnswer(
  { callId, tool }: Pick<PermissionQuestion, 'callId' | 'tool'>,
  verdict: PermissionVerdict | undefined,
  run: Run,
): void {
  if (!run.hasListener) return;
  const { behavior, message } = { message: '', ...(verdict ?? { behavior: 'deny' as const }) };
  const said = message === '' ? {} : { message: scrubText(message, run) };
  run.emit({ type: 'permission-decision', callId, name: tool, behavior, ...said });
}

/** Tells the listener that a person is being asked, and what they said. */
export class QuestionEvents {
  readonly #question: PermissionQuestion;
  readonly #run: Run;
  #isMade = false;
  #isOver = false;

  constructor(question: PermissionQuestion, run: Run) {
    this.#question = question;
    this.#run = run;
  }

  /** Whether somebody was asked before there was an answer. */
  get isMade(): boolean {
    return this.#isMade;
  }

  make(): void {
    if (this.#isOver) return;
    this.#isMade = true;
    const { callId, tool, title, risk, reason } = this.#question;
    if (this.#run.hasListener) this.#run.emit({ type: 'permission-ask', callId, name: tool, title, risk, reason });
  }

  /** Undefined for no usable answer, which is a no. Of one that was asked `elsewhere` only the answer is told. */
  answer(verdict: PermissionVerdict | undefined, asked: 'here' | 'elsewhere' = 'here'): void {
    this.#isOver = true;
    if (asked === 'elsewhere' || this.#isMade) announceAnswer(this.#question, verdict, this.#run);
  }
}

/** Of a reason that is shown to a person. */
export const maxReasonChars = 1_000;

/** One line that is safe to show: without credentials, and with everything deceptive spelled out. */
export function show(text: string, run: Run, maxChars = Number.POSITIVE_INFINITY): string {
  return escapeLine(scrubText(text, run), maxChars);
}
