import { decodeText } from '../../editing/encodings/encoding.js';
import { textEncoding } from '../../editing/encodings/file-encoding.js';
import type { SyntaxChecker } from './syntax-check.js';

/** Notes about the syntax errors that a change introduced; none without a checker, and for binary files. */
export async function syntaxNotes(
  checker: SyntaxChecker | undefined,
  path: string,
  before: Buffer | undefined,
  slices: readonly Uint8Array[],
): Promise<string[]> {
  if (checker === undefined) return [];
  const [old, current] = [before && textOf(before), textOf(Buffer.concat(slices))];
  if (current === undefined) return [];
  const errors = await checker.newErrors(path, old, current);
  return errors.length === 0 ? [] : [`[New syntax errors; the change stays: ${errors.join(' ')}]`];
}

function textOf(bytes: Buffer): string | undefined {
  const encoding = textEncoding(bytes);
  return encoding && decodeText(bytes.subarray(encoding.markBytes), encoding.name);
}
