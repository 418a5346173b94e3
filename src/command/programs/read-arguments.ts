import { isOption, programName, type Word } from '../words/command-word.js';
import type { Argument, Arguments } from './arguments.js';
import type { ArgumentKind, Effect, Program, ProgramOption } from './program-row.js';
import { programOf } from './programs.js';

/** Reads the words of a call by the table. What stands behind `--` is an operand, whatever it begins with. */
export function readArguments<W extends Word>(argv: readonly W[]): Arguments<W> {
  return new ArgumentReader(argv).read();
}

class ArgumentReader<W extends Word> {
  readonly #argv: readonly W[];
  readonly #values: Argument<W>[] = [];
  readonly #options = new Set<string>();
  readonly #effects = new Set<Effect>();
  readonly #unknown: string[] = [];
  readonly #started: { readonly at: number; readonly words: readonly W[] }[] = [];
  #operands: W[] = [];
  /** The lines of the table that apply, that of the last subcommand first. */
  #programs: readonly Program[];
  #name: string;
  #at = 1;
  #isOver = false;

  constructor(argv: readonly W[]) {
    this.#argv = argv;
    // Runners take a name with a version, and modules are written with another dash.
    const name = programName(argv[0]).replace(/(?<=.)@[^/@]*$/, '');
    this.#name = programOf(name) === undefined ? name.replaceAll('_', '-') : name;
    this.#programs = [programOf(this.#name) ?? []].flat();
  }

  read(): Arguments<W> {
    this.#isOver = this.#has('literal');
    if (this.#has('bundled') && /^[A-Za-z]+$/.test(this.#argv[1]?.value ?? '')) this.#readBundle();
    for (let word = this.#argv[this.#at]; word !== undefined; word = this.#argv[this.#at]) {
      if (!this.#isOver && word.value === '--') this.#isOver = !this.#has('expression');
      else if (!this.#isOver && isOption(word.value)) this.#readOption(word);
      else if (!this.#isOver && word.value.startsWith('+') && this.#find('+')) this.#readPlus(word);
      else if (!this.#readOperand(word)) break;
      this.#at += 1;
    }
    this.#nameOperands();
    return {
      name: this.#name,
      program: this.#programs[0],
      values: this.#values,
      options: this.#options,
      effects: this.#effects,
      unknown: this.#unknown,
      started: this.#started,
    };
  }

  #has(trait: string): boolean {
    return this.#programs[0]?.traits.has(trait) === true;
  }

  #find(name: string): ProgramOption | undefined {
    for (const { options } of this.#programs) {
      const option = options.get(name);
      if (option !== undefined) return option;
    }
    return undefined;
  }

  /** A long option by its name, or by the beginning of one. */
  #findLong(given: string): ProgramOption | undefined {
    const whole = this.#find(given);
    if (whole !== undefined) return whole;
    const begun = this.#begunBy(given);
    // An older or newer program may have this one alone.
    return begun.length === 1 ? begun[0] : begun.find(({ kind }) => /^(?:shell|script|code|config|write)$/.test(kind));
  }

  #begunBy(given: string): readonly ProgramOption[] {
    const options = this.#programs.flatMap(({ options }) => [...options]);
    return [...new Map(options.filter(([name]) => name.startsWith(given))).values()];
  }

  #readOption(word: W): void {
    const { value } = word;
    const equals = value.indexOf('=');
    const given = equals === -1 ? value : value.slice(0, equals);
    const isLong = value.startsWith('--');
    const isEither = !isLong && given.length > 2 && this.#has('either') && this.#findLong(`-${given}`) !== undefined;
    const isPlain = this.#has('plain') && !isLong;
    if (!isPlain && !isLong && !isEither) {
      this.#readLetters(word);
      return;
    }
    const name = isEither ? `-${given}` : given;
    const option = (isPlain ? this.#find(name) : this.#findLong(name)) ?? this.#find(name.slice(1));
    // Another version of the program may mean another option by an abbreviation.
    if (option?.name !== name) this.#unknown.push(value);
    const isCertain = option?.name === name || this.#begunBy(name).length === 1;
    if (option !== undefined) this.#take(option.name, word, equals === -1 ? undefined : equals + 1, isCertain);
    else if (equals !== -1) this.#note('maybe', word, equals + 1);
  }

  /** `+o` of a shell is its `-o` the other way round; elsewhere a word with a plus has a meaning as a whole. */
  #readPlus(word: W): void {
    if (this.#has('first')) this.#readLetters(word);
    else this.#take('+', word, 1);
  }

  /** What stands behind a letter that nobody knows may be its value, or more letters: it is read as both. */
  #readLetters(word: W): void {
    const letters = Array.from(word.value);
    let rest = word.value.slice(0, 1).length;
    // Behind a number (`-5c`) letters may take no value.
    let isCertain = !/^-\d/.test(word.value);
    for (let at = 1; at < letters.length; at += 1) {
      const [letter = '', next = ''] = letters.slice(at, at + 2);
      const doubled = this.#find(`:-${letter}${next}`);
      const option = doubled ?? this.#find(`-${letter}`);
      rest += letter.length + (doubled === undefined ? 0 : next.length);
      if (option === undefined) {
        if (isCertain) this.#unknown.push(word.value);
        if (rest < word.value.length) this.#note('maybe', word, rest);
        isCertain = false;
        continue;
      }
      const takesRest = option.value !== 'none';
      this.#take(option.name, word, takesRest && rest < word.value.length ? rest : undefined, isCertain);
      if (takesRest) return;
    }
  }

  /** The first word as letters without a dash, of which each takes its value from the words behind. */
  #readBundle(): void {
    const [, word] = this.#argv;
    for (const letter of Array.from(word?.value ?? '')) {
      const option = this.#find(`-${letter}`);
      if (option === undefined || word === undefined) this.#unknown.push(letter);
      else this.#take(option.name, word, undefined);
    }
    this.#at += 1;
  }

  #note(kind: ArgumentKind, word: W, start: number, option?: string): void {
    const value = word.value.slice(start);
    this.#values.push({ kind, word: { ...word, text: value || word.text, value }, option });
  }

  /**
   * Notes an option; its value begins at `start` of its word, else it is the next word, which is read once more where
   * that is not certain.
   */
  #take(name: string, word: W, start: number | undefined, isCertain = true): void {
    const option = this.#find(name);
    if (option === undefined) return;
    this.#options.add(name);
    if (option.effect !== undefined) this.#effects.add(option.effect);
    if (option.effect === 'text') this.#isOver = true;
    if (option.value === 'none') {
      if (start !== undefined) this.#unknown.push(word.value);
      return;
    }
    if (option.kind === 'exec') this.#takeProgram();
    else if (option.kind === 'module') this.#takeModule(word, start);
    else if (start !== undefined) this.#note(option.kind, word, start, name);
    else if (option.value === 'optional') {
      // It starts a program of its own choice then.
      if (option.kind === 'shell') this.#unknown.push(word.value);
    } else {
      const count = option.value === 'named' ? 2 : 1;
      const next = this.#argv[this.#at + count];
      if (isCertain) this.#at += count;
      if (next !== undefined) this.#values.push({ kind: option.kind, word: next, option: name });
    }
  }

  #takeModule(word: W, start: number | undefined): void {
    const rest = this.#argv.slice(this.#at + 1);
    const value = start === undefined ? '' : word.value.slice(start);
    const words = value === '' ? rest : [{ ...word, value, text: value }, ...rest];
    if (words.length > 0) this.#started.push({ at: 0, words });
    this.#at = this.#argv.length;
  }

  #takeProgram(): void {
    const rest = this.#argv.slice(this.#at + 1);
    const end = rest.findIndex(
      ({ value }, index) => value === ';' || (value === '+' && rest[index - 1]?.value.endsWith('{}')),
    );
    const words = end === -1 ? rest : rest.slice(0, end);
    if (words.length > 0) this.#started.push({ at: this.#at + 1, words });
    this.#at += words.length + 1;
  }

  /** False where the words from here on are another program's. */
  #readOperand(word: W): boolean {
    const sub = this.#operands.length === 0 && word.kind !== 'computed' ? `${this.#name} ${word.value}` : '';
    const program = programOf(sub);
    if (program !== undefined) {
      // A subcommand with options of its own takes no others.
      this.#programs = program.options.size > 0 ? [program] : [program, ...this.#programs];
      this.#name = sub;
      return true;
    }
    const [current] = this.#programs;
    const kind = this.#effects.has('text') ? 'text' : current?.operands[this.#operands.length];
    const isAssignment = kind === 'set' && /^\w+\+?=/.test(word.value);
    if (isAssignment) {
      this.#values.push({ kind, word, option: undefined });
      return true;
    }
    if (kind === 'words' || (kind === 'set' && current?.operands[this.#operands.length + 1] === 'words')) {
      const words = this.#argv.slice(this.#at);
      this.#started.push({ at: this.#at, words });
      const end = words.findIndex(({ value }) => value === '--');
      const own = this.#has('anywhere') && !this.#isOver ? words.slice(0, end === -1 ? words.length : end) : [];
      this.#unknown.push(...own.flatMap(({ value }) => (isOption(value) ? [value] : [])));
      return false;
    }
    this.#operands.push(word);
    if (this.#has('first')) this.#isOver = true;
    return true;
  }

  #nameOperands(): void {
    const [program] = this.#programs;
    if (program?.traits.has('tree') === true) this.#effects.add('tree');
    const kinds = [...(program?.operands ?? [])];
    if (this.#effects.has('given')) kinds.shift();
    if (this.#effects.has('command')) kinds[0] = 'shell';
    const isPut = this.#values.some(({ kind }) => kind === 'put');
    const last = !isPut && kinds.at(-1) === 'put' ? this.#operands.length - 1 : -1;
    for (const [index, word] of this.#operands.entries()) {
      const kind = index === last ? 'put' : this.#kindAt(index, kinds, program);
      if (kind === undefined) this.#unknown.push(word.value);
      this.#values.push({ kind: this.#changed(kind ?? 'maybe'), word, option: undefined });
      const equals = word.value.indexOf('=') + 1;
      if (kind === undefined && equals > 0) this.#note('maybe', word, equals);
    }
  }

  #changed(kind: ArgumentKind): ArgumentKind {
    if (this.#effects.has('text')) return 'text';
    if (!this.#effects.has('edit')) return kind;
    return kind === 'read' ? 'take' : kind === 'name' ? 'write' : kind;
  }

  #kindAt(index: number, kinds: readonly ArgumentKind[], program: Program | undefined): ArgumentKind | undefined {
    const repeated = (program?.repeated ?? -1) - (this.#effects.has('given') ? 1 : 0);
    if (repeated < 0 || index < repeated) return kinds[index];
    return kinds[repeated];
  }
}
