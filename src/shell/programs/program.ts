/**
 * What the value of an option, or an operand, is to its program. `text`: words, numbers, patterns. `path`: only names
 * and numbers of it are shown. `readPath`: its content is shown or used. `writePath`: it is made, changed or removed.
 * `editPath`: it is read, and changed or gone then. `intoPath`: where other files land. `folder`: where the program
 * works. `codePath`: a file that is run, or holds more words or settings. `code`: in a language of the program.
 * `command`: text for a shell. `commandUntil`: a program with its words up to `;` or `+`. `program`: a program and all
 * words after it. `module`: the same, as code of this one. `config`: a setting with its value. `variable`: `NAME=value`.
 * `url`: another machine. `data`: text, or a file behind `@`. `unknown`: any of these.
 */
// biome-ignore format: a list of words
export type ArgumentKind =
  | 'text' | 'path' | 'readPath' | 'writePath' | 'editPath' | 'intoPath' | 'folder' | 'codePath' | 'code' | 'command'
  | 'commandUntil' | 'program' | 'module' | 'config' | 'variable' | 'url' | 'data' | 'unknown';

/**
 * What options do besides. `recursive`: everything below the operands is meant. `edits`: files that are read are changed
 * too. `changes`: a program that else only reads changes something. `replacesFirst`: the first operand is missing.
 * `firstIsCommand`: it is text for a shell. `runsInput`: standard input is run. `onlyShows`: nothing is run then.
 * `textFollows`: every word after it is text. `saves`: what an address names lands under its own name.
 */
// biome-ignore format: a list of words
const effects = [
  'recursive', 'edits', 'changes', 'replacesFirst', 'firstIsCommand', 'runsInput', 'onlyShows', 'textFollows',
  'saves',
] as const;
export type Effect = (typeof effects)[number];

/**
 * What holds for a program as a whole. `readOnly`: with listed options and operands alone it only reads;
 * `readsAlone`: only without operands. `readsHere`: without operands it works on the folder. `recursive`: as the
 * effect. `saves`: as the effect. `readsFolders`: files in folders are shown. `numbers`: `-20` is an option. `oneDash`: options are whole words
 * behind one dash. `expression`: two dashes alone end no options. `bundled`: the first word is letters of options.
 * `optionsFirst`: they end at the first operand. `optionsAnywhere`: its own stand among the words of the program that it
 * runs too, up to two dashes. `literal`: every word is an operand. `joined`: the words for a shell are one text. `xargs`:
 * more words come on standard input. `runsInput`: as the effect. `version`: a question for the version only reads.
 * `evaluates`: a builtin that runs what stands in its words. `setting`: operands are a name and its value. `serves`: it is a way to the network. `inherits`: the options of the
 * program stand behind the subcommand too.
 */
// biome-ignore format: a list of words
export type Trait =
  | 'readOnly' | 'readsAlone' | 'readsHere' | 'recursive' | 'saves' | 'readsFolders' | 'numbers' | 'oneDash' | 'expression'
  | 'bundled' | 'optionsFirst' | 'optionsAnywhere' | 'literal' | 'joined' | 'xargs' | 'runsInput' | 'version' | 'setting'
  | 'serves' | 'inherits' | 'evaluates';

/** Options by the kind of their value; `optional` stands in the same word, `named` behind a name. */
type OptionKey =
  | 'flag'
  | ArgumentKind
  | `optional${'Text' | 'Command' | 'Code' | 'IntoPath' | 'ReadPath'}`
  | `named${'Text' | 'ReadPath'}`;

/** A program, or one with its subcommand: its operands in their order, one with `*` for any number, and its options. */
export type ProgramRow = {
  readonly operands?: readonly (ArgumentKind | `${ArgumentKind}*`)[];
  readonly is?: readonly Trait[];
} & { readonly [Key in OptionKey | Effect]?: string };

/** Programs by their names; names between bars share everything, a second word is a subcommand (`git log|show`). */
export type ProgramTable = Readonly<Record<string, ProgramRow>>;

/** One option. `needed`: its value stands in the same word or the next. */
export interface ProgramOption {
  readonly name: string;
  readonly value: 'none' | 'needed' | 'optional' | 'named';
  readonly kind: ArgumentKind;
  readonly effects: readonly Effect[];
}

/** A row of the table, ready to be looked up. */
export interface Program {
  readonly operands: readonly ArgumentKind[];
  /** The index of the operand that may stand any number of times; -1 where none does. */
  readonly repeated: number;
  readonly options: ReadonlyMap<string, ProgramOption>;
  readonly traits: ReadonlySet<Trait>;
}

/** Makes a row ready to be looked up. */
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
