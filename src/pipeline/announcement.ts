import type { PermissionDecision, PermissionRequest } from '../host/permissions.js';
import { escapeLine } from '../text/display.js';
import type { Run } from './run.js';
import { scrubText } from './scrub-result.js';

/** Tells the listener that a person is being asked, and what they said. */
export class Announcement {
  readonly #request: PermissionRequest;
  readonly #run: Run;
  #isMade = false;
  #isOver = false;

  constructor(request: PermissionRequest, run: Run) {
    this.#request = request;
    this.#run = run;
  }

  /** Whether somebody was asked before there was an answer. */
  get isMade(): boolean {
    return this.#isMade;
  }

  make(reason: string): void {
    if (this.#isOver) return;
    this.#isMade = true;
    const { callId, tool, title, risk } = this.#request;
    if (this.#run.hasListener)
      this.#run.emit({
        type: 'permission-ask',
        callId,
        name: tool,
        title,
        risk,
        reason: show(reason, this.#run, maxReasonChars),
      });
  }

  /** Undefined for no usable answer, which is a no. */
  answer(decision: PermissionDecision | undefined): void {
    this.#isOver = true;
    if (!this.#isMade || !this.#run.hasListener) return;
    const { callId, tool } = this.#request;
    const { behavior, message } = { message: '', ...(decision ?? { behavior: 'deny' as const }) };
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
