import { digits, provenOptions } from './read-only-options.js';
import type { ReadOnlyProgram } from './read-only-program.js';
import { simplePrograms } from './simple-programs.js';

const searching: ReadOnlyProgram = {
  operands: 'contents',
  options: provenOptions(
    `abcEFGHhIiLlnoPqrRsTUvVwxyzZ${digits}`,
    'ABCem',
    `extended-regexp fixed-strings basic-regexp perl-regexp regexp ignore-case no-ignore-case invert-match
      word-regexp line-regexp count color colour files-without-match files-with-matches max-count only-matching quiet
      silent no-messages byte-offset with-filename no-filename label line-number initial-tab null after-context
      before-context context text binary-files exclude exclude-dir include recursive dereference-recursive null-data`,
  ),
  patternFirst: /^-[a-zA-Z]*e|^--regexp/,
  recursive: /^-[a-zA-Z0-9]*[rR]|^--(?:dereference-)?recursive/,
};

const testing: ReadOnlyProgram = {
  operands: 'names',
  options: { words: /^-(?:[a-hknoprstuwxzLOGSN]|eq|ne|lt|le|gt|ge|nt|ot|ef|\d+)$/ },
  refused: /[`$[(]/,
};

const table: readonly (readonly [string, ReadOnlyProgram])[] = [
  ...simplePrograms,
  ...['grep', 'egrep', 'fgrep'].map((name) => [name, searching] as const),
  ['echo', { operands: 'text' }],
  ['printf', { operands: 'text', refused: /^-|%[^%a-zA-Z]*n|[`[]|\$\(/ }],
  ['cd', { operands: 'names', proven: /^(?![-~/])[^*?[\]]+$/, maxOperands: 1, firstWord: /./ }],
  ['test', testing],
  ['[', { ...testing, refused: /[`$(]|\[/ }],
  [
    'date',
    {
      operands: 'text',
      proven:
        /^(?:\+.*|-[uR]|-I(?:date|hours|minutes|seconds|ns)?|--utc|--universal|--iso-8601(?:=\w+)?|--rfc-3339=\w+|--rfc-email)$/s,
    },
  ],
  ['hostname', { operands: 'text', proven: /^-[fsidIA]$/ }],
  ['ps', { operands: 'text', proven: /^(?:aux|-e|-ef|-A|-f|-ejH|-eLf)$/ }],
  [
    'sort',
    {
      operands: 'contents',
      options: provenOptions(
        'bdfghiMnRrVcCmsuz',
        'kt',
        `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort
          human-numeric-sort numeric-sort random-sort reverse sort version-sort check key merge stable field-separator
          unique zero-terminated`,
      ),
    },
  ],
  [
    'uniq',
    {
      operands: 'contents',
      options: provenOptions(
        `cdDuiz`,
        'fsw',
        'count repeated unique ignore-case skip-fields skip-chars check-chars zero-terminated',
      ),
      maxOperands: 1,
    },
  ],
  ['xxd', { operands: 'contents', options: provenOptions('abeEipu', 'cglns'), maxOperands: 1 }],
  ['base64', { operands: 'contents', options: provenOptions('dDi', 'wb', 'decode ignore-garbage wrap break') }],
  [
    'diff',
    {
      operands: 'contents',
      options: provenOptions(
        `abBdEeHiNnpqrsTtuwyZ${digits}`,
        'CDFIUWx',
        `normal brief report-identical-files context unified ed rcs side-by-side width left-column
          suppress-common-lines show-c-function show-function-line label expand-tabs initial-tab recursive
          no-dereference new-file exclude ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change
          ignore-all-space ignore-blank-lines ignore-matching-lines text strip-trailing-cr minimal speed-large-files
          color`,
      ),
      recursive: /^-[a-zA-Z0-9]*r|^--recursive$|^\.$|\/$/,
      takesFolders: true,
    },
  ],
  [
    'rg',
    {
      operands: 'contents',
      options: provenOptions(
        `acFHIiLlNnoPpqSsUuvwx.${digits}`,
        'ABCegjMmrtT',
        `regexp type type-not glob iglob line-number no-line-number files files-with-matches files-without-match
          count count-matches ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match
          multiline hidden no-ignore no-ignore-vcs unrestricted max-count max-depth max-columns context before-context
          after-context color heading no-heading column only-matching replace json stats sort sortr trim vimgrep
          with-filename no-filename quiet null text follow pcre2 threads type-list debug`,
      ),
      patternFirst: /^-[a-zA-Z]*e|^--(?:regexp|files$|type-list)/,
      recursive: 'always',
    },
  ],
  [
    'find',
    {
      operands: 'names',
      options: {
        words:
          /^-(?:name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|type|xtype|size|[mac]time|[mac]min|newer\w*|anewer|cnewer|empty|maxdepth|mindepth|depth|d|xdev|mount|print0?|printf|prune|quit|ls|o|or|a|and|not|H|P|user|group|uid|gid|perm|links|inum|samefile|readable|writable|executable|true|false|nouser|nogroup|daystart|noleaf|ignore_readdir_race|fstype|i?lname|used|O\d|\d+\w?)$/,
      },
    },
  ],
  [
    'jq',
    {
      operands: 'contents',
      options: provenOptions(
        'rcensSjaMCR',
        '',
        `raw-output compact-output null-input exit-status slurp sort-keys join-output ascii-output monochrome-output
          color-output raw-input arg argjson args jsonargs tab indent stream seq unbuffered`,
      ),
      refused: /\$ENV|\benv\b|\binclude\b|\bimport\b|\bmodulemeta\b|input_filename|\$__prog/,
      patternFirst: /^$/,
    },
  ],
  ...`node npm pnpm yarn python python3 ruby perl go cargo rustc gcc clang java javac docker make cmake deno bun tsc php`
    .split(/\s+/)
    .map(
      (name) =>
        [name, { operands: 'text', firstWord: name === 'go' ? /^version$/ : /^--version$/, maxWords: 1 }] as const,
    ),
  ['command', { operands: 'text', proven: /^(?:-[vV]|[\w.+][\w.+-]*)$/, firstWord: /^-[vV]$/ }],
];

/** Programs that only read, with the words they may be given. */
export const readOnlyPrograms: ReadonlyMap<string, ReadOnlyProgram> = new Map(table);
