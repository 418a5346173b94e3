import type { JsonSchemaObject } from '../core/tool.js';

/** A longer text could keep a pattern busy for long. */
export const maxMatchedChars = 20;

/** Whether a schema, wherever in it, checks texts or names by a pattern. */
export function holdsPattern(root: JsonSchemaObject): boolean {
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if ('patternProperties' in node || ('pattern' in node && typeof node.pattern === 'string')) return true;
    for (const inside of Object.values(node)) pending.push(inside);
  }
  return false;
}

/** Whether a value that a schema names holds short texts alone, so that any pattern may look at it. */
export function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= maxMatchedChars;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inside]) => name.length <= maxMatchedChars && isShort(inside));
}
