import { escapeLine } from '../text/display.js';
import type { Run } from './run.js';
import { scrubText } from './scrub-result.js';

/** Of a reason that is shown to a person. */
export const maxReasonChars = 1_000;

/** One line that is safe to show: without credentials, and with everything deceptive spelled out. */
export function show(text: string, run: Run, maxChars = Number.POSITIVE_INFINITY): string {
  return escapeLine(scrubText(text, run), maxChars);
}
