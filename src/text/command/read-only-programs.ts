/** What makes a call of a read-only program lose its proof. */
export interface ReadOnlyProgram {
  /** True when the operands are paths that are read, so that they must stay inside the working folder. */
  readonly readsPaths: boolean;
  /** Whole words that are refused. */
  readonly refused?: RegExp;
  /** Only these words are proven. */
  readonly proven?: RegExp;
  /** What the first word must be, where the program does something else without it. */
  readonly firstWord?: RegExp;
  /** The first operand is a pattern and no path, unless one of the words is such an option. */
  readonly patternFirst?: RegExp;
  /** Most operands (words that do not begin with `-`). */
  readonly maxOperands?: number;
  /** Most words of any kind. */
  readonly maxWords?: number;
}

const reader: ReadOnlyProgram = { readsPaths: true };
const printer: ReadOnlyProgram = { readsPaths: false };

/** Long options are matched by their shortest abbreviations, as GNU programs read them. */
const table: readonly (readonly [string, ReadOnlyProgram])[] = [
  ...'cat head tail wc nl tac rev cut paste join comm fold fmt expand unexpand od hexdump strings cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum ls dir vdir stat du readlink realpath cmp diff diff3 column zcat'
    .split(' ')
    .map((name) => [name, reader] as const),
  ...'pwd true false : basename dirname uname nproc whoami id groups tty uptime free seq sleep which type cal tr'
    .split(' ')
    .map((name) => [name, printer] as const),
  ...['grep', 'egrep', 'fgrep'].map((name) => [name, { readsPaths: true, patternFirst: /^-[a-zA-Z]*[ef]|^--(?:re|f)/ }] as const),
  ['echo', printer],
  ['printf', { readsPaths: false, refused: /^-v|%[^%a-zA-Z]*n|[`[]|\$\(/ }],
  ['cd', { readsPaths: true, proven: /^(?![-~/])[^*?[\]]+$/, maxOperands: 1, firstWord: /./ }],
  ['test', { readsPaths: true, refused: /^-[vRo]$|[`$[(]/ }],
  ['[', { readsPaths: true, refused: /^-[vRo]$|[`$[(]/ }],
  ['file', { readsPaths: true, refused: /^-[a-zA-Z]*[Cm]|^--(?:c|m)/ }],
  ['df', { readsPaths: true, refused: /^--sync/ }],
  ['date', { readsPaths: false, proven: /^(?:\+.*|-[uRI]\w*|--utc|--universal|--iso-8601(?:=\w+)?|--rfc-3339=\w+|--rfc-email)$/s }],
  ['hostname', { readsPaths: false, proven: /^-[fsidIA]$/ }],
  ['ps', { readsPaths: false, proven: /^(?:aux|-e|-ef|-A|-f|-ejH|-eLf)$/ }],
  ['sort', { readsPaths: true, refused: /^-[a-zA-Z0-9.,]*o|^-[a-zA-Z]*T|^--(?:o|c(?:om|$)|t|f)/ }],
  [
    'uniq',
    {
      readsPaths: true,
      proven: /^(?:-[cdDuiz]+|-[fsw]\d+|--(?:count|repeated|unique|ignore-case|skip-fields=\d+|skip-chars=\d+|check-chars=\d+)|[^-].*)$/s,
      maxOperands: 1,
    },
  ],
  ['xxd', { readsPaths: true, refused: /^-[a-z]*r/, maxOperands: 1 }],
  ['base64', { readsPaths: true, refused: /^(?:-o|--output)/ }],
  ['tree', { readsPaths: true, refused: /^-[a-zA-Z]*[oRH]|^--(?:o|from|info)/ }],
  [
    'rg',
    {
      readsPaths: true,
      refused: /^--(?:pre|hostname-bin|search-zip|ignore-file)|^-[a-zA-Z]*z/,
      patternFirst: /^-[a-zA-Z]*[ef]|^--(?:regexp|file)/,
    },
  ],
  ['find', { readsPaths: true, refused: /^-(?:exec|ok|delete|fprint|fls|files0)/ }],
  [
    'jq',
    {
      readsPaths: true,
      refused:
        /^-[a-zA-Z]*[fL]|^--(?:from-file|rawfile|slurpfile|argfile|library)|\$ENV|\benv\b|\binclude\b|\bimport\b|input_filename|\$__prog/,
    },
  ],
  ...'node npm pnpm yarn python python3 ruby perl go cargo rustc gcc clang java javac docker make cmake deno bun tsc php'
    .split(' ')
    .map((name) => [name, { readsPaths: false, firstWord: name === 'go' ? /^version$/ : /^--version$/, maxWords: 1 }] as const),
  ['command', { readsPaths: false, proven: /^(?:-[vV]|[\w.+][\w.+-]*)$/, firstWord: /^-[vV]$/ }],
];

/** Programs that only read, with the words that would make them do more. */
export const readOnlyPrograms: ReadonlyMap<string, ReadOnlyProgram> = new Map(table);
