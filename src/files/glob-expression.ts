import { PatternError } from './grep-syntax.js';

/**
 * The expression that matches whole paths as a glob of ripgrep does (docs.rs/globset, "Syntax", with `/` only matched by itself):
 * `?`, `*`, `**` as a whole segment, `[ab]`, `[!ab]`, `{a,b}`, and a backslash before anything literal. Throws a {@link PatternError} for a broken glob.
 */
export function globExpression(glob: string): RegExp {
  return new RegExp(`^${new GlobWriter(glob).write()}$`, 's');
}

class GlobWriter {
  readonly #glob: string;
  #position = 0;
  #depth = 0;

  constructor(glob: string) {
    this.#glob = glob;
  }

  write(): string {
    let source = '';
    while (this.#position < this.#glob.length) source += this.#next();
    if (this.#depth > 0) throw this.#broken("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    return source;
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
        this.#depth++;
        return '(?:';
      case '}':
        if (this.#depth-- === 0) throw this.#broken("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
        return ')';
      case ',':
        return this.#depth > 0 ? '|' : ',';
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
