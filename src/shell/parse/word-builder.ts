import type { WordKind } from '../words/command-word.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

const severity: Record<WordKind, number> = { literal: 0, glob: 1, resolved: 2, computed: 3 };

const maxExpanded = 20_000;

/** Builds the resulting words from the pieces of one source word. */
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

  /** Adds characters to the current word; empty text makes a word as well (`''`). */
  add(value: string, kind: WordKind): void {
    const tooLong = kind !== 'literal' && this.#value.length + value.length > maxExpanded;
    this.#value += tooLong ? '' : value;
    this.#present = true;
    this.mark(tooLong ? 'computed' : kind);
  }

  /** Adds the value of an unquoted expansion, which splits the word at blanks. */
  addSplit(value: string, kind: WordKind): void {
    this.mark(kind);
    value.split(/[ \t\n]+/).forEach((piece, index) => {
      if (index > 0) this.#flush(kind);
      if (piece !== '') this.add(piece, kind);
    });
  }

  /** Lowers the certainty of the word to `kind`. */
  mark(kind: WordKind): void {
    if (severity[kind] > severity[this.#kind]) this.#kind = kind;
    if (kind === 'computed') this.#present = true;
  }

  /** Adds commands whose output is part of the word. */
  runs(commands: readonly SimpleCommand[]): void {
    this.#runs.push(...commands);
  }

  /** The finished words. An unquoted expansion that is known to be empty adds no word. */
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
