/** A longer prefix is none that tools put before lines. */
const maxPrefixChars = 200;

/**
 * What stands in front of a line of a key, such as a line number, a file name, a time or the sign of a comment, so that
 * other lines with the same prefix are recognised.
 */
export class LinePrefix {
  readonly #form: RegExp;

  private constructor(prefix: string) {
    this.#form = new RegExp(`[ \\t]*${prefix.trimStart().replace(/\d+|[ \t]+|[\s\S]/g, formOf)}`, 'y');
  }

  /** What stands on its line before `at`; undefined where that is too long, or was a secret. */
  static before(text: string, at: number): LinePrefix | undefined {
    const from = Math.max(0, at - maxPrefixChars);
    const lineBreak = text.slice(from, at).lastIndexOf('\n');
    const prefix = text.slice(from + lineBreak + 1, at);
    return (lineBreak < 0 && from > 0) || prefix.includes('[REDACTED') ? undefined : new LinePrefix(prefix);
  }

  /** How long it is in front of another line, where numbers may differ; undefined where something else stands there. */
  lengthIn(line: string): number | undefined {
    this.#form.lastIndex = 0;
    return this.#form.test(line) ? this.#form.lastIndex : undefined;
  }
}

function formOf(part: string): string {
  if (/^\d/.test(part)) return '\\d+';
  if (/^[ \t]/.test(part)) return '[ \\t]+';
  // A search marks what it found and what stands around it.
  if (part === ':' || part === '-') return '[:-]';
  return /\w/.test(part)
    ? part
    : `\\u{${part.charCodeAt(0).toString(16)}}`.replace(/u\{(.+)\}/, (_, code: string) => `u${code.padStart(4, '0')}`);
}
