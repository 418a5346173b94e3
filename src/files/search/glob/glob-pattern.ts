/** A glob in the form that fast-glob reads. */
export interface GlobPattern {
  readonly patterns: readonly string[];
  readonly exclude: readonly string[];
}

/** Parentheses that are no alternatives, as in the name of a folder such as `(group)`. */
const plainGroup = /(?<![\\!?+*@])\(([^()|\\]*)\)/g;
/** What no name holds is no character of it. */
const anyCharacter = '[^\\x00]';
/** An escape, or what a name can hold that means something in a pattern. */
const magic = /\\.|[[\](){}!+@|]/g;
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
/** From how many on no further segment is taken for a name. */
const maxReadings = 64;

/**
 * Tidies a pattern: backslashes of a Windows path are slashes, a folder with a slash behind it means all that is in
 * it, a pattern that only excludes means all but that, and brackets that can be part of a name, as in
 * `app/[id]/*.ts`, are also taken literally.
 */
export function globPattern(text: string, platform: NodeJS.Platform = process.platform): GlobPattern {
  if (!isWindowsPath(text)) return readPattern(text);
  const path = readPattern(text.replaceAll('\\', '/'));
  if (platform === 'win32') return path;
  // Elsewhere the backslashes may be escapes as well.
  const name = readPattern(text);
  return {
    patterns: [...new Set([...name.patterns, ...path.patterns])],
    exclude: [...new Set([...name.exclude, ...path.exclude])],
  };
}

function readPattern(text: string): GlobPattern {
  // The matcher would take an escaped letter or digit for what it is in an expression.
  const escaped = text.replaceAll(/\\(.)/g, (pair, character) => (/\w/.test(character) ? character : pair));
  const pattern = (escaped.endsWith('/') ? `${escaped}**` : escaped).replace(plainGroup, '\\($1\\)');
  if (/^!(?!\()/.test(pattern)) return { patterns: ['**/*'], exclude: readings(pattern.slice(1)).map(withRanges) };
  const written = readings(pattern).map(withRanges).map(withClasses);
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

/**
 * fast-glob takes a question mark in a folder for part of its name, and starts there, and an escaped brace for one that
 * holds what follows, but neither in a class.
 */
function withClasses(pattern: string): string {
  const name = pattern.lastIndexOf('/') + 1;
  const folders = pattern.slice(0, name);
  const written = folders.replace(/\\(.)|\[[^\]]*\]|\?(?!\()/g, (part, escaped) =>
    part === '?' ? anyCharacter : /[{}]/.test(escaped ?? '') ? `[${escaped}]` : part,
  );
  return written + pattern.slice(name);
}

/** No slash at all, and a backslash before something that needs no escape. */
function isWindowsPath(text: string): boolean {
  return !text.includes('/') && /\\[\w*-]/.test(text);
}

/** A pattern with each segment without wildcards as it is and, where it holds brackets and the like, as a name. */
function readings(pattern: string): readonly string[] {
  let starts: readonly string[] = [''];
  for (const segment of pattern.split('/')) {
    const bare = segment.replaceAll(/\\./g, '');
    const name = segment.replaceAll(magic, (part) => (part.length === 1 ? `\\${part}` : part));
    // Braces may hold slashes; then the segment is a part of them.
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
