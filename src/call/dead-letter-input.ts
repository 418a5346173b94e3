import { marksIn, type SecretLookup } from '../core/redaction/marks.js';
import { jsonSafe } from '../core/text/json-safe.js';
import { isPlainObject } from './input/read-input.js';
import type { Run } from './run/run.js';
import { scrubText } from './run/scrub-result.js';

/**
 * The input of a call as a dead letter keeps it: scrubbed, and whether it is the one that failed. It is not where JSON
 * cannot hold it, where it is too large or too deep, and where scrubbing has changed it, unless the scrubber can put
 * back what its marks stand for.
 */
export function deadLetterInput(raw: unknown, run: Run): { readonly input: unknown; readonly isWhole: boolean } {
  const { maxInputChars, maxInputDepth } = run.settings.limits.call;
  let isWhole = isJson(raw, maxInputDepth);
  const scrub = (text: string): string => {
    const scrubbed = scrubText(text, run);
    if (scrubbed !== text && !canPutBack(text, scrubbed, run.settings.scrubber?.secretOf)) isWhole = false;
    return scrubbed;
  };
  const { copy, isCut } = jsonSafe(raw, scrub, {
    maxChars: maxInputChars,
    maxItems: maxInputChars,
    maxDepth: maxInputDepth,
  });
  return isCut
    ? { input: { omitted: `more than ${maxInputChars} characters` }, isWhole: false }
    : { input: copy, isWhole };
}

/** Whether JSON holds a value as it is, in at most so many levels. A field that is undefined is as good as none. */
function isJson(value: unknown, maxDepth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return value === null || typeof value === 'string' || typeof value === 'boolean';
  if (maxDepth === 0) return false;
  if (Array.isArray(value)) return value.every((entry) => isJson(entry, maxDepth - 1));
  return (
    isPlainObject(value) && Object.values(value).every((entry) => entry === undefined || isJson(entry, maxDepth - 1))
  );
}

/** Whether the marks of a scrubbed text stand for just what was taken out of it. */
function canPutBack(text: string, scrubbed: string, secretOf: SecretLookup | undefined): boolean {
  if (secretOf === undefined) return false;
  let restored = '';
  let end = 0;
  try {
    for (const mark of marksIn(scrubbed)) {
      const start = scrubbed.indexOf(mark, end);
      restored += scrubbed.slice(end, start) + (secretOf(mark) ?? mark);
      end = start + mark.length;
    }
  } catch {
    return false;
  }
  return restored + scrubbed.slice(end) === text;
}
