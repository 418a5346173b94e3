/**
 * The engine limits `\d`, `\w`, `\s` and `\b` to ASCII, so a pattern is written in one of three forms. `ascii` is for
 * ASCII texts, `unicode` for other texts if the pattern has no word boundary, and `marked` for texts with marks (see
 * {@link markedText}).
 */
export type PatternForm = 'ascii' | 'unicode' | 'marked';

const asciiSpaces = '\\t-\\r ';
const spaces = `${asciiSpaces}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}`;
const wordCharacters = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}';

/**
 * For each escape, the equivalent content of a bracket expression. Unicode `\W` has no entry, because it cannot be
 * written inside a bracket expression.
 */
const sets: Readonly<Record<'ascii' | 'unicode', Readonly<Record<string, string>>>> = {
  ascii: { d: '\\d', D: '\\D', w: '\\w', W: '\\W', s: asciiSpaces, S: '\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}' },
  unicode: {
    d: '\\p{Nd}',
    D: '\\P{Nd}',
    w: wordCharacters,
    s: spaces,
    S: `\\x00-\\x08\\x0e-\\x1f!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}`,
  },
};

export function writePattern(tokens: readonly string[], form: PatternForm): string {
  return tokens.map((part) => (form === 'marked' ? markedPart(part) : plainPart(part, sets[form]))).join('');
}

function plainPart(part: string, set: Readonly<Record<string, string>>): string {
  if (/^\[.+\]$/s.test(part)) return classOf(part, set);
  const name = /^\\([dDwWsS])$/.exec(part)?.[1];
  if (name === undefined) return part.replace(/^\\[uU]\{?(\w+)\}?$/, '\\x{$1}');
  return set[name] === undefined ? `[^${set.w}]` : `[${set[name]}]`;
}

const classEscape = /\\(?:([dDwWsS])|[uU]\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|.)/gsu;

function classOf(part: string, set: Readonly<Record<string, string>>): string {
  const [, negated = '', dashes = '', members = ''] = /^\[(\^?)(-*)(.*)\]$/s.exec(part) ?? [];
  let allButWords = false;
  const inside = members.replace(classEscape, (escaped, name, ...hex) => {
    const [digits] = hex.slice(0, 3).filter((each) => each !== undefined);
    if (digits !== undefined) return `\\x{${digits}}`;
    if (name === undefined) return escaped;
    allButWords ||= set[name] === undefined;
    return set[name] ?? '';
  });
  const rest = (dashes === '' ? '' : '\\-') + inside;
  if (!allButWords) return `[${negated}${rest}]`;
  if (negated === '') return rest === '' ? `[^${set.w}]` : `(?:[^${set.w}]|[${rest}])`;
  return rest === '' ? `[${set.w}]` : `(?:[${set.w}](?<![${rest}]))`;
}

const word = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
/**
 * The marks for a word boundary, no word boundary, and unknown (beside invalid bytes). The marks are lone surrogates,
 * which no text contains.
 */
const [boundary, noBoundary, unknown] = ['\udc01', '\udc02', '\udc03'];
/**
 * The marks after invalid bytes. Each part of a pattern must match a character and the mark after it. Because
 * `consumedMark` does not match these marks, no part matches the U+FFFD of invalid bytes.
 */
const [boundaryAfterBroken, unknownAfterBroken] = ['\udc11', '\udc13'];
const consumedMark = '[\\x{dc01}-\\x{dc03}]';
const marks = /[\udc01-\udc13]/gu;

function markedPart(part: string): string {
  if (part === '^') return '(?<=^[\\x{dc01}-\\x{dc13}])';
  if (part === '\\b') return '(?<=[\\x{dc01}\\x{dc11}])';
  if (part === '\\B') return '(?<=\\x{dc02})';
  return /^[(){|$*+?]/.test(part) ? part : `(?:${plainPart(part, sets.unicode)}${consumedMark})`;
}

/**
 * A text with a mark before each character and at the end. The mark says whether there is a word boundary, since the
 * engine finds only the boundaries of ASCII words. With `isBroken`, U+FFFD stands for invalid bytes and nothing matches
 * it.
 */
export function markedText(text: string, isBroken: boolean): string {
  let marked = '';
  let before: 'word' | 'broken' | 'other' = 'other';
  const mark = (next: typeof before): string => {
    const isBesideBroken = before === 'broken' || next === 'broken';
    const isBoundary = (before === 'word') !== (next === 'word');
    if (before === 'broken') return isBoundary ? boundaryAfterBroken : unknownAfterBroken;
    return isBoundary ? boundary : isBesideBroken ? unknown : noBoundary;
  };
  for (const character of text) {
    const kind = isBroken && character === '\ufffd' ? 'broken' : word.test(character) ? 'word' : 'other';
    marked += mark(kind) + character;
    before = kind;
  }
  return marked + mark('other');
}

/** The length of a marked text without its marks. */
export function lengthWithoutMarks(marked: string): number {
  return marked.replace(marks, '').length;
}
