import { ToolError } from '../core/error.js';
import { type Diff, diffOfTexts } from '../text/diff.js';
import { decodeText, detectEncoding, encodeText, type TextEncoding } from '../text/encoding.js';
import { restoreSecrets, type SecretLookup } from '../text/redaction-marks.js';

/** New content for a whole file. */
export interface Rewrite {
  readonly slices: readonly Buffer[];
  /** Undefined where there is no text to compare with. */
  readonly diff: Diff | undefined;
  readonly notes: readonly string[];
}

const sampleBytes = 65_536;
const maxDiffBytes = 4_000_000;

/**
 * The bytes of new content for a file that holds `before`, or does not exist. The text is stored as it is given, in UTF-8; a file marked as UTF-16 or
 * with a byte order mark keeps both. Throws `redaction_in_edit` for a mark that stands for nothing that the file holds.
 */
export function planRewrite(
  before: Buffer | undefined,
  marked: string,
  path: string,
  maxDiffLines: number,
  secretOf?: SecretLookup,
): Rewrite {
  const content = withSecrets(before, marked, path, secretOf);
  const encoding = before === undefined ? undefined : detectEncoding(before.subarray(0, sampleBytes), before.length <= sampleBytes);
  const slices = encode(content, before, encoding);
  return { slices, diff: diff(before, encoding, content, maxDiffLines), notes: notes(before, encoding) };
}

function encode(content: string, before: Buffer | undefined, encoding: TextEncoding | undefined): Buffer[] {
  if (before === undefined || encoding === undefined || encoding.markBytes === 0) return [Buffer.from(content, 'utf8')];
  const text = content.startsWith('\ufeff') ? content.slice(1) : content;
  return [before.subarray(0, encoding.markBytes), encodeText(text, encoding.name) ?? Buffer.from(text, 'utf8')];
}

function diff(before: Buffer | undefined, encoding: TextEncoding | undefined, content: string, maxLines: number): Diff | undefined {
  if (before === undefined) return diffOfTexts('', content, maxLines);
  if (encoding === undefined || before.length > maxDiffBytes || content.length > maxDiffBytes) return undefined;
  return diffOfTexts(decodeText(before.subarray(encoding.markBytes), encoding.name), content, maxLines);
}

function notes(before: Buffer | undefined, encoding: TextEncoding | undefined): string[] {
  if (before === undefined || before.length === 0) return [];
  if (encoding === undefined) return ['The file was binary before'];
  if (encoding.markBytes > 0) return [`The file keeps its byte order mark (${encoding.name})`];
  return encoding.name === 'utf-8' ? [] : [`The file was stored as ${encoding.name} before; now it is UTF-8`];
}

function withSecrets(before: Buffer | undefined, content: string, path: string, secretOf: SecretLookup | undefined): string {
  const holds = (text: string) => before?.includes(text) === true || before?.includes(Buffer.from(text, 'utf16le')) === true;
  const { text, foreign } = restoreSecrets(content, holds, secretOf);
  if (foreign[0] === undefined) return text;
  throw new ToolError(
    'redaction_in_edit',
    `${foreign[0]} stands for a secret that was hidden when text was shown; ${path} does not hold it, and writing it would destroy the secret. Change the other lines with Edit.`,
  );
}
