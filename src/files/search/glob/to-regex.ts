import { linearEngine } from '../../../core/schema/linear-engine.js';
import { escapedForRegex } from '../../../core/text/regex-escape.js';
import { PatternError } from '../query/pattern-error.js';
import type { EntryFilter } from '../walk/walk.js';

/**
 * Translates a glob of ripgrep (docs.rs/globset, "Syntax") to the source of a regular expression for whole paths.
 * Supported: `?`, `*`, `**` as a whole segment, `[ab]`, `[!ab]`, `{a,b}`, and a backslash to escape the next character.
 * `?`, `*` and `[!ab]` never match `/`. Throws a {@link PatternError} for an invalid glob.
 */
export function globSource(glob: string): string {
  return `^${new GlobWriter(glob).write()}$`;
}

/** Tests whole paths by a glob, in linear time (no ReDoS). Rejects with a {@link PatternError} for an invalid glob. */
export async function globTest(glob: string): Promise<(path: string) => boolean> {
  const engine = await linearEngine();
  const source = globSource(glob);
  try {
    const expression = engine.compile(source, engine.DOTALL);
    return (path) => expression.test(path);
  } catch {
    throw new PatternError(`error parsing glob '${glob}': it compiles to too many instructions`);
  }
}

const maxDepth = 200;

class GlobWriter {
  readonly #glob: string;
  #position = 0;
  #depth = 0;

  constructor(glob: string) {
    this.#glob = glob;
  }

  /** Translates the glob up to its end, or up to a character of `ends`; such a character ends an alternative. */
  write(ends = ''): string {
    let source = '';
    while (this.#position < this.#glob.length) {
      if (ends.includes(this.#glob[this.#position] ?? '')) break;
      source += this.#next();
    }
    return source;
  }

  /** The alternatives in braces; empty ones are dropped. */
  #alternatives(): string {
    if (++this.#depth > maxDepth) throw this.#broken('too many groups within groups');
    const found: string[] = [];
    for (let end: string | undefined; end !== '}'; ) {
      found.push(this.write(',}'));
      end = this.#glob[this.#position++];
      if (end === undefined) throw this.#broken("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    }
    this.#depth--;
    const written = found.filter((source) => source !== '');
    return written.length === 0 ? '' : `(?:${written.join('|')})`;
  }

  #next(): string {
    const character = this.#glob[this.#position++] ?? '';
    switch (character) {
      case '?':
        return '[^/]';
      case '*':
        return this.#stars();
      case '[':
        return this.#class();
      case '{':
        return this.#alternatives();
      case '}':
        throw this.#broken("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
      case '\\':
        if (this.#position === this.#glob.length) throw this.#broken("dangling '\\'");
        return escapedForRegex(this.#glob[this.#position++] ?? '');
      default:
        return escapedForRegex(character);
    }
  }

  #stars(): string {
    const start = this.#position - 1;
    while (this.#glob[this.#position] === '*') this.#position++;
    const isSegment = this.#position - start === 2 && (start === 0 || this.#glob[start - 1] === '/');
    if (isSegment && this.#glob[this.#position] === '/') {
      this.#position++;
      return '(?:.*/)?';
    }
    return isSegment && this.#position === this.#glob.length ? '.*' : '[^/]*';
  }

  #class(): string {
    const isNegated = /[!^]/.test(this.#glob[this.#position] ?? '');
    if (isNegated) this.#position++;
    let body = '';
    for (let isFirst = true; ; isFirst = false) {
      const character = this.#glob[this.#position++];
      if (character === undefined) throw this.#broken("unclosed character class; missing ']'");
      if (character === ']' && !isFirst) break;
      if (character !== '-') body += escapedForRegex(character);
      else body += isFirst || this.#glob[this.#position] === ']' ? '\\-' : '-';
    }
    try {
      new RegExp(`[${body}]`);
    } catch {
      throw this.#broken('invalid range');
    }
    return `[${isNegated ? '^/' : ''}${body}]`;
  }

  #broken(reason: string): PatternError {
    return new PatternError(`error parsing glob '${this.#glob}': ${reason}`);
  }
}

/**
 * Returns a filter that treats a glob as `rg --glob` does (ripgrep guide, "Manual filtering: globs"): gitignore syntax
 * plus braces, relative to the searched folder. Without `!`, files that match are included even if they are ignored,
 * and all other files are excluded. With `!`, files that match are excluded.
 */
export async function globOverride(glob: string, directory: string): Promise<EntryFilter> {
  const line = glob.endsWith('\\ ') ? glob : glob.trimEnd();
  // As in an ignore file, an empty line or a comment has no effect.
  if (line === '' || line.startsWith('#')) return () => 'unknown';
  const negated = line.startsWith('!');
  const matches = await gitignoreGlob(negated ? line.slice(1) : line);
  const start = directory.endsWith('/') ? directory.length : directory.length + 1;
  return (path, name, isDirectory) => {
    if (matches(path.slice(start), name, isDirectory)) return negated ? 'out' : 'in';
    return negated || isDirectory ? 'unknown' : 'out';
  };
}

async function gitignoreGlob(
  glob: string,
): Promise<(relativePath: string, name: string, isDirectory: boolean) => boolean> {
  const onlyDirectories = glob.endsWith('/');
  // The slash may be escaped.
  const body = onlyDirectories ? glob.replace(/\\?\/$/, '') : glob;
  const isAnchored = body.includes('/');
  const inside = body.endsWith('/**') ? `${body}/*` : body;
  const matches = await globTest(inside.startsWith('/') ? inside.slice(1) : inside);
  return (relativePath, name, isDirectory) =>
    (isDirectory || !onlyDirectories) && matches(isAnchored ? relativePath : name);
}
