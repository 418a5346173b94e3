import { computedWord, literalWord } from '../words/command-word.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

const given: readonly (readonly [name: string, value: string])[] = [
  ['IFS', ' '],
  ['HOME', '~'],
  ['PWD', '.'],
  ['SHELL', 'sh'],
  ['BASH', 'sh'],
];

/**
 * What a command line puts into its variables. Only the value of one that the line names once is known, since it is the
 * same wherever it has one; all others are known to the running shell alone.
 */
export class Variables {
  readonly #values = new Map<string, CommandWord>(given.map(([name, value]) => [name, literalWord(value)]));
  /** How often each name stands in the line without a dollar sign. */
  readonly #named = new Map<string, number>();

  constructor(line: string) {
    for (const [name] of line.matchAll(/(?<![$\w{])[A-Za-z_]\w*/g))
      this.#named.set(name, (this.#named.get(name) ?? 0) + 1);
  }

  /** The value of a variable; undefined where only the running shell knows it. */
  find(name: string): CommandWord | undefined {
    const value = this.#values.get(name);
    // What a line names besides those that a shell brings along may be set there later.
    const isOnce = (this.#named.get(name) ?? 0) <= (given.some(([each]) => each === name) ? 0 : 1);
    return value === undefined || isOnce ? value : { ...computedWord(value.text), runs: value.runs };
  }

  set(name: string, value: CommandWord): void {
    const runs = [...(this.#values.get(name)?.runs ?? []), ...value.runs];
    this.#values.set(name, { ...value, runs });
  }

  /** Notes what a command leaves in the variables of its shell. */
  keep(command: SimpleCommand, program: string): void {
    for (const { name, value } of command.assignments) this.set(name, value);
    if (!/^(?:read|mapfile|readarray)$/.test(program)) return;
    const runs = [...command.input, ...command.redirections.flatMap(({ target }) => target?.runs ?? [])];
    for (const { value } of [literalWord('REPLY'), ...command.argv.slice(1)])
      this.set(value, { ...computedWord(`$${value}`), runs });
  }
}
