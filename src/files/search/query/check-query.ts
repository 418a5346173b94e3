import { ToolError } from '../../../core/error.js';
import type { GlobQuery, GrepQuery } from '../../../ports/file-system.js';

/**
 * Longer than any pattern that a person writes, and shorter than the longest argument of a program on Linux (128 KiB,
 * execve(2)).
 */
const maxPatternBytes = 100_000;
/** Twice the longest path on Linux. */
const maxGlobBytes = 8_192;

/** Throws `invalid_input` for a Grep query that neither engine accepts. */
export function checkGrepQuery({ pattern, glob, type }: Pick<GrepQuery, 'pattern' | 'glob' | 'type'>): void {
  if (pattern.includes('\0')) throw zeroByte('pattern', 'Files that hold one are binary and are not searched');
  refuseLong('pattern', pattern, maxPatternBytes);
  checkGlob('glob', glob ?? '*');
  checkGlob('type', type ?? 'all');
}

/** Throws `invalid_input` for an unusable Glob pattern. */
export function checkGlobQuery({ pattern }: Pick<GlobQuery, 'pattern'>): void {
  if (pattern === '') throw new ToolError('invalid_input', 'The pattern is empty. Give a glob such as **/*.ts.');
  checkGlob('pattern', pattern);
}

function checkGlob(field: 'pattern' | 'glob' | 'type', text: string): void {
  if (text.includes('\0')) throw zeroByte(field, 'File names cannot contain zero bytes');
  refuseLong(field, text, maxGlobBytes);
}

function zeroByte(field: string, why: string): ToolError {
  return new ToolError('invalid_input', `The ${field} holds a zero byte. ${why}; leave it out.`);
}

function refuseLong(field: string, text: string, maxBytes: number): void {
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return;
  throw new ToolError(
    'invalid_input',
    `The ${field} is longer than ${maxBytes} bytes; shorten it, or search in several steps.`,
  );
}
