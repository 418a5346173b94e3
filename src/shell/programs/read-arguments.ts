import type { Argument, Arguments } from './arguments.js';
import { isOption, programName, type Word } from './command-words.js';
import { settingProgram } from './executed-settings.js';
import type { ArgumentKind, Effect, Program, ProgramOption, Trait } from './row.js';
import { isBeginning, programOf } from './table.js';

/** Interprets the words of a call according to the table of programs. Words after `--` are operands. */
export function readArguments<W extends Word>(argv: readonly W[]): Arguments<W> {
  return new ArgumentReader(argv).read();
}

class ArgumentReader<W extends Word> {
  readonly #argv: readonly W[];
  readonly #values: Argument<W>[] = [];
  readonly #options = new Set<string>();
  readonly #effects = new Set<Effect>();
  readonly #possibleOptions: W[] = [];
  readonly #unknown: string[] = [];
  readonly #started: { readonly at: number; readonly words: readonly W[] }[] = [];
  #operands: { readonly word: W; readonly at: number }[] = [];
  /** The row of the last subcommand, including inherited options. */
  #program: Program | undefined;
  #name: string;
  #at = 1;
  #isOver = false;

  constructor(argv: readonly W[]) {
    this.#argv = argv;
    const name = programName(argv[0]);
    // Module names may have underscores in place of dashes.
    this.#name = programOf(name) === undefined ? name.replaceAll('_', '-') : name;
    this.#program = programOf(this.#name);
  }

  read(): Arguments<W> {
    this.#isOver = this.#is('literal');
    if (this.#is('bundled') && /^[A-Za-z]+$/.test(this.#argv[1]?.value ?? '')) this.#readBundle();
    for (let word = this.#argv[this.#at]; word !== undefined; word = this.#argv[this.#at]) {
      const plus = this.#find('+');
      if (!this.#isOver && word.value === '--') this.#isOver = !this.#is('expression');
      else if (!this.#isOver && isOption(word.value)) {
        if (this.#options.size > 0 || !this.#enter(word)) this.#readOption(word);
      } else if (!this.#isOver && word.value.startsWith('+') && plus !== undefined) this.#readPlus(word, plus);
      else if (!this.#readOperand(word)) break;
      this.#at += 1;
    }
    this.#nameOperands();
    // The program may run the command in a setting differently from a shell, so the setting counts as unknown.
    for (const { kind, word } of this.#values)
      if (kind === 'config' && settingProgram(this.#name, word.value)) this.#unknown.push(word.value);
    return {
      name: this.#name,
      program: this.#program,
      values: this.#values,
      options: this.#options,
      effects: this.#effects,
      possibleOptions: this.#possibleOptions,
      unknown: this.#unknown,
      started: this.#started,
    };
  }

  #is(trait: Trait): boolean {
    return this.#program?.traits.has(trait) === true;
  }

  #find(name: string): ProgramOption | undefined {
    return this.#program?.options.get(name);
  }

  #readOption(word: W): void {
    const { value } = word;
    const equals = value.indexOf('=');
    const given = equals === -1 ? value : value.slice(0, equals);
    const start = equals === -1 ? undefined : equals + 1;
    const isLong = value.startsWith('--');
    const isWhole = isLong || this.#is('oneDash');
    const option = this.#find(given) ?? (isLong && this.#is('oneDash') ? this.#find(given.slice(1)) : undefined);
    if (option !== undefined && (isWhole || given.length > 2)) this.#take(option, word, start);
    else if (isWhole) this.#readUnlisted(word, given, start);
    else this.#readLetters(word);
  }

  /** An unlisted long option may be an abbreviation, so each listed option that begins with it is recorded too. */
  #readUnlisted(word: W, given: string, start: number | undefined): void {
    this.#unknown.push(word.value);
    if (!given.startsWith('--') || given.length < 3) return;
    for (const option of this.#program?.options.values() ?? [])
      if (option.name.startsWith(given)) this.#take(option, word, start, false);
  }

  /** In a shell, `+o` reverses `-o`. In other programs, `+` is an option and the rest of the word is its value. */
  #readPlus(word: W, option: ProgramOption): void {
    if (this.#is('optionsFirst')) this.#readLetters(word);
    else this.#take(option, word, 1);
  }

  /** Reads a word of option letters. Letters after an unlisted one are still read, because they may be options. */
  #readLetters(word: W): void {
    const letters = Array.from(word.value);
    let rest = word.value.slice(0, 1).length;
    // After a number (`-5c`), it is unknown whether a letter has a value.
    const isNumbered = /^-\d+\D/.test(word.value);
    let isCertain = true;
    for (let at = 1; at < letters.length; at += 1) {
      const [letter = '', next = ''] = letters.slice(at, at + 2);
      const doubled = this.#find(`-${letter}${next}`);
      const option = doubled ?? this.#find(`-${letter}`);
      rest += letter.length + (doubled === undefined ? 0 : next.length);
      if (doubled !== undefined) at += 1;
      if (option === undefined && this.#is('numbers') && /\d/.test(letter)) continue;
      const takesRest = option !== undefined && option.value !== 'none';
      if (option === undefined || (isNumbered && takesRest)) {
        if (isCertain) this.#unknown.push(word.value);
        isCertain = false;
      }
      if (option === undefined) continue;
      this.#take(option, word, takesRest && rest < word.value.length ? rest : undefined, isCertain);
      if (takesRest) return;
    }
  }

  /** Reads the first word as option letters without a dash. The next words are the values of these options. */
  #readBundle(): void {
    const [, word] = this.#argv;
    for (const letter of Array.from(word?.value ?? '')) {
      const option = this.#find(`-${letter}`);
      if (option === undefined || word === undefined) this.#unknown.push(letter);
      else this.#take(option, word, undefined);
    }
    this.#at += 1;
  }

  #note(kind: ArgumentKind, word: W, start: number, option?: string): void {
    const value = word.value.slice(start);
    const rest = { ...word, text: value || word.text, value };
    this.#values.push({ kind: isSpecial(kind, rest) ? 'unknown' : kind, word: rest, option, at: this.#at });
  }

  /**
   * Records an option. The value begins at index `start` of the word, or is the next word. If the option is uncertain,
   * the next word is also read as an operand.
   */
  #take(option: ProgramOption, word: W, start: number | undefined, isCertain = true): void {
    const { name } = option;
    this.#options.add(name);
    for (const effect of option.effects) this.#effects.add(effect);
    if (option.effects.includes('textFollows')) this.#isOver = true;
    if (option.effects.includes('splits')) this.#unknown.push(word.value);
    if (option.value === 'none') {
      if (start !== undefined) this.#unknown.push(word.value);
      return;
    }
    if (start !== undefined && option.effects.includes('apart')) this.#unknown.push(word.value);
    if (option.kind === 'commandUntil' || option.kind === 'module') this.#takeStarted(option.kind, word, start);
    else if (start !== undefined) this.#note(option.kind, word, start, name);
    else if (option.value === 'optional') {
      // Without a value, the option starts a default program.
      if (option.kind === 'command') this.#unknown.push(word.value);
    } else {
      const count = option.value === 'named' ? 2 : 1;
      const next = this.#argv[this.#at + count];
      const kind = next !== undefined && isSpecial(option.kind, next) ? 'unknown' : option.kind;
      if (next !== undefined) this.#values.push({ kind, word: next, option: name, at: this.#at });
      if (isCertain) this.#at += count;
    }
  }

  /** Records the program or module that an option starts. Its name may stand in the word of the option (`fd -xrm`). */
  #takeStarted(kind: 'commandUntil' | 'module', word: W, start: number | undefined): void {
    const valueAt = (at: number) => this.#argv[at]?.value;
    const isEnd = (at: number) => valueAt(at) === ';' || (valueAt(at) === '+' && valueAt(at - 1)?.endsWith('{}'));
    let end = this.#at + 1;
    while (end < this.#argv.length && (kind === 'module' || !isEnd(end))) end++;
    const following = this.#argv.slice(this.#at + 1, end);
    const value = start === undefined ? '' : word.value.slice(start);
    const words = value === '' ? following : [{ ...word, value, text: value }, ...following];
    if (words.length > 0) this.#started.push({ at: this.#at + (value === '' ? 1 : 0), words });
    this.#at += following.length + 1;
  }

  /**
   * Switches to the row of a subcommand, or of an option that has its own row (`node --version`). False if the table
   * lists no such name.
   */
  #enter(word: W): boolean {
    const sub = this.#operands.length === 0 && word.kind !== 'computed' ? `${this.#name} ${word.value}` : '';
    const program = programOf(sub);
    if (program === undefined && !isBeginning(sub)) return false;
    const parent = this.#is('inherits') ? this.#program : undefined;
    this.#program =
      program && parent
        ? { ...program, options: new Map([...parent.options, ...program.options]) }
        : (program ?? parent);
    this.#name = sub;
    return true;
  }

  /** Reads an operand. False if the remaining words belong to another program. */
  #readOperand(word: W): boolean {
    if (this.#enter(word)) return true;
    const current = this.#program;
    const kind = this.#effects.has('textFollows')
      ? 'text'
      : this.#effects.has('firstIsProgram')
        ? 'program'
        : current?.operands[this.#operands.length];
    const isAssignment = kind === 'variable' && word.value.includes('=');
    if (isAssignment) {
      this.#values.push({ kind, word, option: undefined, at: this.#at });
      return true;
    }
    if (kind === 'program' || (kind === 'variable' && current?.operands[this.#operands.length + 1] === 'program')) {
      const words = this.#argv.slice(this.#at);
      this.#started.push({ at: this.#at, words });
      const end = words.findIndex(({ value }) => value === '--');
      const own = this.#is('optionsAnywhere') && !this.#isOver ? words.slice(0, end === -1 ? words.length : end) : [];
      this.#unknown.push(...own.flatMap(({ value }) => (isOption(value) ? [value] : [])));
      return false;
    }
    if (word.kind === 'computed' && !this.#isOver) this.#possibleOptions.push(word);
    this.#operands.push({ word, at: this.#at });
    if (this.#is('optionsFirst') && kind !== 'url') this.#isOver = true;
    return true;
  }

  #nameOperands(): void {
    const program = this.#program;
    for (const effect of ['recursive', 'saves'] as const) if (this.#is(effect)) this.#effects.add(effect);
    const kinds = [...(program?.operands ?? [])];
    if (this.#effects.has('replacesFirst')) kinds.shift();
    if (this.#effects.has('firstIsCommand')) kinds[0] = 'command';
    const isInto = this.#values.some(({ kind }) => kind === 'intoPath');
    const last = !isInto && kinds.at(-1) === 'intoPath' ? this.#operands.length - 1 : -1;
    for (const [index, { word, at }] of this.#operands.entries()) {
      const kind = index === last ? 'intoPath' : this.#kindAt(index, kinds, program);
      if (kind === undefined) this.#unknown.push(word.value);
      this.#values.push({ kind: this.#changed(kind ?? 'unknown', word), word, option: undefined, at });
    }
  }

  #changed(kind: ArgumentKind, word: W): ArgumentKind {
    if (this.#effects.has('textFollows')) return 'text';
    if (isSpecial(kind, word)) return 'unknown';
    if (!this.#effects.has('edits')) return kind;
    return kind === 'readPath' ? 'editPath' : kind === 'path' ? 'writePath' : kind;
  }

  #kindAt(index: number, kinds: readonly ArgumentKind[], program: Program | undefined): ArgumentKind | undefined {
    const repeated = (program?.repeated ?? -1) - (this.#effects.has('replacesFirst') ? 1 : 0);
    if (repeated < 0 || index < repeated) return kinds[index];
    return kinds[repeated];
  }
}

/** Whether a program may read a path as a command, a redirection or an argument file: `|x`, `x|`, `>x`, `@x`, `+x`. */
function isSpecial(kind: ArgumentKind, { value }: Word): boolean {
  return /^(?:read|write|edit)Path$/.test(kind) && /^(?:[|<>+]|@[\w./])|\|\s*$/.test(value);
}
