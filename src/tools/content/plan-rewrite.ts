import { ToolError } from '../../core/error.js';
import { restoreSecrets } from '../../core/text/redaction-marks.js';
import { type Diff, diffOfTexts } from '../../editing/diff/by-lines.js';
import { decodeText, encodeText, lackingCharacter } from '../../editing/encodings/codecs.js';
import { declaredEncoding, fileText, textEncoding } from '../../editing/encodings/detect.js';
import { maxDecodedBytes } from '../../editing/match/file-text.js';
import { usualLineBreak } from '../../editing/match/line-breaks.js';
import { doubtfulMark, doubtfulWords } from '../../editing/redaction-guard.js';
import { refuseGuessedBytes } from '../../editing/splice/refuse-guessed-bytes.js';
import { scrubCredentials } from '../../secrets/scrubber.js';
import type { FileChangeDependencies } from './file-change-dependencies.js';
import { maxDiffBytes } from './file-change-steps.js';
import { placeholderLine } from './placeholder-line.js';

/** New content for a whole file. */
export interface Rewrite {
  readonly slices: readonly Buffer[];
  /** Undefined if the old content is not text or too large to compare. */
  readonly diff: Diff | undefined;
  readonly notes: readonly string[];
}

interface Rewritten {
  /** Undefined for a new file; `too-large` if the old content is not read. */
  readonly before: Buffer | 'too-large' | undefined;
  /** Used in messages, and to recognise prose files by their extension. */
  readonly path: string;
}

type RewriteRules = Pick<FileChangeDependencies, 'secretOf' | 'scrub'> & { readonly limits: { maxDiffLines: number } };

const names = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const;

/**
 * The new bytes of a file. The file keeps its byte order mark, its most frequent line break and its encoding. If the
 * old encoding is only declared or guessed, an encoding that the new content declares replaces it. If the encoding
 * lacks a character, and the new content declares no encoding, the file becomes UTF-8. Throws:
 *
 * - `redaction_in_edit` for a redaction mark whose secret is not in the file, or that may hide a secret of the file
 * - `invalid_input` for a placeholder line such as `// ... rest unchanged`
 * - `unsupported_file` for a character that the declared encoding lacks, or whose bytes are uncertain because the
 * encoding of the file is a guess
 */
export function planRewrite(file: Rewritten, marked: string, rules: RewriteRules): Rewrite {
  const { before } = file;
  const { maxDiffLines } = rules.limits;
  const content = withSecrets(file, marked, rules);
  const plain = { slices: [Buffer.from(content, 'utf8')], diff: undefined };
  if (before === 'too-large')
    return { ...plain, notes: ['The file was too large to be compared with the new content'] };
  if (before === undefined) return { ...plain, diff: diffOfTexts('', content, maxDiffLines), notes: [] };
  const found = textEncoding(before);
  if (found === undefined) return { ...plain, notes: ['The file was binary before'] };
  const { name: encoding, markBytes: start, knownBy } = found;
  // In a very large file, only the first lines are counted to find the usual line break.
  const old = decodeText(before.subarray(start, maxDecodedBytes), encoding);
  if (!/\.(?:mdx?|rst|txt)$/i.test(file.path)) refusePlaceholder(content, old);
  const lineBreak = usualLineBreak(old);
  const text = lineBreak === undefined ? content : content.replace(/\r\n|\n/g, lineBreak);
  const declared = knownBy === undefined ? undefined : declaredEncoding(Buffer.from(text.slice(0, 1_024)));
  if (declared === undefined) refuseGuessedBytes(text, before, found);
  const written = declared ?? encoding;
  const bytes = encodeText(start > 0 && text.startsWith('\ufeff') ? text.slice(1) : text, written);
  if (bytes === undefined && declared !== undefined)
    throw new ToolError(
      'unsupported_file',
      `The content declares ${declared}, which lacks ${lackingCharacter(text, declared)}; declare another, such as utf-8.`,
    );
  const isComparable = before.length <= maxDiffBytes && text.length <= maxDiffBytes;
  const kept = [
    ...(encoding === 'utf-8' || bytes === undefined || written !== encoding
      ? []
      : [`encoding (${knownBy === 'guess' && declared === undefined ? 'a guess: ' : ''}${encoding})`]),
    ...(start > 0 ? ['byte order mark'] : []),
    ...(lineBreak === undefined || text === content ? [] : [`${names[lineBreak]} line ends`]),
  ];
  const lost = () =>
    `The file was stored as ${encoding}, which has no bytes for ${lackingCharacter(text, encoding)}; now it is UTF-8`;
  return {
    slices: [before.subarray(0, start), bytes ?? Buffer.from(text, 'utf8')],
    diff: isComparable ? diffOfTexts(old, text, maxDiffLines) : undefined,
    notes: [
      ...(bytes === undefined ? [lost()] : []),
      ...(written === encoding ? [] : [`The file is now stored as ${written}, as its content declares`]),
      ...(kept.length === 0 ? [] : [`The file keeps its ${kept.join(', ')}`]),
    ],
  };
}

function refusePlaceholder(content: string, old: string): void {
  const line = placeholderLine(content);
  if (line === undefined || placeholderLine(old) !== undefined) return;
  throw new ToolError(
    'invalid_input',
    `The line ${JSON.stringify(line)} is a placeholder for omitted text, but Write replaces the whole file. ` +
      'Send the whole content, or change a part with Edit.',
  );
}

function withSecrets(
  { before, path }: Rewritten,
  marked: string,
  { secretOf, scrub = scrubCredentials }: RewriteRules,
): string {
  // The secrets of a file that is too large to read are unknown; only `holds('')` is true, because the file exists.
  const holds = (text: string) =>
    before === 'too-large'
      ? text === ''
      : before?.includes(text) === true || before?.includes(Buffer.from(text, 'utf16le')) === true;
  const { text, foreign } = restoreSecrets(marked, holds, secretOf);
  if (foreign[0] !== undefined)
    throw new ToolError(
      'redaction_in_edit',
      `${foreignWords(foreign[0], before, path)} Change the other lines with Edit.`,
    );
  const doubtful =
    before instanceof Buffer ? doubtfulMark(text, () => fileText(before) ?? before.toString(), scrub) : undefined;
  if (doubtful === undefined) return text;
  throw new ToolError('redaction_in_edit', `${doubtfulWords(doubtful, path)}. Change the other lines with Edit.`);
}

function foreignWords(mark: string, before: Rewritten['before'], path: string): string {
  return before === 'too-large'
    ? `${path} is too large to be checked for secrets, so ${mark} cannot be written: it may stand for a secret that ` +
        'was hidden when text was shown.'
    : `${mark} stands for a secret that was hidden when text was shown. ${path} does not contain that secret, and ` +
        'writing the mark would destroy it.';
}
