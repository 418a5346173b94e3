import { lstatSync } from 'node:fs';

/** A glob in the form that fast-glob reads. */
export interface GlobPattern {
  readonly patterns: readonly string[];
  readonly exclude: readonly string[];
}

/** Parentheses that are no alternatives, as in the name of a folder such as `(group)`. */
const plainGroup = /(?<![\\!?+*@])\(([^()|\\]*)\)/g;
/** What no name holds is no character of it. */
const anyCharacter = '[^\\x00]';
const magic = /[[\](){}!+@|]/;
/** A last segment with no wildcards but stars and question marks, and what follows them. */
const plainName = /(?:^|\/)[\w.*? -]*?([\w. -]*)$/;

/** What the named classes of POSIX hold, without the slash, as the inside of a class. */
const namedClasses = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x01-\\x2e0-\\x7f'],
  ['blank', '\\x09\\x20'],
  ['cntrl', '\\x01-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '\\x21-\\x2e0-\\x7e'],
  ['lower', 'a-z'],
  ['print', '\\x20-\\x2e0-\\x7e'],
  ['punct', '\\x21-\\x2e\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e'],
  ['space', '\\x09-\\x0d\\x20'],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
]);

/** What braces of which a part climbs look like; the walk starts somewhere else for that part. */
const climbs = /[{,/]\.\.[},/]/;
const maxAlternatives = 1_000;

/**
 * Tidies a pattern: backslashes of a Windows path become slashes, a folder with a slash behind it means all that is in
 * it, a pattern that only excludes means all but that, and brackets that name an existing folder or file, such as
 * `app/[id]/*.ts`, are also taken literally. `exists` tells which do; default: those on the disk.
 */
export function globPattern(text: string, folder: string, exists: (path: string) => boolean = isOnDisk): GlobPattern {
  const slashed = isWindowsPath(text) ? text.replaceAll('\\', '/') : text;
  const pattern = (slashed.endsWith('/') ? `${slashed}**` : slashed).replace(plainGroup, '\\($1\\)');
  if (/^!(?!\()/.test(pattern)) return { patterns: ['**/*'], exclude: [withRanges(pattern.slice(1))] };
  const literal = literalBrackets(pattern, folder, exists);
  const patterns = literal === pattern ? [pattern] : [pattern, literal];
  const written = patterns.map(withRanges).map(withOneOf);
  return {
    patterns: written.flatMap((each) => (each.includes('{') && climbs.test(each) ? alternatives(each) : [each])),
    exclude: [],
  };
}

/**
 * How the names of all files end that patterns without braces can match, such as `.ts` for `src/*.ts`; undefined where
 * that is not known. It spares the matcher most names; what it leaves still has to match.
 */
export function nameEndings(patterns: readonly string[]): readonly string[] | undefined {
  const endings = patterns.map((pattern) => plainName.exec(pattern)?.[1] ?? '');
  return endings.includes('') ? undefined : endings;
}

/** The matcher loses what stands right behind a named class such as `[[:digit:]]`, so they are written as ranges. */
function withRanges(pattern: string): string {
  if (!pattern.includes('[:')) return pattern;
  return pattern.replace(/\[[!^]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/g, (bracket) =>
    bracket.replace(/\[:([a-z]+):\]/g, (named, name: string) => namedClasses.get(name) ?? named),
  );
}

/** fast-glob takes a question mark in a folder for part of its name, and starts there, but not a class. */
function withOneOf(pattern: string): string {
  const name = pattern.lastIndexOf('/') + 1;
  const folders = pattern.slice(0, name);
  return (
    folders.replace(/\\.|\[[^\]]*\]|\?(?!\()/g, (part) => (part === '?' ? anyCharacter : part)) + pattern.slice(name)
  );
}

/** No slash at all, and a backslash before something that needs no escape. */
function isWindowsPath(text: string): boolean {
  return !text.includes('/') && /\\[\w*-]/.test(text);
}

function literalBrackets(pattern: string, folder: string, exists: (path: string) => boolean): string {
  let place = pattern.startsWith('/') ? '' : folder;
  const segments = pattern.split('/');
  const written: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (/[*?]/.test(segment)) return [...written, ...segments.slice(index)].join('/');
    const name = segment.replaceAll(/\\(.)/g, '$1');
    place = segment === '' ? place : `${place}/${name}`;
    written.push(magic.test(name) && exists(place) ? name.replaceAll(/[[\](){}!+@|]/g, '\\$&') : segment);
  }
  return written.join('/');
}

function isOnDisk(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // No file can have such a name, for instance because it is too long.
    return false;
  }
}

/** The patterns that the alternatives of all braces make. Throws a RangeError where there are too many. */
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
      throw new RangeError(`its braces have over ${maxAlternatives} alternatives.`);
  }
  return done;
}

function nextBrace(text: string, from: number): number {
  const found = /^(?:\\.|[^\\{])*\{/s.exec(text.slice(from));
  return found === null ? -1 : from + found[0].length - 1;
}

/** The parts between the commas of the braces that open at `open`, and where they end; undefined when they never do. */
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
    else if (character === '}' && depth-- === 0) return { parts: [...parts, text.slice(start, at)], end: at + 1 };
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return undefined;
}
