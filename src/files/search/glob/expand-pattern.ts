import { PatternError } from '../query/pattern-error.js';

/** A glob with its braces expanded, and the patterns whose matches it excludes. */
export interface GlobPattern {
  readonly patterns: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * An escape such as `\[`, or a bracket or brace. Brackets and braces are special in a pattern, but also occur in file
 * names.
 */
const magic = /\\.|[[\]{}]/g;

const maxAlternatives = 1_000;
/**
 * The maximum number of different ways in which one pattern is read. Once it is reached, further segments are not tried
 * as literal names.
 */
const maxReadings = 64;

/**
 * Normalizes a pattern. Backslashes of a Windows path become slashes. A trailing slash means everything in the folder.
 * `!x` finds everything except `x` and everything below `x`. Brackets that can be part of a name, as in
 * `app/[id]/*.ts`, are also read literally.
 */
export function globPattern(text: string, platform: NodeJS.Platform = process.platform): GlobPattern {
  if (!isWindowsPath(text) || (platform !== 'win32' && text.startsWith('\\'))) return readPattern(text);
  const path = readPattern(text.replaceAll('\\', '/'));
  if (platform === 'win32') return path;
  // On other systems the backslashes may also be escapes.
  const name = readPattern(text);
  return {
    patterns: [...new Set([...name.patterns, ...path.patterns])],
    exclude: [...new Set([...name.exclude, ...path.exclude])],
  };
}

function readPattern(text: string): GlobPattern {
  const pattern = text.endsWith('/') ? `${text}**` : text;
  const read = (each: string) => readings(each).flatMap(alternatives);
  return /^!(?!\()/.test(pattern)
    ? { patterns: ['**/*'], exclude: read(pattern.slice(1)).flatMap((each) => [each, `${each}/**`]) }
    : { patterns: read(pattern), exclude: [] };
}

/** Whether a pattern has no slash, but a backslash before a letter, a digit, `_`, `-` or `*`. */
function isWindowsPath(text: string): boolean {
  return !text.includes('/') && /\\[\w*-]/.test(text);
}

/**
 * All readings of a pattern: a segment with brackets or other special characters, but without wildcards, may also be a
 * literal name.
 */
function readings(pattern: string): readonly string[] {
  let starts: readonly string[] = [''];
  for (const segment of pattern.split('/')) {
    const bare = segment.replaceAll(/\\./g, '');
    const name = segment.replaceAll(magic, (part) => (part.length === 1 ? `\\${part}` : part));
    // A brace group that contains slashes spans several segments; such a segment is not tried as a literal name.
    const isPart = isBalanced(pattern) && !isBalanced(segment);
    const isPlain = name === segment || isPart || /[*?]/.test(bare) || starts.length >= maxReadings;
    const ways = isPlain ? [segment] : [segment, name];
    starts = starts.flatMap((start) => ways.map((way) => `${start}${way}/`));
  }
  return starts.map((reading) => reading.slice(0, -1));
}

function isBalanced(text: string): boolean {
  const bare = text.replaceAll(/\\./g, '');
  return bare.split('{').length === bare.split('}').length;
}

/** Expands the alternatives of all braces. Throws a {@link PatternError} if there are too many. */
function alternatives(pattern: string): readonly string[] {
  const done: string[] = [];
  const pending = [{ text: pattern, from: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { text, from } = next;
    const open = nextBrace(text, from);
    const group = open < 0 ? undefined : braceParts(text, open);
    if (group === undefined) done.push(text);
    else if (group.parts.length < 2) pending.push({ text, from: open + 1 });
    else
      for (const part of group.parts)
        pending.push({ text: text.slice(0, open) + part + text.slice(group.end), from: open });
    if (done.length + pending.length > maxAlternatives)
      throw new PatternError(`The braces of the pattern have over ${maxAlternatives} alternatives`);
  }
  return done;
}

function nextBrace(text: string, from: number): number {
  const found = /^(?:\\.|[^\\{])*\{/s.exec(text.slice(from));
  return found === null ? -1 : from + found[0].length - 1;
}

/**
 * The parts between the commas of the brace group that opens at `open`, and the end of the group; undefined if the
 * group is not closed.
 */
function braceParts(
  text: string,
  open: number,
): { readonly parts: readonly string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}' && depth-- === 0) {
      return { parts: [...parts, text.slice(start, at)], end: at + 1 };
    } else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return undefined;
}
