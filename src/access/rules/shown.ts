import { accessNumbers } from '../../core/numbers.js';
import { escapeLine } from '../../text/display.js';
import { scrubCredentials } from '../../text/secrets/scrubber.js';

const { maxShownChars } = accessNumbers;

/** A text for the person who decides: one line, without credentials, with everything that cannot be seen spelled out. */
export function shown(text: string): string {
  const line = escapeLine(scrubCredentials(text), maxShownChars);
  return line.length > maxShownChars ? `${line.slice(0, maxShownChars)}…` : line;
}
