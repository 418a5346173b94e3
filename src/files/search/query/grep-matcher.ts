import type { GrepQuery } from '../../../ports/file-system.js';
import type { DecodedText } from './grep-text.js';
import { translatePattern } from './grep-translate.js';
import { PatternError } from './pattern-error.js';

const otherLineEnds = /[\r\u2028\u2029]/;

/** A search pattern, ready for any text. Expressions are made when the first text of their kind comes. */
export class GrepMatcher {
  /** A match may hold a line feed or look at the ends of lines, so a file has to be searched as a whole. */
  readonly crossesLines: boolean;
  readonly #query: Pick<GrepQuery, 'pattern' | 'ignoreCase' | 'multiline'>;
  readonly #literals: readonly Buffer[];
  readonly #expressions = new Map<string, RegExp>();

  /** Throws a {@link PatternError} when the pattern cannot be used. */
  constructor(query: Pick<GrepQuery, 'pattern' | 'ignoreCase' | 'multiline'>) {
    this.#query = query;
    const { literals, ignoreCase, crossesLines } = this.#translate({ text: '', kind: 'unicode' }, true);
    this.crossesLines = crossesLines;
    this.#literals = ignoreCase || query.ignoreCase ? [] : literals.map((each) => Buffer.from(each));
    this.expressionFor({ text: '', kind: 'unicode' });
  }

  /** Quickly tells of most UTF-8 texts that cannot match, before they are decoded. */
  mayMatch(bytes: Buffer): boolean {
    return this.#literals.every((literal) => bytes.includes(literal));
  }

  /** The expression for a text; global, so set `lastIndex` before use. */
  expressionFor(decoded: DecodedText): RegExp {
    const plainLineEnds = !otherLineEnds.test(decoded.text);
    const key = `${decoded.kind} ${plainLineEnds}`;
    const known = this.#expressions.get(key);
    if (known !== undefined) return known;
    const { source, ignoreCase } = this.#translate(decoded, plainLineEnds);
    const made = compile(source, ignoreCase || this.#query.ignoreCase ? 'gimv' : 'gmv');
    this.#expressions.set(key, made);
    return made;
  }

  #translate({ kind }: DecodedText, plainLineEnds: boolean) {
    const { pattern, multiline } = this.#query;
    try {
      return translatePattern(pattern, { text: kind, acrossLines: multiline, plainLineEnds });
    } catch (cause) {
      if (!(cause instanceof PatternError) || cause.message.startsWith('this pattern needs')) throw cause;
      throw new PatternError(`regex parse error: ${cause.message}`);
    }
  }
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    throw new PatternError(
      `the JavaScript engine cannot use it: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}
