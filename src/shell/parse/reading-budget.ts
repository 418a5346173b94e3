import type { CommandLimits } from './command-limits.js';
import { parseShell, type ShellScript } from './shell-syntax.js';
import type { ReadingProblem, SimpleCommand } from './simple-command.js';

const maxOpenings = 5_000;

/** Findings and used limits while one line is parsed. Beyond a limit, nothing more is added. */
export class ReadingBudget {
  readonly commands: SimpleCommand[] = [];
  readonly problems: ReadingProblem[] = [];
  /** Text that the shell evaluates: arithmetic, tests, subscripts, indirect names. */
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

  /** Parses the line itself or the text for an inner shell. */
  parse(text: string): ShellScript | undefined {
    if (!this.takeText(text.length)) return undefined;
    // The parser searches for the end of each substitution, so they are limited before parsing.
    if ((text.match(/<<|[$<>]\(/g)?.length ?? 0) > maxOpenings)
      this.#giveUp('it opens too many substitutions or here-documents');
    if (this.#exhausted) return undefined;
    try {
      return parseShell(text);
    } catch {
      this.doubt('it is not valid shell syntax');
      return undefined;
    }
  }

  /** Counts substitutions, expansions or here-documents; false beyond the limit. */
  takeOne(of: 'maxSubstitutions' | 'maxExpansions' | 'maxHereDocuments'): boolean {
    const count = (this.#taken.get(of) ?? 0) + 1;
    this.#taken.set(of, count);
    if (count > this.#limits[of]) this.#giveUp('it holds too many substitutions or here-documents');
    return !this.#exhausted;
  }

  /** Counts characters of nested or expanded text; false beyond the limit. */
  takeText(length: number): boolean {
    this.#length += length;
    if (this.#length > this.#limits.maxLength * 4) this.#giveUp('it holds too much nested text');
    return !this.#exhausted;
  }

  /** Records text that could not be parsed. */
  doubt(text: string): void {
    this.problems.push({ category: 'unparsable', text });
  }

  /** Adds a command; false beyond the limit. */
  push(command: SimpleCommand): boolean {
    const { maxCommands } = this.#limits;
    if (!this.takeWords(command.argv.length)) return false;
    this.#piped += command.input.reduce((count, { argv }) => count + 1 + argv.length, 0);
    if (this.#piped > this.#limits.maxPiped) return this.#giveUp('its pipes are too long');
    if (this.commands.length >= maxCommands) this.#giveUp(`it holds more than ${maxCommands} commands`);
    if (!this.#exhausted) this.commands.push(command);
    return !this.#exhausted;
  }

  /** Counts words; false beyond the limit. */
  takeWords(count: number): boolean {
    this.#words += count;
    if (this.#words > this.#limits.maxWords) this.#giveUp(`it holds more than ${this.#limits.maxWords} words`);
    return !this.#exhausted;
  }

  /** Whether shells, wrappers and substitutions may nest this deep. */
  mayGoTo(depth: number): boolean {
    if (depth > this.#limits.maxDepth) this.#giveUp('it is nested too deep');
    return !this.#exhausted;
  }

  /** Whether expansions may nest this deep. */
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
