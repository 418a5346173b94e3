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
  /** Most operands (words that do not begin with `-`). */
  readonly maxOperands?: number;
  /** Most words of any kind. */
  readonly maxWords?: number;
}

const reader: ReadOnlyProgram = { readsPaths: true };
const printer: ReadOnlyProgram = { readsPaths: false };

/** True-to-life abbreviations of a long option count as the option, as GNU programs read them. */
const table: readonly (readonly [string, ReadOnlyProgram])[] = [
  ...'cat head tail wc nl tac rev cut tr paste join comm fold fmt expand unexpand od hexdump strings cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum ls dir vdir stat du readlink realpath cmp diff diff3 column zcat egrep fgrep grep'
    .split(' ')
    .map((name) => [name, reader] as const),
  ...'pwd true false : basename dirname uname arch nproc whoami id groups tty uptime free seq sleep which type cal'
    .split(' ')
    .map((name) => [name, printer] as const),
  ['echo', printer],
  ['printf', { readsPaths: false, refused: /^-v/ }],
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
  ['rg', { readsPaths: true, refused: /^--(?:pre|hostname-bin|search-zip|config|ignore-file|files-from)|^-[a-zA-Z]*z/ }],
  ['find', { readsPaths: true, refused: /^-(?:exec|ok|delete|fprint|fls|files0)/ }],
  [
    'jq',
    {
      readsPaths: true,
      refused:
        /^-[a-zA-Z]*[fL]|^--(?:from-file|rawfile|slurpfile|argfile|library)|\$ENV|\benv\b|\binclude\b|\bimport\b|input_filename|\$__prog/,
    },
  ],
  [
    'sed',
    {
      readsPaths: true,
      proven:
        /^(?:-[nEr]+|--(?:quiet|silent|regexp-extended)|\d+(?:,(?:\d+|\$))?p|\$p|\/[^/\\\n]*\/p|s\/[^/\\\n]*\/[^/\\\n]*\/[gIip0-9]*|(?![-/\d$])[\w][\w./-]*\.\w+)$/,
    },
  ],
  ...'node npm pnpm yarn python python3 ruby perl go cargo rustc gcc clang java javac docker make cmake deno bun tsc php'
    .split(' ')
    .map((name) => [name, { readsPaths: false, firstWord: name === 'go' ? /^version$/ : /^--version$/, maxWords: 1 }] as const),
  ['command', { readsPaths: false, proven: /^(?:-[vV]|[\w.+][\w.+-]*)$/, firstWord: /^-[vV]$/ }],
];

/** Programs that only read, with the words that would make them do more. */
export const readOnlyPrograms: ReadonlyMap<string, ReadOnlyProgram> = new Map(table);
