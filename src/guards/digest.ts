import { createHash } from 'node:crypto';

/** What stands for a text, however long it is. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
