import { rareTokenPattern } from './credential-patterns.js';
import type { CredentialFinding } from './credential-span.js';
import { findToken, startsWord } from './credential-token.js';

/** The expression for the tokens that are searched for by themselves. */
export function rareTokenForm(): RegExp {
  return new RegExp(`${rareTokenPattern.heads.join('|')}${rareTokenPattern.proof}`, 'g');
}

/** Finds those tokens in one text, from left to right; the text is searched once. */
export class RareTokens {
  readonly #text: string;
  readonly #form: RegExp;
  #end = 0;
  /** Where the next one stands; undefined when there are no more. */
  #start: number | undefined = -1;

  constructor(text: string, form: RegExp) {
    this.#text = text;
    this.#form = form;
  }

  /** Where the next one begins, at `from` or behind, before `limit`. */
  next(from: number, floor: number, limit: number): number | undefined {
    while (this.#start !== undefined && this.#start < from) this.#advance(Math.max(from, this.#start + 1), floor);
    return this.#start !== undefined && this.#start < limit ? this.#start : undefined;
  }

  /** The finding at a place that `next` gave. */
  findingAt(start: number): CredentialFinding | undefined {
    return findToken(this.#text, start, this.#end, rareTokenPattern);
  }

  #advance(from: number, floor: number): void {
    this.#form.lastIndex = from;
    let match = this.#form.exec(this.#text);
    while (match !== null && !startsWord(this.#text, match.index, floor)) match = this.#form.exec(this.#text);
    this.#end = this.#form.lastIndex;
    this.#start = match?.index;
  }
}
