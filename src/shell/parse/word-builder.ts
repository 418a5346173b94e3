import type { WordKind } from '../words/command-word.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

const severity: Record<WordKind, number> = { literal: 0, glob: 1, resolved: 2, computed: 3 };

const maxExpanded = 20_000;

/** Collects the pieces of one source word into the words a program gets. */
export class WordBuilder {
  readonly #text: string;
  readonly #words: CommandWord[] = [];
  readonly #runs: SimpleCommand[] = [];
  #value = '';
  #kind: WordKind = 'literal';
  #present = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Adds characters to the word being built; even no characters make it a word (`''`). */
  add(value: string, kind: WordKind): void {
    const tooLong = kind !== 'literal' && this.#value.length + value.length > maxExpanded;
    this.#value += tooLong ? '' : value;
    this.#present = true;
    this.mark(tooLong ? 'computed' : kind);
  }

  /** Adds the value of an unquoted expansion, which ends the word at each blank in it. */
  addSplit(value: string, kind: WordKind): void {
    this.mark(kind);
    value.split(/[ \t\n]+/).forEach((piece, index) => {
      if (index > 0) this.#flush(kind);
      if (piece !== '') this.add(piece, kind);
    });
  }

  /** Makes the word at most as certain as `kind`. */
  mark(kind: WordKind): void {
    if (severity[kind] > severity[this.#kind]) this.#kind = kind;
    if (kind === 'computed') this.#present = true;
  }

  /** Notes the commands whose output the word holds. */
  runs(commands: readonly SimpleCommand[]): void {
    this.#runs.push(...commands);
  }

  /** The finished words. An unquoted expansion that is known to be empty leaves none. */
  finish(): readonly CommandWord[] {
    this.#flush('literal');
    return this.#words;
  }

  #flush(next: WordKind): void {
    if (this.#present) this.#words.push({ text: this.#text, value: this.#value, kind: this.#kind, runs: this.#runs });
    this.#value = '';
    this.#kind = next;
    this.#present = false;
  }
}
