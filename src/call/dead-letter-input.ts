import { jsonSafe } from '../core/text/json-safe.js';
import { marksIn, type SecretLookup } from '../core/text/redaction-marks.js';
import { isPlainObject } from './read-input.js';
import { scrubText } from './scrub-and-cut.js';
import type { Run } from './turn-run.js';

/**
 * The scrubbed input of a call for its dead letter. `isWhole` is true if the call can be repeated with this input: the
 * input is JSON, is not too large or too deep, and every secret that the scrubber removed can be restored from its
 * mark.
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

/** Whether JSON can represent a value exactly with at most `maxDepth` levels. An undefined field counts as absent. */
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

/** Whether putting the secrets back in place of the marks gives the original text. */
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
