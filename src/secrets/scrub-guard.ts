/** Replaces text that could not be scrubbed. */
export const withheldNotice = '[text withheld: it could not be checked for credentials]';

/**
 * Scrubs a text. If that throws, returns the notice and as many line breaks as the text has, so that no unchecked text
 * is shown.
 */
export function scrubOrWithhold(text: string, scrub: (text: string) => string): string {
  try {
    return scrub(text);
  } catch {
    return withheldNotice + lineBreaksOf(text);
  }
}

/** A stream that returns only the notice and line breaks once scrubbing a piece has failed. */
export function guardStream(inner: { push(chunk: string): string; end(): string }): {
  push(chunk: string): string;
  end(): string;
} {
  let hasFailed = false;
  const guarded = (chunk: string, scrub: () => string) => {
    if (hasFailed) return lineBreaksOf(chunk);
    try {
      return scrub();
    } catch {
      hasFailed = true;
      return withheldNotice + lineBreaksOf(chunk);
    }
  };
  return { push: (chunk) => guarded(chunk, () => inner.push(chunk)), end: () => guarded('', () => inner.end()) };
}

function lineBreaksOf(text: unknown): string {
  return typeof text === 'string' ? text.replace(/[^\n]+/g, '') : '';
}
