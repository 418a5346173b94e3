const escapes: Readonly<Record<string, string>> = { n: '\r', r: '\r', t: '\t', e: '\u001b', '\\': '\\' };

/**
 * Converts a text to the characters to type: backslash escapes become characters, and a line break becomes what the key
 * Enter sends. Unknown escapes stay unchanged.
 */
export function typedText(text: string): string {
  return text
    .replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([nrte\\]))/g, (_, byte, unit, letter) =>
      letter === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : (escapes[letter] ?? ''),
    )
    .replaceAll(/\r?\n/g, '\r');
}
