import { createHash } from 'node:crypto';

/** A piece of a document that is found as one. Lines count from 1, both included. */
export interface MemoryChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal: a chunk that has not changed is not embedded again. */
  readonly hash: string;
}

/** About 400 tokens of English. */
const maxChars = 1_600;
/** About 80 tokens, which the next chunk begins with. */
const overlapChars = 320;
/** A heading begins a chunk, unless the one before it would be shorter than this. */
const minChars = 400;

/** A document in chunks of about 400 tokens, cut before headings and between paragraphs where there are some. */
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
    const text = lines
      .slice(from, end)
      .map((line) => line.text)
      .join('\n')
      .trim();
    if (text === '') return;
    const hash = createHash('sha256').update(text).digest('hex');
    chunks.push({ startLine: lines[from]?.at ?? 1, endLine: lines[end - 1]?.at ?? 1, text, hash });
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

/** Where a chunk ends that begins at a line and has room for so many characters: after at least one line. */
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

/** A line, in pieces where it is longer than a chunk. */
function piecesOf(line: string): readonly string[] {
  return line.length <= maxChars ? [line] : (line.match(new RegExp(`.{1,${maxChars}}`, 'gsu')) ?? []);
}
