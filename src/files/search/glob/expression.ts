import { linearEngine } from '../../../core/schema/linear-engine.js';
import { PatternError } from '../query/pattern-error.js';

/**
 * The source of the expression that matches whole paths as a glob of ripgrep does (docs.rs/globset, "Syntax", with `/`
 * only matched by itself): `?`, `*`, `**` as a whole segment, `[ab]`, `[!ab]`, `{a,b}`, and a backslash before anything
 * literal. With `groups` also `(a|b)`, `@(a|b)`, `?(a)`, `*(a)` and `+(a)`, as in bash. Throws a {@link PatternError}
 * for a broken glob.
 */
export function globSource(glob: string, groups?: 'groups'): string {
  return `^${new GlobWriter(glob, groups !== undefined).write()}$`;
}

/** A test of whole paths by a glob, in linear time (no ReDoS). Rejects as {@link globSource} throws. */
export async function globTest(glob: string, groups?: 'groups'): Promise<(path: string) => boolean> {
  const engine = await linearEngine();
  const source = globSource(glob, groups);
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
  readonly #hasGroups: boolean;
  #position = 0;
  #depth = 0;

  constructor(glob: string, hasGroups: boolean) {
    this.#glob = glob;
    this.#hasGroups = hasGroups;
  }

  /** Writes up to the end, or to one of the characters that end an alternative of the innermost group. */
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
    const found = this.#parts(',}', "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    const written = found.filter((source) => source !== '');
    return written.length === 0 ? '' : `(?:${written.join('|')})`;
  }

  /** The alternatives in parentheses. */
  #group(sign: string): string {
    return `(?:${this.#parts('|)', "unclosed group; missing ')'").join('|')})${sign === '@' ? '' : sign}`;
  }

  #parts(ends: string, reason: string): string[] {
    if (++this.#depth > maxDepth) throw this.#broken('too many groups within groups');
    const found: string[] = [];
    for (let end: string | undefined; end !== ends[1]; ) {
      found.push(this.write(ends));
      end = this.#glob[this.#position++];
      if (end === undefined) throw this.#broken(reason);
    }
    this.#depth--;
    return found;
  }

  #next(): string {
    const character = this.#glob[this.#position++] ?? '';
    if (this.#hasGroups && /[@?+*]/.test(character) && this.#glob[this.#position] === '(') {
      this.#position++;
      return this.#group(character);
    }
    switch (character) {
      case '(':
        return this.#hasGroups ? this.#group('@') : '\\(';
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
        return escaped(this.#glob[this.#position++] ?? '');
      default:
        return escaped(character);
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
      body += character === '-' && !isFirst && this.#glob[this.#position] !== ']' ? '-' : escaped(character);
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

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}
