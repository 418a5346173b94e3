import type { FindOptions, Span } from './exact.js';
import type { YieldToLoop } from './line-counter.js';
import type { LineBreakKind } from './newlines.js';
import { SequenceFinder } from './sequence-finder.js';

/** A text of units, of bytes or characters, in which each line break counts as one, however many units it takes. */
export interface BrokenText {
  readonly kind: LineBreakKind;
  readonly start: number;
  readonly end: number;
  /** How far one unit is from the next. */
  readonly unit: number;
  readonly codeAt: (at: number) => number;
}

const anyBreak = -2;
// The second half of a line break.
const noBreak = -3;
const yieldEvery = 65_536;

/** What to look for: the units of all lines, and line breaks between them. */
export function breakTokens(lines: readonly (readonly number[])[], kind: LineBreakKind): number[] {
  const single = kind === 'returns' ? 13 : kind === 'feeds' ? 10 : undefined;
  const tokens: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) tokens.push(anyBreak);
    for (const code of line) tokens.push(code === single ? anyBreak : code);
  }
  return tokens;
}

/**
 * Adds to `spans` all places behind them where the tokens stand. It takes one walk through the text, whatever is in it.
 */
export async function sequenceSpans(
  text: BrokenText,
  tokens: readonly number[],
  { overlapping, maxSpans }: FindOptions,
  spans: Span[],
  yieldToLoop: YieldToLoop,
): Promise<Span[]> {
  const finder = new SequenceFinder(tokens);
  const last = spans.at(-1);
  let at = last === undefined ? text.start : overlapping ? last.start + text.unit : last.end;
  for (let round = 1; at < text.end && spans.length < maxSpans; round++) {
    if (round % yieldEvery === 0) await yieldToLoop();
    const { token, width } = tokenAt(text, at);
    at += width;
    if (!finder.push(token)) continue;
    spans.push({ start: startOf(text, tokens, at), end: at });
    if (!overlapping) finder.reset();
  }
  return spans;
}

function tokenAt(
  { kind, unit, codeAt, start }: BrokenText,
  at: number,
): { readonly token: number; readonly width: number } {
  const code = codeAt(at);
  if (code !== 10 && code !== 13) return { token: code, width: unit };
  if (kind !== 'mixed') return { token: code === (kind === 'returns' ? 13 : 10) ? anyBreak : code, width: unit };
  if (code === 13)
    return codeAt(at + unit) === 10 ? { token: anyBreak, width: 2 * unit } : { token: code, width: unit };
  return { token: at > start && codeAt(at - unit) === 13 ? noBreak : anyBreak, width: unit };
}

function startOf({ kind, unit, codeAt, start }: BrokenText, tokens: readonly number[], end: number): number {
  let at = end;
  for (let index = tokens.length - 1; index >= 0; index--) {
    const isTwo =
      kind === 'mixed' && tokens[index] === anyBreak && at - 2 * unit >= start && codeAt(at - 2 * unit) === 13;
    at -= isTwo ? 2 * unit : unit;
  }
  return at;
}
