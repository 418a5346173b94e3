import { accessNumbers } from '../../core/numbers.js';
import type { PermissionRequest } from '../../host/permissions.js';
import { escapeLine } from '../../text/display.js';
import { scrubCredentials } from '../../text/secrets/scrubber.js';

const { maxShownChars } = accessNumbers;

/**
 * A text for the person who decides: one line, without credentials as the run knows them, with everything that cannot
 * be seen spelled out.
 */
export function shown(
  text: string,
  { display = escapedWithoutCredentials }: Pick<PermissionRequest, 'display'>,
): string {
  const line = display(text);
  return line.length > maxShownChars ? `${line.slice(0, maxShownChars)}…` : line;
}

function escapedWithoutCredentials(text: string): string {
  return escapeLine(scrubCredentials(text), maxShownChars);
}
