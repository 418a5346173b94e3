import type { PermissionQuestion, PermissionVerdict } from '../../core/permission-question.js';
import { escapeLine } from '../../text/display.js';
import type { Run } from '../run/run.js';
import { scrubText } from '../run/scrub-result.js';

/** Tells the listener that a person is being asked, and what they said. */
export class Announcement {
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
    if (!this.#run.hasListener || (asked === 'here' && !this.#isMade)) return;
    const { callId, tool } = this.#question;
    const { behavior, message } = { message: '', ...(verdict ?? { behavior: 'deny' as const }) };
    const said = message === '' ? {} : { message: scrubText(message, this.#run) };
    this.#run.emit({ type: 'permission-decision', callId, name: tool, behavior, ...said });
  }
}

/** Of a reason that is shown to a person. */
export const maxReasonChars = 1_000;

/** One line that is safe to show: without credentials, and with everything deceptive spelled out. */
export function show(text: string, run: Run, maxChars = Number.POSITIVE_INFINITY): string {
  return escapeLine(scrubText(text, run), maxChars);
}
