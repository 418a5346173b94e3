const escapes: Readonly<Record<string, string>> = { n: '\r', r: '\r', t: '\t', e: '\u001b', '\\': '\\' };

/**
 * What is typed for a text: backslash escapes become their characters, and a line break is what the key Enter sends.
 * An escape that is none stays as it is written.
 */
export function typedText(text: string): string {
  return text
    .replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([nrte\\]))/g, (_, byte, unit, letter) =>
      letter === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : (escapes[letter] ?? ''),
    )
    .replaceAll(/\r?\n/g, '\r');
}
