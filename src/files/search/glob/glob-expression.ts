import { PatternError } from '../query/pattern-error.js';

/**
 * The expression that matches whole paths as a glob of ripgrep does (docs.rs/globset, "Syntax", with `/` only matched
 * by itself): `?`, `*`, `**` as a whole segment, `[ab]`, `[!ab]`, `{a,b}`, and a backslash before anything literal.
 * Throws a {@link PatternError} for a broken glob.
 */
export function globExpression(glob: string): RegExp {
  return new RegExp(`^${new GlobWriter(glob).write()}$`, 's');
}

const maxDepth = 200;

class GlobWriter {
  readonly #glob: string;
  #position = 0;
  #depth = 0;

  constructor(glob: string) {
    this.#glob = glob;
  }

  /** Up to the end, or to what ends an alternative of the innermost group. */
  write(): string {
    let source = '';
    while (this.#position < this.#glob.length) {
      if (this.#depth > 0 && /[,}]/.test(this.#glob[this.#position] ?? '')) break;
      source += this.#next();
    }
    return source;
  }

  /** What stands in braces. An alternative that matches nothing is none. */
  #alternatives(): string {
    if (++this.#depth > maxDepth) throw this.#broken('too many groups within groups');
    const found: string[] = [];
    for (let end: string | undefined; end !== '}'; ) {
      const source = this.write();
      if (source !== '') found.push(source);
      end = this.#glob[this.#position++];
      if (end === undefined) throw this.#broken("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    }
    this.#depth--;
    return found.length === 0 ? '' : `(?:${found.join('|')})`;
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
