import { jsonSafe } from '../text/json-safe.js';
import type { Run } from './run.js';
import { scrubText, withheldText } from './scrub-result.js';

/** The input of a call as a dead letter keeps it: scrubbed, and whether it is all there. It may be as large as any input. */
export function letterInput(raw: unknown, run: Run): { readonly input: unknown; readonly isWhole: boolean } {
  const { maxInputChars, maxInputDepth } = run.settings.limits.call;
  let isWhole = isJson(raw);
  const scrub = (text: string): string => {
    const scrubbed = scrubText(text, run);
    if (scrubbed === withheldText) isWhole = false;
    return scrubbed;
  };
  const input = jsonSafe(raw, scrub, { maxChars: maxInputChars, maxDepth: maxInputDepth });
  return input === undefined ? { input: { omitted: `more than ${maxInputChars} characters` }, isWhole: false } : { input, isWhole };
}

/** Whether JSON holds a value of bounded depth as it is. A field that is undefined is as good as none. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return value === null || typeof value === 'string' || typeof value === 'boolean';
  return Array.isArray(value) ? value.every(isJson) : Object.values(value).every((entry) => entry === undefined || isJson(entry));
}
