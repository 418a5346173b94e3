import { allBut, controls, hexOf, needsRipgrep, one, posix, propertyOf } from './grep-class-parts.js';
import type { TextKind } from './grep-text.js';
import { PatternError } from './pattern-error.js';

/** What an expression is made for. */
export interface TranslateOptions {
  readonly text: TextKind;
  /** Matches may span lines; else nothing that is matched contains a line feed. */
  readonly acrossLines: boolean;
  /** `^` and `$` of ECMAScript will do, because the text has no line ends but line feeds. */
  readonly plainLineEnds: boolean;
}

/** An ECMAScript expression that matches what a pattern matches. */
export interface Translated {
  readonly source: string;
  readonly ignoreCase: boolean;
  /** A match may hold a line feed or look at the ends of lines, so a file has to be searched as a whole. */
  readonly crossesLines: boolean;
  /** Texts that every match contains. */
  readonly literals: readonly string[];
}

const maxDepth = 200;
/**
 * Writes a pattern of Rust's `regex` crate (docs.rs/regex, "Syntax"), which ripgrep uses, as an ECMAScript expression
 * for the flags `m` and `v`. Throws a {@link PatternError} for what the syntax does not allow, and for what is rare or
 * means something else to ECMAScript: that needs ripgrep.
 */
export function translatePattern(pattern: string, options: TranslateOptions): Translated {
  const [opening = '', flags = ''] = /^\(\?([is]+)\)/.exec(pattern) ?? [];
  return new Translator(pattern, opening.length, flags, options).translate();
}

class Translator {
  readonly #pattern: string;
  readonly #options: TranslateOptions;
  readonly #flags: string;
  readonly #names = new Set<string>();
  readonly #runs: string[] = [''];
  #at: number;
  #crossesLines = false;

  constructor(pattern: string, at: number, flags: string, options: TranslateOptions) {
    this.#pattern = pattern;
    this.#at = at;
    this.#flags = flags;
    this.#options = options;
  }

  translate(): Translated {
    const source = this.#choice(0);
    if (this.#at < this.#pattern.length) throw new PatternError('unopened group');
    const literals = this.#runs.filter((run) => run !== '');
    const crossesLines = this.#crossesLines && this.#options.acrossLines;
    return { source, ignoreCase: this.#flags.includes('i'), crossesLines, literals };
  }

  #choice(depth: number): string {
    if (depth > maxDepth) throw new PatternError('nested too deeply');
    let source = '';
    for (;;) {
      if (this.#at === this.#pattern.length || this.#pattern[this.#at] === ')') return source;
      if (this.#take(/\|/y) !== undefined) {
        source += '|';
        // What stands beside something else is in no match for certain.
        if (depth === 0) this.#runs.length = 0;
        continue;
      }
      const from = this.#at;
      const atom = this.#atom(depth);
      const raw = this.#pattern.slice(from, this.#at);
      const repeats = this.#repeats(atom);
      source += repeats;
      if (depth === 0) this.#note(repeats === atom && /^[^.^$[(\\]$/u.test(raw) ? raw : '');
    }
  }

  /** Goes on with the run of characters that every match holds, or begins a new one. */
  #note(character: string): void {
    const last = this.#runs.length - 1;
    if (last < 0) return;
    if (character === '') this.#runs.push('');
    else this.#runs[last] += character;
  }

  #atom(depth: number): string {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    if (/[*+?{]/.test(character)) throw new PatternError('repetition operator missing expression');
    if (character === '(') return this.#group(depth);
    if (character === '[') return this.#class();
    if (character === '\\') return this.#escaped();
    this.#at += character.length;
    const { acrossLines, plainLineEnds, text } = this.#options;
    this.#crossesLines ||= /[.^$]/.test(character);
    if (character === '^') return plainLineEnds ? '^' : `(?<!${allBut('\\n')})`;
    if (character === '$') return plainLineEnds ? '$' : `(?!${allBut('\\n')})`;
    if (character !== '.') return this.#literal(character.codePointAt(0) ?? 0);
    const lines = acrossLines ? '' : '\\n';
    return allBut(text === 'broken' ? `${lines}\\ufffd` : lines);
  }

  #group(depth: number): string {
    const opening = this.#take(/\((?:\?(?:P?<([^>]*)>|:|([a-zA-Z-]*)([:)]?)))?/y) ?? ['('];
    const [whole, name, flags] = opening;
    if (/^\(\?<?[=!]/.test(this.#pattern.slice(this.#at - whole.length)))
      throw new PatternError('look-around, including look-ahead and look-behind, is not supported');
    if (flags !== undefined && /[a-zA-Z]/.test(flags)) throw needsRipgrep('flags within a pattern');
    if (flags !== undefined || this.#pattern.startsWith('?', this.#at)) throw new PatternError('unrecognized flag');
    if (name !== undefined) {
      if (!/^[A-Za-z_][\w.[\]]*$/.test(name)) throw new PatternError(`invalid capture group name: ${name}`);
      if (this.#names.has(name)) throw new PatternError(`duplicate capture group name: ${name}`);
      this.#names.add(name);
    }
    const source = this.#choice(depth + 1);
    if (this.#take(/\)/y) === undefined) throw new PatternError('unclosed group');
    return `(?:${source})`;
  }

  #repeats(atom: string): string {
    const repeat = this.#take(/[*+?]\??/y)?.[0] ?? this.#counted();
    if (repeat === undefined) return atom;
    if (/[*+?{]/.test(this.#pattern[this.#at] ?? '')) throw needsRipgrep('a repeat of a repeat');
    return `(?:${atom})${repeat}`;
  }

  #counted(): string | undefined {
    if (this.#pattern[this.#at] !== '{') return undefined;
    const [, least, comma = '', most = '', lazy] = this.#take(/\{\s*(\d{1,9})\s*(?:(,)\s*(\d{0,9})\s*)?\}(\??)/y) ?? [];
    if (least === undefined) throw new PatternError('repetition quantifier expects a valid decimal');
    if (most !== '' && Number(most) < Number(least))
      throw new PatternError('invalid repetition count range, the start must be <= the end');
    // What ripgrep takes is bounded by the size of what it compiles, which the count decides.
    if (Math.max(Number(least), Number(most)) > 1_000) throw needsRipgrep('a repeat of more than 1,000 times');
    return `{${least}${comma}${most}}${lazy}`;
  }

  #escaped(): string {
    const assertion = this.#take(/\\(b\{[^}]*\}|[bBAz<>])/y)?.[1];
    if (assertion === undefined) {
      const { set, codePoint } = this.#escape();
      return codePoint === undefined ? this.#limited(`[${set}]`) : this.#literal(codePoint);
    }
    if (!/^[bB]$/.test(assertion)) throw needsRipgrep(`\\${assertion}`);
    if (this.#options.text === 'ascii') return `\\${assertion}`;
    const word = `[${this.#perl('w')}]`;
    if (assertion === 'b') return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    const inside = `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
    return this.#options.text === 'broken' ? `(?<!\\ufffd)(?!\\ufffd)${inside}` : inside;
  }

  /** Reads an escape that stands for a character or a set, within a class or without. */
  #escape(): { readonly set: string; readonly codePoint?: number } {
    const hex = this.#take(/\\(?:[xuU]\{([\da-fA-F]{1,8})\}|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y);
    if (hex !== undefined) return one(hexOf(hex.slice(1).find((digits) => digits !== undefined) ?? ''));
    const perl = this.#take(/\\([dswDSW])/y)?.[1];
    if (perl !== undefined) {
      const set = this.#perl(perl.toLowerCase());
      return { set: perl === perl.toLowerCase() ? set : `[^${set}]` };
    }
    const property = this.#take(/\\([pP])(?:\{([A-Za-z_]+)\}|([A-Z]))/y);
    if (property !== undefined) return { set: propertyOf(property[1] ?? 'p', property[2] ?? property[3] ?? '') };
    const [, letter = ''] = this.#take(/\\([\s\S]?)/y) ?? [];
    if (letter === '') throw new PatternError('incomplete escape sequence at the end of the pattern');
    if (/\d/.test(letter)) throw new PatternError('backreferences are not supported');
    const control = controls[letter];
    if (control !== undefined) return one(control);
    if (/[pP]/.test(letter)) throw needsRipgrep('this Unicode property');
    if (/[A-Za-z]|[^\0-\x7f]/.test(letter)) throw new PatternError(`unrecognized escape sequence \\${letter}`);
    return one(letter.charCodeAt(0));
  }

  #class(): string {
    const [, negated = '', dashes = ''] = this.#take(/\[(\^?)(-*)/y) ?? [];
    let body = dashes === '' ? '' : '\\-';
    let only = negated === '' && dashes === '' ? '' : 'more';
    for (let isFirst = dashes === ''; ; isFirst = false) {
      if (this.#at === this.#pattern.length) throw new PatternError('unclosed character class');
      if (!isFirst && this.#take(/\]/y) !== undefined) break;
      const operator = isFirst ? /^(?:&&|~~)/ : /^(?:&&|--|~~)/;
      if (operator.test(this.#pattern.slice(this.#at))) throw needsRipgrep('an operator in a class');
      const name = this.#take(/\[:(\^?)([a-z]+):\]/y);
      const ranges = posix.get(name?.[2] ?? '');
      if (name !== undefined && ranges !== undefined) {
        body += name[1] === '' ? ranges : `[^${ranges}]`;
        only += 'more';
        continue;
      }
      if (name !== undefined || this.#pattern[this.#at] === '[') throw needsRipgrep('a class within a class');
      const from = this.#member();
      if (this.#take(/-(?!\]|-)/y) === undefined) {
        body += from.set;
        only += from.codePoint ?? 'more';
        continue;
      }
      const to = this.#member();
      if (from.codePoint === undefined || to.codePoint === undefined)
        throw new PatternError('invalid range boundary, must be a literal');
      if (to.codePoint < from.codePoint)
        throw new PatternError('invalid character class range, the start must be <= the end');
      body += `${from.set}-${to.set}`;
      only += from.codePoint === to.codePoint ? from.codePoint : 'more';
    }
    if (only === '10' || only === '0') this.#literal(Number(only));
    return this.#limited(negated === '' ? `[${body}]` : allBut(body));
  }

  #member(): { readonly set: string; readonly codePoint?: number } {
    if (/^\\[bBAz<>]/.test(this.#pattern.slice(this.#at, this.#at + 2)))
      throw new PatternError('invalid escape sequence found in character class');
    if (this.#pattern[this.#at] === '\\') return this.#escape();
    const character = this.#take(/[\s\S]/uy)?.[0] ?? '';
    if (character === '') throw new PatternError('unclosed character class');
    return one(character.codePointAt(0) ?? 0);
  }

  /** What can never be found is refused, as ripgrep does; saying so beats finding nothing. */
  #literal(codePoint: number): string {
    if (codePoint === 10 && !this.#options.acrossLines)
      throw new PatternError('the literal "\\n" is not allowed in a pattern unless multiline is true');
    this.#crossesLines ||= codePoint === 10;
    if (codePoint === 0) throw new PatternError('the pattern contains "\\0", but it is impossible to match');
    // Bytes that are no text are read as this character.
    if (codePoint === 0xfffd) throw needsRipgrep('U+FFFD');
    return one(codePoint).set;
  }

  /** Takes away what a match may never contain. */
  #limited(set: string): string {
    const { acrossLines, text } = this.#options;
    this.#crossesLines ||= new RegExp(set, 'v').test('\n');
    const without = `${acrossLines ? '' : '\\n'}${text === 'broken' ? '\\ufffd' : ''}`;
    return without === '' ? set : `[${set}--[${without}]]`;
  }

  #perl(name: string): string {
    const isAscii = this.#options.text === 'ascii';
    if (name === 'd') return isAscii ? '0-9' : '\\p{Nd}';
    if (name === 's') return isAscii ? '\\t-\\r\\x20' : '\\p{White_Space}';
    return isAscii ? '0-9A-Za-z_' : '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
  }

  #take(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const match = form.exec(this.#pattern) ?? undefined;
    if (match !== undefined) this.#at = form.lastIndex;
    return match;
  }
}
