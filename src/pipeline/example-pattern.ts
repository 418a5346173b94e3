import { regexes } from 'zod/v4/core';

/** What a part of a pattern leaves open: between how many branches, and how often a loop may go round. */
interface Shape {
  readonly branches: number;
  readonly loops: number;
}

const fixed: Shape = { branches: 1, loops: 0 };
const wild: Shape = { branches: Number.POSITIVE_INFINITY, loops: 0 };

/**
 * About how many steps a pattern takes at most on a text of that length. Infinity for one that repeats what itself repeats or chooses,
 * of which nobody can tell, unless the schema library wrote it for a format of its own.
 */
export function patternCost(pattern: string, chars: number): number {
  const { branches, loops } = new PatternReader(pattern).read();
  const ways = branches * combinations(chars + loops, loops);
  // It is tried from each character on.
  if (ways <= maxWays) return ways * (chars + 1);
  return isOfLibrary(pattern) ? (chars + 1) ** 2 : Number.POSITIVE_INFINITY;
}

const maxWays = 250_000;

function isOfLibrary(pattern: string): boolean {
  return Object.values(regexes).some((expression) => expression instanceof RegExp && expression.source === pattern);
}

function combinations(all: number, chosen: number): number {
  let count = 1;
  for (let at = 1; at <= chosen && count <= maxWays; at++) count = (count * (all - chosen + at)) / at;
  return count;
}

const quantifier = /([*+?]|\{(\d+)(,(\d*))?\})\??/y;
const groupStart = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;

/** Reads a pattern for its branches and loops alone. What is no pattern fails later, where it is compiled. */
class PatternReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Shape {
    const whole = this.#choice();
    return this.#at < this.#text.length ? wild : whole;
  }

  #choice(): Shape {
    let { branches, loops } = this.#sequence();
    while (this.#text[this.#at] === '|') {
      this.#at += 1;
      const next = this.#sequence();
      branches += next.branches;
      loops = Math.max(loops, next.loops);
    }
    return { branches, loops };
  }

  #sequence(): Shape {
    let { branches, loops } = fixed;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '|' && this.#text[this.#at] !== ')') {
      const next = this.#repeated(this.#single());
      branches *= next.branches;
      loops += next.loops;
    }
    return { branches, loops };
  }

  #single(): Shape {
    const start = this.#text[this.#at];
    if (start === '(') return this.#group();
    if (start === '[') {
      for (this.#at += 1; this.#at < this.#text.length && this.#text[this.#at] !== ']'; this.#at++) {
        if (this.#text[this.#at] === '\\') this.#at += 1;
      }
    }
    this.#at += start === '\\' ? 2 : 1;
    return fixed;
  }

  #group(): Shape {
    this.#depth += 1;
    if (this.#depth > maxGroups) {
      this.#at = this.#text.length;
      return wild;
    }
    this.#at += this.#match(groupStart)?.[0].length ?? 1;
    const inside = this.#choice();
    this.#at += 1;
    this.#depth -= 1;
    return inside;
  }

  #repeated(part: Shape): Shape {
    const found = this.#match(quantifier);
    if (found === undefined) return part;
    this.#at += found[0].length;
    const [, sign, least, isRange, most] = found;
    const min = least === undefined ? (sign === '+' ? 1 : 0) : Number(least);
    const max =
      sign === '?' ? 1 : least === undefined || most === '' ? Number.POSITIVE_INFINITY : Number(isRange === undefined ? least : most);
    if (max <= 1) return min === max ? part : { branches: part.branches + 1, loops: part.loops };
    if (part.branches === 1 && part.loops === 0) return min === max ? part : { branches: 1, loops: 1 };
    return part.loops > 0 || max === Number.POSITIVE_INFINITY ? wild : { branches: part.branches ** max * (max - min + 1), loops: 0 };
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression);
    sticky.lastIndex = this.#at;
    return sticky.exec(this.#text) ?? undefined;
  }
}

const maxGroups = 50;
