/** A redaction mark, or a careless copy of a mark: in other letter case, with spaces, or without the end. */
const mark = /\[REDACTED[^\]\n]*\]|\[\s*[Rr][Ee][Dd][Aa][Cc][Tt][Ee][Dd]\b(?::[\w-]*(?:#\d*)?)?(?:\s*\])?/g;

/** Returns the secret of a mark; undefined for an unknown mark. */
export type SecretLookup = (mark: string) => string | undefined;

/** A text with its secrets restored, and the marks that could not be restored. */
interface RestoredText {
  readonly text: string;
  readonly foreign: readonly string[];
}

/**
 * Replaces marks by their secrets. A secret is restored only if the file already contains it (`holds`), so no secret
 * reaches another file. A mark that the file contains as text stays. Every other mark, including a careless copy, is
 * foreign: it may replace a hidden secret, and writing the mark would destroy that secret. A mark is also foreign if
 * the file contains both the mark and its secret, because the text may refer to either. In a new file (`holds('')` is
 * false), a copy that does not begin with `[REDACTED` is plain text. `doubtfulMark` finds further marks that could
 * overwrite a secret.
 */
export function restoreSecrets(
  text: string,
  holds: (text: string) => boolean,
  secretOf: SecretLookup = () => undefined,
): RestoredText {
  const foreign = new Set<string>();
  const restored = text.replace(mark, (found) => {
    const secret = secretOf(found);
    if (!found.startsWith('[REDACTED') && !holds('')) return found;
    const isSecretHeld = secret !== undefined && holds(secret);
    if (isSecretHeld === holds(found)) foreign.add(found);
    return isSecretHeld ? secret : found;
  });
  return { text: restored, foreign: [...foreign] };
}

/** The marks in a text, careless copies included. */
export function marksIn(text: string): string[] {
  return text.match(mark) ?? [];
}

/** Replaces each mark by `[REDACTED]`. */
export function withPlainMarks(text: string): string {
  return text.replace(mark, '[REDACTED]');
}
