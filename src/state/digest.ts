import { nodeCrypto } from '../core/node-modules.js';

/** What stands for a text, however long it is. */
export function digest(text: string): string {
  return nodeCrypto().createHash('sha256').update(text).digest('base64');
}
