/**
 * What the value of an option or an operand is to its program. `text`: words, numbers, patterns. `read`: a file whose
 * content is shown or used. `count`: a file of which only sums are shown. `name`: a path of
 * which names and numbers are shown. `write`: a file or folder that is
 * made, changed or removed. `take`: a file that is read, and changed or gone then. `put`: where others land. `post`:
 * text, or a file behind `@`. `code`: a file that is run. `shell`: a program with its words, or text for a shell.
 * `exec`: a program with its words up to `;` or `+`. `words`: a program and all words after it. `script`: code in a
 * language of the program. `config`: a setting with its value. `host`: another machine. `set`: variables with values. `module`:
 * a program and all words after it, as code of this one. `folder`: where the program works. `maybe`: what nobody knows.
 */
export type ArgumentKind =
  | 'text'
  | 'read'
  | 'count'
  | 'name'
  | 'write'
  | 'take'
  | 'put'
  | 'post'
  | 'code'
  | 'shell'
  | 'exec'
  | 'words'
  | 'script'
  | 'config'
  | 'host'
  | 'set'
  | 'module'
  | 'folder'
  | 'maybe';

/** What an option does besides: see {@link Row}. */
export type Effect = 'tree' | 'edit' | 'given' | 'command' | 'input' | 'idle' | 'lasts' | 'text';

/**
 * One option of a program. `value`: whether it takes one; an optional
 * one stands in the same word, a named one after a name.
 */
export interface ProgramOption {
  readonly name: string;
  readonly value: 'none' | 'needed' | 'optional' | 'named';
  readonly kind: ArgumentKind;
  readonly effect: Effect | undefined;
}

/**
 * One line of the table. Names between bars share everything; a second word is a subcommand (`git log|show`).
 *
 * The operands are kinds in their order, one with `*` for any number; more than these are not known. In the options
 * `-abc` are letters, `--one,two` long names, `-n=` takes a value, `-n=read` one of that kind, `-n==read` a
 * name before it, and `-n?=` one in the
 * same word; `+=` is what begins with a plus. After `!` stands what else it does: `tree`: everything below the operands
 * is meant. `edit`: files that are read are changed too. `given`: the first operand is missing. `command`: the first
 * operand is text for a shell. `input`: what stands on standard input is run. `idle`: nothing lasts. `lasts`: something
 * does. `text`: every word after it is
 * mere text.
 *
 * The traits: `looks`: with nothing unknown it only looks. `here`: without operands it works on the folder. `tree`: as
 * the effect. `folders`: files of folders are shown. `plain`: options are whole words behind one dash. `either`: a
 * long name may stand behind one dash. `expression`: two dashes alone end no options. `bundled`: the first word is
 * letters of options. `first`: options end at the first operand. `anywhere`: its own stand among the words of the
 * program it runs too, up to two dashes. `literal`: every word is an operand. `joined`: the words for a shell are one
 * text. `xargs`: more words come on standard input. `version`: `--version` alone only looks. `lasts:why`: it leaves
 * something that others run or obey; `serves`: it is a way to the network.
 */
export type Row = readonly [operands: string, options?: string | undefined, traits?: string | undefined];

/** A line of the table, taken apart. */
export interface Program {
  readonly operands: readonly ArgumentKind[];
  /** The index of the operand that may stand any number of times; -1 where none does. */
  readonly repeated: number;
  readonly options: ReadonlyMap<string, ProgramOption>;
  readonly traits: ReadonlySet<string>;
  /** Why something lasts, where it does. */
  readonly lasts: string | undefined;
}

const optionForm = /^(--?)(.*?)(\?)?(?:=(=?)(\w*))?(?:!(\w+))?$|^(\+)(?:=(\w*))?$/;

/** Takes a line of the table apart. */
export function readRow([operands, options = '', traits = '']: Row): Program {
  const kinds = operands.split(' ').filter((kind) => kind !== '');
  const words = traits.split(' ');
  const isPlain = words.includes('plain');
  return {
    operands: kinds.map((kind) => kind.replace('*', '') as ArgumentKind),
    repeated: kinds.findIndex((kind) => kind.endsWith('*')),
    options: new Map(options.split(/\s+/).flatMap((token) => optionsOf(token, isPlain))),
    traits: new Set(words),
    lasts: words.find((word) => word.startsWith('lasts:'))?.slice(6),
  };
}

function optionsOf(token: string, isPlain: boolean): readonly (readonly [string, ProgramOption])[] {
  const [, dashes, names = '', optional, named, kind, effect, plus, plusKind] = optionForm.exec(token) ?? [];
  const value = optional ? 'optional' : kind === undefined ? 'none' : named ? 'named' : 'needed';
  if (plus !== undefined)
    return [['+', { name: '+', value: 'optional', kind: (plusKind || 'text') as ArgumentKind, effect: undefined }]];
  if (dashes === undefined) {
    if (token === '') return [];
    throw new Error(`no form of an option: ${token}`);
  }
  const isWord = isPlain || dashes === '--' || names.startsWith(':');
  const each = isWord ? names.split(',') : Array.from(names);
  return each.map((name) => {
    const whole = name.startsWith(':') ? `:-${name.slice(1)}` : dashes + name;
    return [whole, { name: whole, value, kind: (kind || 'text') as ArgumentKind, effect: effect as Effect }];
  });
}
