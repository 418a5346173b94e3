import { computedWord, literalWord } from '../programs/command-words.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

const given: ReadonlyMap<string, CommandWord> = new Map(
  Object.entries({ IFS: ' ', HOME: '~', PWD: '.', SHELL: 'sh', BASH: 'sh' }).map(([name, value]) => [
    name,
    literalWord(value),
  ]),
);

/**
 * The variables that a command line sets. A value is known only if the line names its variable once, not counting uses
 * with a dollar sign; all other values are known only at run time.
 */
export class Variables {
  readonly #values = new Map(given);
  readonly #line: string;
  /** How often each variable is set. */
  readonly #sets = new Map<string, number>();
  /** The variables whose values were used in parsing. */
  readonly #used = new Set<string>();
  #isObscure = false;
  /** How often each name occurs without a dollar sign. */
  #named: Map<string, number> | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  /**
   * The value of a variable: a computed word if the value is only known at run time; undefined if the line does not set
   * the variable and `given` lacks it.
   */
  find(name: string): CommandWord | undefined {
    this.#named ??= countNames(this.#line);
    const value = this.#values.get(name);
    // Each mention without a dollar sign may set the variable. The limit is one such mention, or none for a variable
    // that the shell sets (`HOME`).
    const isOnce = (this.#named.get(name) ?? 0) <= (given.has(name) ? 0 : 1);
    if (isOnce && value !== undefined) this.#used.add(name);
    return value === undefined || isOnce ? value : { ...computedWord(value.text), runs: value.runs };
  }

  set(name: string, value: CommandWord): void {
    const runs = [...(this.#values.get(name)?.runs ?? []), ...value.runs];
    this.#values.set(name, { ...value, runs });
    this.#sets.set(name, (this.#sets.get(name) ?? 0) + 1);
  }

  /** Records that the line sets a variable whose name is known only at run time. */
  obscure(): void {
    this.#isObscure = true;
  }

  /**
   * Whether a value that was used in parsing may be wrong. The line may set the variable by an escaped name
   * (`$'\x63'`), which `countNames` does not count.
   */
  get isDoubtful(): boolean {
    const maySet = (name: string) => (this.#sets.get(name) ?? 0) > (given.has(name) ? 0 : 1);
    return this.#used.size > 0 && (this.#isObscure || [...this.#used].some(maySet));
  }

  /** Records the variables that a command sets. */
  keep(command: SimpleCommand, program: string): void {
    for (const { name, value } of command.assignments) this.set(name, value);
    if (!/^(?:read|mapfile|readarray)$/.test(program)) return;
    const runs = [...command.input, ...command.redirections.flatMap(({ target }) => target?.runs ?? [])];
    for (const { value } of [literalWord('REPLY'), ...command.argv.slice(1)])
      this.set(value, { ...computedWord(`$${value}`), runs });
  }
}

function countNames(line: string): Map<string, number> {
  const named = new Map<string, number>();
  for (const [name] of line.matchAll(/(?<![$\w{])[A-Za-z_]\w*/g)) named.set(name, (named.get(name) ?? 0) + 1);
  return named;
}
