import { fileText } from '../../editing/encodings/file-encoding.js';
import type { SyntaxChecker } from './syntax-check.js';

/** Notes about the syntax errors that a change introduced; empty without a checker and for binary files. */
export async function syntaxNotes(
  checker: SyntaxChecker | undefined,
  path: string,
  before: Buffer | undefined,
  slices: readonly Uint8Array[],
): Promise<string[]> {
  if (checker === undefined) return [];
  const [old, current] = [before && fileText(before), fileText(Buffer.concat(slices))];
  if (current === undefined) return [];
  const errors = await checker.newErrors(path, old, current);
  return errors.length === 0 ? [] : [`[New syntax errors; the change stays: ${errors.join(' ')}]`];
}
