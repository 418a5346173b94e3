/**
 * A mark, or what a mark became when it was copied with little care: in other letters, with blanks, without its end.
 */
const mark = /\[REDACTED[^\]\n]*\]|\[\s*[Rr][Ee][Dd][Aa][Cc][Tt][Ee][Dd]\b(?::[\w-]*(?:#\d*)?)?(?:\s*\])?/g;

/** The secret that a mark stands for; undefined for a mark that is not known. */
export type SecretLookup = (mark: string) => string | undefined;

/** A text with its secrets put back, and the marks for which that may not be done. */
interface RestoredText {
  readonly text: string;
  readonly foreign: readonly string[];
}

/**
 * Puts secrets back where marks stand for them. Each goes back only into a file that `holds` it already, so no secret
 * gets anywhere where it was not. A mark that the file holds as text stays; every other one is foreign: a secret was
 * hidden there when the text was read, and writing the mark would destroy it, also where the mark is not quite one: in
 * other letters, with blanks, without its end. Only in a file that is new, which `holds` not even the empty text, such
 * text means itself. Foreign is as well a mark of which the file holds both the text and the secret, because it cannot
 * be told which of them is meant. A mark with no secret of its own is not judged by that; `RedactionGuard` does it.
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

/** The marks of a text, and what is like one. */
export function marksIn(text: string): string[] {
  return text.match(mark) ?? [];
}

/** The text with `[REDACTED]` for each of them. */
export function withPlainMarks(text: string): string {
  return text.replace(mark, '[REDACTED]');
}
