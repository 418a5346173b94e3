/** The role of the value of an option, or of an operand. */
export type ArgumentKind =
  /** Words, numbers, patterns: neither opened nor run. */
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
  /** Another program with its words, up to `;` or `+`. */
  | 'commandUntil'
  /** Another program; every word after it belongs to it. */
  | 'program'
  /** The same, but the other program is code in the language of this one (`python -m`). */
  | 'module'
  /** A script that the settings of a project name, which may run any program of that name instead. */
  | 'script'
  /** A setting with its value. */
  | 'config'
  /** A variable with its value: `NAME=value`. */
  | 'variable'
  /** An address on another machine. */
  | 'url'
  /** Text, or the content of a file whose name follows `@`. */
  | 'data'
  /** Role not known: treated as every other kind. */
  | 'unknown';

/** An effect of an option besides its value. */
const effects = [
  /** The operands include everything below them. */
  'recursive',
  /** Files that the program only reads without the option are changed. */
  'edits',
  /** A program that only reads without the option makes changes, or shows more than the call names. */
  'changes',
  /** It replaces the first operand. */
  'replacesFirst',
  /** The first operand is text that a shell runs. */
  'firstIsCommand',
  /** The program runs its standard input. */
  'runsInput',
  /** The program prints help, a version or a check, and runs nothing. */
  'onlyShows',
  /** Every later word is text. */
  'textFollows',
  /** The program splits its value into words by its own rules; later words follow them. */
  'splits',
  /** A download is saved under the last part of its address. */
  'saves',
  /** Its value is the working directory of the program. */
  'enters',
  /** Hidden files below a searched folder are read too, unless its value names files of source code. */
  'readsHidden',
  /** It shows the content of files of any revision that the call does not name. */
  'showsTree',
  /** It changes files of the work tree that the call does not name. */
  'changesTree',
  /** It switches off the traits of the last two names: no file content is shown and no file is changed. */
  'sparesTree',
] as const;
export type Effect = (typeof effects)[number];

/** A property of a program. */
export type Trait =
  /** With the listed options and operands it only reads. */
  | 'readOnly'
  /** It reads its standard input as data and runs none of it. */
  | 'readsData'
  /** Commands typed into its standard input may start programs. */
  | 'takesCommands'
  /** With the listed options and without operands it only reads. */
  | 'readsAlone'
  /** Without operands it works on the current folder. */
  | 'readsHere'
  /** It shows the files in its folder operands. */
  | 'readsFolders'
  /** Below a searched folder it skips hidden files. */
  | 'skipsHidden'
  /** The effects of these names, in every call. */
  | 'recursive'
  | 'saves'
  | 'runsInput'
  /** The effects of these names, unless an option switches them off. */
  | 'showsTree'
  | 'changesTree'
  /** Its operands are only paths, not revisions as in similar programs. */
  | 'pathsOnly'
  /** `-20` is an option. */
  | 'numbers'
  /** Long options have one dash. */
  | 'oneDash'
  /** `--` does not end the options. */
  | 'expression'
  /** The first word is letters of options without a dash (`tar xzf`). */
  | 'bundled'
  /** Options end at the first operand. */
  | 'optionsFirst'
  /** Its options may appear among the words of the program that it runs, up to `--`. */
  | 'optionsAnywhere'
  /** Every word is an operand. */
  | 'literal'
  /** Its words are joined to one text for a shell. */
  | 'joined'
  /** It adds words of its standard input to the program that it runs. */
  | 'xargs'
  /** The shell itself evaluates its words. */
  | 'evaluates'
  /** Its operands are the name of a setting and, if it is changed, a value that later calls use. */
  | 'setting'
  /** It connects to other machines with any operands. */
  | 'serves'
  /** Its own options may follow the subcommand too. */
  | 'inherits';

/** Options by the role of their value; `optional`: the value is in the same word, `named`: it follows a name. */
type OptionKey =
  | 'flag'
  | ArgumentKind
  | `optional${'Text' | 'Command' | 'Code' | 'IntoPath' | 'ReadPath'}`
  | `named${'Text' | 'ReadPath' | 'Unknown'}`;

/** A program or subcommand: its operands in order, one with `*` for any number, and its options. */
export type ProgramRow = {
  readonly operands?: readonly (ArgumentKind | `${ArgumentKind}*`)[];
  readonly is?: readonly Trait[];
  /** Words with which a program does more than read that else only reads. */
  readonly unless?: RegExp;
} & { readonly [Key in OptionKey | Effect]?: string };

/** Programs by name. Names separated by bars share a row; a second word is a subcommand (`git log|show`). */
export type ProgramTable = Readonly<Record<string, ProgramRow>>;

/** An option. `needed`: its value is in the same word or the next. */
export interface ProgramOption {
  readonly name: string;
  readonly value: 'none' | 'needed' | 'optional' | 'named';
  readonly kind: ArgumentKind;
  readonly effects: readonly Effect[];
}

/** A compiled row of the table. */
export interface Program {
  readonly operands: readonly ArgumentKind[];
  /** Index of the repeatable operand; -1 for none. */
  readonly repeated: number;
  readonly options: ReadonlyMap<string, ProgramOption>;
  readonly traits: ReadonlySet<Trait>;
  readonly unless: RegExp | undefined;
}

/** Compiles a row. */
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
