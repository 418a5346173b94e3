/** The role of the value of an option, or of an operand. */
export type ArgumentKind =
  /** A word, number or pattern that is neither opened nor run. */
  | 'text'
  /** A file whose name, size and similar facts are shown, but not its content. */
  | 'path'
  /** A file whose content is shown or used. */
  | 'readPath'
  /** A file that is created, changed or removed. */
  | 'writePath'
  /** A file that is read, then changed or removed. */
  | 'editPath'
  /** The file or folder that other files are copied, moved or unpacked to. */
  | 'intoPath'
  /** The working directory of the program. */
  | 'folder'
  /** A file or address from which code, arguments or settings are loaded. */
  | 'codePath'
  /** Code in a language of the program, such as a script of awk. */
  | 'code'
  /** Text that a shell runs. */
  | 'command'
  /** Another program and its words, up to `;` or `+`. */
  | 'commandUntil'
  /** Another program. All further words belong to that program. */
  | 'program'
  /**
   * A module in the language of this program, which runs as another program (`python -m`). All further words belong to
   * the module.
   */
  | 'module'
  /** The name of a script in the project settings. If no such script exists, any program of that name may run. */
  | 'script'
  /** A setting and its value. */
  | 'config'
  /** A variable and its value: `NAME=value`. */
  | 'variable'
  /** An address on another machine. */
  | 'url'
  /** Text, or the content of a file whose name follows `@`. */
  | 'data'
  /** Unknown role: the argument may be of any other kind. */
  | 'unknown';

/** An effect of an option in addition to the role of its value. */
const effects = [
  /** The program also processes everything below its operands. */
  'recursive',
  /** The program changes the files that it only reads without the option. */
  'edits',
  /** The program makes changes, or shows more than the call names. Without the option the program only reads. */
  'changes',
  /** The option replaces the first operand. */
  'replacesFirst',
  /** The first operand is text that a shell runs. */
  'firstIsCommand',
  /** The first operand is a program, and its words follow. */
  'firstIsProgram',
  /** The program runs its standard input. */
  'runsInput',
  /** The program runs nothing: it prints help, a version, a list or the result of a check, or removes an entry. */
  'onlyShows',
  /** Every later word is text. */
  'textFollows',
  /**
   * The program splits the value of the option into words by its own rules, and puts these words before the remaining
   * ones.
   */
  'splits',
  /** The program saves a download under the last segment of its URL. */
  'saves',
  /** The program creates files that the call does not name, in its destination or the current folder. */
  'creates',
  /** The value of the option is always the next word. */
  'apart',
  /** The option changes the working directory: to its value, or to the folder of each found file. */
  'enters',
  /**
   * The program also reads hidden files below a searched folder, unless the value of the option names source code
   * files.
   */
  'readsHidden',
  /** The program shows the content of files that the call does not name, from any revision. */
  'showsTree',
  /** The program changes files of the work tree that the call does not name. */
  'changesTree',
  /**
   * The option switches off the traits `showsTree` and `changesTree`: no file content is shown and no file is changed.
   */
  'sparesTree',
] as const;
export type Effect = (typeof effects)[number];

/** A property of a program. */
export type Trait =
  /** The program only reads if the table lists all its options and operands. */
  | 'readOnly'
  /** The program reads its standard input as data and runs none of it. */
  | 'readsData'
  /** Commands on the standard input of the program may start other programs. */
  | 'takesCommands'
  /** The program only reads if it has no operands and the table lists all its options. */
  | 'readsAlone'
  /** Without operands the program works on the current folder. */
  | 'readsHere'
  /** The program shows the files in the folders that are its operands. */
  | 'readsFolders'
  /** The program skips hidden files below a searched folder. */
  | 'skipsHidden'
  /** This trait and the next three: the effect of the same name applies to every call. */
  | 'recursive'
  | 'saves'
  | 'creates'
  | 'runsInput'
  /** This trait and the next: the effect of the same name applies to every call, unless an option switches it off. */
  | 'showsTree'
  | 'changesTree'
  /** The program replaces each packed file by the unpacked file, whose name lacks the suffix (`a.gz` by `a`). */
  | 'unpacks'
  /** All operands are paths. Operands of similar subcommands may also be revisions. */
  | 'pathsOnly'
  /** Numbers such as `-20` are options. */
  | 'numbers'
  /** Long options have one dash. */
  | 'oneDash'
  /** `--` does not end the options. */
  | 'expression'
  /** The first word consists of option letters without a dash (`tar xzf`). */
  | 'bundled'
  /** Options end at the first operand that is not an address (`ssh host -p 22 ls`). */
  | 'optionsFirst'
  /** Options may appear among the words of the started program, up to `--`. */
  | 'optionsAnywhere'
  /** Every word is an operand. */
  | 'literal'
  /** The words are joined into one text for a shell. */
  | 'joined'
  /** The program adds words of its standard input to the program that it starts. */
  | 'xargs'
  /** The program is a builtin whose words the shell evaluates. */
  | 'evaluates'
  /** The operands are the name of a setting and optionally its new value, which later calls use. */
  | 'setting'
  /** The program always connects to another machine. */
  | 'serves'
  /** Options of the program may also follow the subcommand. */
  | 'inherits';

/**
 * Options by the role of their value. `optional`: the value, if given, is in the same word. `named`: the next word is a
 * name, and the value follows it.
 */
type OptionKey =
  | 'flag'
  | ArgumentKind
  | `optional${'Text' | 'Command' | 'Code' | 'IntoPath' | 'ReadPath'}`
  | `named${'Text' | 'ReadPath' | 'Unknown'}`;

/**
 * A program or subcommand: its operands in order, and its options. An operand with `*` stands for any number of
 * operands.
 */
export type ProgramRow = {
  readonly operands?: readonly (ArgumentKind | `${ArgumentKind}*`)[];
  readonly is?: readonly Trait[];
  /** Matches words with which an otherwise read-only program does more than read. */
  readonly unless?: RegExp;
} & { readonly [Key in OptionKey | Effect]?: string };

/** Programs by name. Names separated by vertical bars share a row. A second word is a subcommand (`git log|show`). */
export type ProgramTable = Readonly<Record<string, ProgramRow>>;

/** An option. `needed`: its value is in the same word or in the next one. */
export interface ProgramOption {
  readonly name: string;
  readonly value: 'none' | 'needed' | 'optional' | 'named';
  readonly kind: ArgumentKind;
  readonly effects: readonly Effect[];
}

/** A compiled row of the table. */
export interface Program {
  readonly operands: readonly ArgumentKind[];
  /** Index of the operand that may occur any number of times; -1 for none. */
  readonly repeated: number;
  readonly options: ReadonlyMap<string, ProgramOption>;
  readonly traits: ReadonlySet<Trait>;
  readonly unless: RegExp | undefined;
}

/** Compiles a row of the table. */
export function programOfRow({ operands = [], is = [], unless, ...options }: ProgramRow): Program {
  const given = new Map<string, Effect[]>();
  for (const effect of effects)
    for (const name of namesIn(options[effect])) given.set(name, [...(given.get(name) ?? []), effect]);
  const keys = Object.keys(options).filter((key): key is OptionKey => !effects.some((effect) => effect === key));
  const each = keys.flatMap((key) => {
    const [, value = 'needed', kind] = /^(?:flag|(optional|named)?(\w+))$/.exec(key) ?? [];
    const shape =
      kind === undefined
        ? ({ value: 'none', kind: 'text' } as const)
        : {
            value: value as ProgramOption['value'],
            kind: (kind.charAt(0).toLowerCase() + kind.slice(1)) as ArgumentKind,
          };
    return namesIn(options[key]).map((name) => [name, { name, ...shape, effects: given.get(name) ?? [] }] as const);
  });
  return {
    operands: operands.map((kind) => kind.replace('*', '') as ArgumentKind),
    repeated: operands.findIndex((kind) => kind.endsWith('*')),
    options: new Map(each),
    traits: new Set(is),
    unless,
  };
}

function namesIn(names = ''): readonly string[] {
  return names.split(/\s+/).filter((name) => name !== '');
}
