import { createHash } from 'node:crypto';

/** A part of a document, the unit of search. Lines are counted from 1, and `endLine` belongs to the chunk. */
export interface MemoryChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** SHA-256 of the text in hexadecimal. An unchanged chunk is not embedded again. */
  readonly hash: string;
}

/** About 400 tokens of English. */
const maxChars = 1_600;
/** About 80 tokens, repeated at the start of the next chunk. */
const overlapChars = 320;
/** A heading starts a new chunk unless the chunk before it would be shorter than this. */
const minChars = 400;

/** Splits a document into chunks of about 400 tokens, if possible before headings and between paragraphs. */
export function chunksOf(document: string): readonly MemoryChunk[] {
  const lines = document
    .split(/\r?\n/)
    .flatMap((line, index) => piecesOf(line).map((text) => ({ text, at: index + 1 })));
  const chunks: MemoryChunk[] = [];
  let from = 0;
  let fresh = 0;
  const lengthOf = (start: number, end: number) =>
    lines.slice(start, end).reduce((sum, { text }) => sum + text.length + 1, 0);
  const close = (end: number) => {
    const isWritten = (line: { readonly text: string }) => line.text.trim() !== '';
    const part = lines.slice(from, end);
    const written = part.slice(Math.max(0, part.findIndex(isWritten)), part.findLastIndex(isWritten) + 1);
    const [first, last] = [written[0], written.at(-1)];
    if (first === undefined || last === undefined) return;
    const text = written.map((line) => line.text).join('\n');
    const hash = createHash('sha256').update(text).digest('hex');
    chunks.push({ startLine: first.at, endLine: last.at, text, hash });
  };
  while (fresh < lines.length) {
    const end = endOf(lines, fresh, Math.max(1, maxChars - lengthOf(from, fresh)));
    close(end);
    fresh = end;
    from = end;
    while (from > 0 && end < lines.length && lengthOf(from - 1, end) <= overlapChars) from -= 1;
  }
  return chunks;
}

/** Returns the end of a chunk of at least one line that starts at line `start` and takes about `room` characters. */
function endOf(lines: readonly { readonly text: string }[], start: number, room: number): number {
  let taken = 0;
  let paragraph: number | undefined;
  for (let index = start; index < lines.length; index++) {
    const { text = '' } = lines[index] ?? {};
    if (index > start && /^#{1,6}\s/.test(text) && taken >= minChars) return index;
    if (index > start && taken + text.length > room) return paragraph ?? index;
    if (index > start && text.trim() !== '' && lines[index - 1]?.text.trim() === '' && taken >= minChars)
      paragraph = index;
    taken += text.length + 1;
  }
  return lines.length;
}

/** A line, split if it is longer than a chunk. */
function piecesOf(line: string): readonly string[] {
  return line.length <= maxChars ? [line] : (line.match(new RegExp(`.{1,${maxChars}}`, 'gsu')) ?? []);
}
