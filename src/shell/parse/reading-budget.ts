import type { CommandLimits } from './command-limits.js';
import { parseShell, type ShellScript } from './shell-syntax.js';
import type { ReadingProblem, SimpleCommand } from './simple-command.js';

const maxOpenings = 5_000;

/** What reading one line has found and used up so far. Past a limit it is exhausted, and nothing more is taken. */
export class ReadingBudget {
  readonly commands: SimpleCommand[] = [];
  readonly problems: ReadingProblem[] = [];
  /** The texts that the shell evaluates: arithmetic, tests, subscripts, names in names. */
  readonly expressions: string[] = [];
  readonly #limits: CommandLimits;
  readonly #taken = new Map<string, number>();
  #length = 0;
  #words = 0;
  #piped = 0;
  #exhausted = false;

  constructor(limits: CommandLimits) {
    this.#limits = limits;
  }

  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Parses a text, the line itself or one that an inner shell gets. */
  parse(text: string): ShellScript | undefined {
    if (!this.takeText(text.length)) return undefined;
    // The parser looks for the end of each before anything here can count them.
    if ((text.match(/<<|[$<>]\(/g)?.length ?? 0) > maxOpenings)
      this.#giveUp('it opens too many substitutions or here-documents');
    if (this.#exhausted) return undefined;
    try {
      return parseShell(text);
    } catch {
      this.doubt('it is no shell syntax');
      return undefined;
    }
  }

  /** Counts substitutions, expansions or here-documents; false when there are too many. */
  takeOne(of: 'maxSubstitutions' | 'maxExpansions' | 'maxHereDocuments'): boolean {
    const count = (this.#taken.get(of) ?? 0) + 1;
    this.#taken.set(of, count);
    if (count > this.#limits[of]) this.#giveUp('it holds too many substitutions or here-documents');
    return !this.#exhausted;
  }

  /** Counts characters of nested or expanded text; false when there are too many. */
  takeText(length: number): boolean {
    this.#length += length;
    if (this.#length > this.#limits.maxLength * 4) this.#giveUp('it holds too much nested text');
    return !this.#exhausted;
  }

  /** Notes something that could not be read. */
  doubt(text: string): void {
    this.problems.push({ category: 'unparsable', text });
  }

  /** Takes a command; false when there are too many. */
  push(command: SimpleCommand): boolean {
    const { maxCommands } = this.#limits;
    if (!this.takeWords(command.argv.length)) return false;
    this.#piped += command.input.reduce((count, { argv }) => count + 1 + argv.length, 0);
    if (this.#piped > this.#limits.maxPiped) return this.#giveUp('its pipes are too long');
    if (this.commands.length >= maxCommands) this.#giveUp(`it holds more than ${maxCommands} commands`);
    if (!this.#exhausted) this.commands.push(command);
    return !this.#exhausted;
  }

  /** Counts words; false when there are too many. */
  takeWords(count: number): boolean {
    this.#words += count;
    if (this.#words > this.#limits.maxWords) this.#giveUp(`it holds more than ${this.#limits.maxWords} words`);
    return !this.#exhausted;
  }

  /** Whether shells, wrappers and substitutions may stand this deep in each other. */
  mayGoTo(depth: number): boolean {
    if (depth > this.#limits.maxDepth) this.#giveUp('it is nested too deep');
    return !this.#exhausted;
  }

  /** Whether expansions may stand this deep in each other. */
  mayNest(nesting: number): boolean {
    if (nesting > this.#limits.maxExpansionDepth) this.#giveUp('its expansions are nested too deep');
    return !this.#exhausted;
  }

  #giveUp(text: string): false {
    if (!this.#exhausted) this.problems.push({ category: 'too-complex', text });
    this.#exhausted = true;
    return false;
  }
}
