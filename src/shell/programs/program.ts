/**
 * The role of an option's value or an operand. `text`: words, numbers, patterns. `path`: its name and numbers are
 * shown. `readPath`: its content is shown or used. `writePath`: created, changed or removed. `editPath`: read, then
 * changed or removed. `intoPath`: the destination of other files. `folder`: the working directory. `codePath`: a file
 * that is run, or contains arguments or settings. `code`: in a language of the program. `command`: text for a shell.
 * `commandUntil`: a program with its words up to `;` or `+`. `program`: a program and all words after it. `module`: the
 * same, as code of this program. `config`: a setting with its value. `variable`: `NAME=value`. `url`: another machine.
 * `data`: text, or a file behind `@`. `unknown`: role not known; treated as every other kind.
 */
// biome-ignore format: a list of words
export type ArgumentKind =
  | 'text' | 'path' | 'readPath' | 'writePath' | 'editPath' | 'intoPath' | 'folder' | 'codePath' | 'code' | 'command'
  | 'commandUntil' | 'program' | 'module' | 'config' | 'variable' | 'url' | 'data' | 'unknown';

/**
 * Effects of options. `recursive`: includes everything below the operands. `edits`: read files are changed too.
 * `changes`: an otherwise read-only program changes something. `replacesFirst`: the first operand is missing.
 * `firstIsCommand`: the first operand is text for a shell. `runsInput`: standard input is run. `onlyShows`: nothing is
 * run. `textFollows`: every later word is text. `saves`: a download is saved under its own name.
 */
// biome-ignore format: a list of words
const effects = [
  'recursive', 'edits', 'changes', 'replacesFirst', 'firstIsCommand', 'runsInput', 'onlyShows', 'textFollows',
  'saves',
] as const;
export type Effect = (typeof effects)[number];

/**
 * Properties of a program. `readOnly`: read-only with listed options and operands; `readsAlone`: only without operands.
 * `readsHere`: without operands it works on the folder. `recursive`, `saves`, `runsInput`: as the effects.
 * `readsFolders`: shows files in folders. `numbers`: `-20` is an option. `oneDash`: long options have one dash.
 * `expression`: `--` alone does not end the options. `bundled`: the first word is letters of options. `optionsFirst`:
 * options end at the first operand. `optionsAnywhere`: its options may stand among the words of the program that it
 * runs, up to `--`. `literal`: every word is an operand. `joined`: the words for a shell are one text. `xargs`: more
 * words come from standard input. `version`: asking for the version is read-only. `evaluates`: a builtin that evaluates
 * its words. `setting`: operands are a name and its value. `serves`: provides network access. `inherits`: options of
 * the program may follow the subcommand too.
 */
// biome-ignore format: a list of words
export type Trait =
  | 'readOnly' | 'readsAlone' | 'readsHere' | 'recursive' | 'saves' | 'readsFolders' | 'numbers' | 'oneDash' | 'expression'
  | 'bundled' | 'optionsFirst' | 'optionsAnywhere' | 'literal' | 'joined' | 'xargs' | 'runsInput' | 'version' | 'setting'
  | 'serves' | 'inherits' | 'evaluates';

/** Options by the role of their value; `optional`: the value is in the same word, `named`: it follows a name. */
type OptionKey =
  | 'flag'
  | ArgumentKind
  | `optional${'Text' | 'Command' | 'Code' | 'IntoPath' | 'ReadPath'}`
  | `named${'Text' | 'ReadPath'}`;

/** A program or subcommand: its operands in order, one with `*` for any number, and its options. */
export type ProgramRow = {
  readonly operands?: readonly (ArgumentKind | `${ArgumentKind}*`)[];
  readonly is?: readonly Trait[];
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
}

/** Compiles a row. */
export function programOfRow({ operands = [], is = [], ...options }: ProgramRow): Program {
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
  };
}

function namesIn(names = ''): readonly string[] {
  return names.split(/\s+/).filter((name) => name !== '');
}
