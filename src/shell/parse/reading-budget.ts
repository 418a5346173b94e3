import type { CommandLimits } from './command-limits.js';
import { parseShell, type ShellScript } from './shell-syntax.js';
import type { ReadingProblem, SimpleCommand } from './simple-command.js';

const maxOpenings = 5_000;
/** The steps that each part of a line costs, in proportion to its parsing work. */
const steps = { command: 200, word: 15, hereDocument: 1_500, substitution: 150, expansion: 50, piped: 2 };

/** Collects the commands and problems of one line and counts its parsing work. Beyond a limit, no command is added. */
export class ReadingBudget {
  readonly commands: SimpleCommand[] = [];
  readonly problems: ReadingProblem[] = [];
  /** Text that the shell evaluates: arithmetic, tests, subscripts, indirect names. */
  readonly expressions: string[] = [];
  /** Whether parsing used the output of `cat` as known. The line must then define no function named `cat`. */
  usesCat = false;
  readonly #limits: CommandLimits;
  #length = 0;
  #steps = 0;
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
    // The parser searches the text for the end of each substitution, so the number of substitutions is limited before
    // parsing.
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

  /** Counts parts of the line; false beyond the limit. */
  take(part: keyof typeof steps, count = 1): boolean {
    this.#steps += count * steps[part];
    if (this.#steps > this.#limits.maxSteps)
      this.#giveUp('it contains too many commands, words, substitutions or here-documents');
    return !this.#exhausted;
  }

  /** Counts characters of the line and of shell text nested in it; false beyond the limit. */
  takeText(length: number): boolean {
    this.#length += length;
    if (this.#length > this.#limits.maxLength * 4) this.#giveUp('it contains too much nested text');
    return !this.#exhausted;
  }

  /** Records why a text could not be parsed. */
  doubt(text: string): void {
    this.problems.push({ category: 'unparsable', text });
  }

  /** Adds a command; false beyond the limit. */
  push(command: SimpleCommand): boolean {
    const piped = command.input.reduce((count, { argv }) => count + 1 + argv.length, 0);
    if (!this.take('command') || !this.take('word', command.argv.length) || !this.take('piped', piped)) return false;
    this.commands.push(command);
    return true;
  }

  /** Whether shells, wrappers, substitutions and expansions may nest this deep. */
  mayGoTo(depth: number): boolean {
    if (depth > this.#limits.maxDepth) this.#giveUp('it is nested too deep');
    return !this.#exhausted;
  }

  #giveUp(text: string): false {
    if (!this.#exhausted) this.problems.push({ category: 'too-complex', text });
    this.#exhausted = true;
    return false;
  }
}
