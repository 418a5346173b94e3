import { ToolError } from '../core/error.js';
import { type Diff, diffOfTexts } from '../text/diff.js';
import { decodeText, detectEncoding, encodeText, type TextEncoding } from '../text/encoding.js';
import { doubtfulWords, RedactionGuard } from '../text/redaction-guard.js';
import { restoreSecrets, type SecretLookup } from '../text/redaction-marks.js';
import type { Scrub } from '../text/scrub-part.js';
import { scrubCredentials } from '../text/scrubber.js';

/** New content for a whole file. */
export interface Rewrite {
  readonly slices: readonly Buffer[];
  /** Undefined where there is no text to compare with. */
  readonly diff: Diff | undefined;
  readonly notes: readonly string[];
}

/** A file that is to get other content. */
export interface Rewritten {
  /** Undefined for a file that is new; `too-large` for one whose content is not looked at. */
  readonly before: Buffer | 'too-large' | undefined;
  /** For messages. */
  readonly path: string;
  readonly maxDiffLines: number;
  /** Secrets behind the marks of a reversible scrubber. Default: no mark is known. */
  readonly secretOf?: SecretLookup | undefined;
  /** How the file was scrubbed when it was shown; `false` where it was not. Default: `scrubCredentials`. */
  readonly scrub?: Scrub | false | undefined;
}

const sampleBytes = 65_536;
const maxDiffBytes = 4_000_000;

/**
 * The bytes of new content for a file. The text is stored as it is given, in UTF-8; a file marked as UTF-16 or
 * with a byte order mark keeps both. Throws `redaction_in_edit` for a mark that stands for nothing that the file holds, or that may stand for one of its secrets.
 */
export function planRewrite(file: Rewritten, marked: string): Rewrite {
  const content = withSecrets(file, marked);
  if (file.before === 'too-large') {
    return {
      slices: [Buffer.from(content, 'utf8')],
      diff: undefined,
      notes: ['The file was too large to be compared with the new content'],
    };
  }
  const { before } = file;
  const encoding = before && encodingOf(before);
  const slices = encode(content, before, encoding);
  return { slices, diff: diff(before, encoding, content, file.maxDiffLines), notes: notes(before, encoding) };
}

function encodingOf(before: Buffer): TextEncoding | undefined {
  return detectEncoding(before.subarray(0, sampleBytes), before.length <= sampleBytes);
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

function withSecrets({ before, path, secretOf, scrub = scrubCredentials }: Rewritten, marked: string): string {
  // What is too large to be looked at is a file all the same, and holds nothing that is known.
  const holds = (text: string) =>
    before === 'too-large' ? text === '' : before?.includes(text) === true || before?.includes(Buffer.from(text, 'utf16le')) === true;
  const { text, foreign } = restoreSecrets(marked, holds, secretOf);
  if (foreign[0] !== undefined)
    throw new ToolError('redaction_in_edit', `${foreignWords(foreign[0], before, path)} Change the other lines with Edit.`);
  const doubtful = before instanceof Buffer ? new RedactionGuard(() => textOf(before), scrub).inWhole(text) : undefined;
  if (doubtful === undefined) return text;
  throw new ToolError('redaction_in_edit', `${doubtfulWords(doubtful, path)}. Change the other lines with Edit.`);
}

function foreignWords(mark: string, before: Rewritten['before'], path: string): string {
  return before === 'too-large'
    ? `${path} is too large to be checked for secrets, so ${mark} cannot be written: it may stand for one that was hidden when text was shown.`
    : `${mark} stands for a secret that was hidden when text was shown; ${path} does not hold it, and writing it would destroy the secret.`;
}

function textOf(before: Buffer): string {
  const encoding = encodingOf(before);
  return decodeText(before.subarray(encoding?.markBytes ?? 0), encoding?.name ?? 'utf-8');
}
