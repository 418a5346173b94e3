/** What stands in place of text that could not be scrubbed. */
export const withheldNotice = '[text withheld: it could not be checked for credentials]';

/**
 * Scrubs text by `scrub`; where that fails for whatever reason, gives the notice with as many line breaks as the text
 * has, so nothing unchecked gets out.
 */
export function scrubOrWithhold(text: string, scrub: (text: string) => string): string {
  try {
    return scrub(text);
  } catch {
    return withheldNotice + lineBreaksOf(text);
  }
}

/** A stream that, once a piece could not be scrubbed, gives nothing but the notice and line breaks. */
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
