import type { ProvenOptions } from './read-only-options.js';
import { provenOptions } from './read-only-options.js';

/** What a call of a read-only program may look like and still be proven to only read. */
export interface ReadOnlyProgram {
  /** What the operands are: paths whose content is shown, paths of which names or numbers are shown, or plain text. */
  readonly operands: 'contents' | 'names' | 'text';
  /**
   * The options that are known; a word that begins with `-` and is none of them is not proven. Without it, every word
   * is text.
   */
  readonly options?: ProvenOptions;
  /** Whole words that are refused, for programs whose operands are a language of their own. */
  readonly refused?: RegExp;
  /** Only these words are proven. */
  readonly proven?: RegExp;
  /** What the first word must be, where the program does something else without it. */
  readonly firstWord?: RegExp;
  /** The first operand is a pattern and no path, unless one of the words is such an option. */
  readonly patternFirst?: RegExp;
  /** Words that make the program read every file below its operands; `always` where it does so by itself. */
  readonly recursive?: RegExp | 'always';
  /** Shows the files of two folders, where its operands are such. */
  readonly takesFolders?: true;
  /** Most operands (words that do not begin with `-`). */
  readonly maxOperands?: number;
  /** Most words of any kind. */
  readonly maxWords?: number;
}

type Row = readonly [names: string, flags: string, valued?: string, longs?: string];

const digits = '0123456789';

const contents: readonly Row[] = [
  ['cat', 'AbeEnstTuv', '', 'show-all number number-nonblank squeeze-blank show-ends show-tabs show-nonprinting'],
  ['head', `qvz${digits}`, 'nc', 'lines bytes quiet silent verbose zero-terminated'],
  ['tail', `qvzfFr${digits}`, 'ncs', 'lines bytes quiet silent verbose zero-terminated follow retry pid'],
  ['nl', 'p', 'bdfhilnsvw', 'body-numbering number-width number-separator starting-line-number number-format'],
  ['tac', 'br', 's', 'before regex separator'],
  ['rev', ''],
  [
    'cut',
    'nsz',
    'bcdf',
    'bytes characters delimiter fields complement only-delimited output-delimiter zero-terminated',
  ],
  ['paste', 'sz', 'd', 'delimiters serial zero-terminated'],
  ['join', 'iz', '12aetjov', 'ignore-case check-order nocheck-order header zero-terminated'],
  ['comm', '123z', '', 'check-order nocheck-order output-delimiter total zero-terminated'],
  ['fold', 'bs', 'w', 'bytes spaces width'],
  ['fmt', 'cstu', 'wpg', 'width goal uniform-spacing split-only'],
  ['expand', 'i', 't', 'initial tabs'],
  ['unexpand', 'a', 't', 'all first-only tabs'],
  ['od', 'abcdfhilosxv', 'AjNtw', 'address-radix skip-bytes read-bytes format output-duplicates width'],
  ['hexdump', 'bcCdovx', 'ns'],
  ['strings', `aw${digits}`, 'nteT', 'all bytes radix encoding'],
  ['column', 'tenxJR', 'csoN', 'table separator output-separator json'],
  ['zcat', 'f', '', 'force'],
  ['cmp', 'bls', 'in', 'print-bytes ignore-initial verbose bytes quiet silent'],
];

const names: readonly Row[] = [
  ['wc', 'clmLw', '', 'bytes chars lines words max-line-length'],
  ['cksum', '', ''],
  ['sum', 'rs', '', 'sysv'],
  ['md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum', 'btz', '', 'binary text tag zero'],
  [
    'ls dir vdir',
    'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
    'ITw',
    'all almost-all author escape ignore-backups color directory dired classify file-type format full-time group-directories-first no-group human-readable si inode hide indicator-style ignore kibibytes dereference numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style reverse recursive size sort time time-style width zero',
  ],
  ['stat', 'Lftxr', 'c', 'dereference file-system format printf terse'],
  [
    'du',
    '0abcDhHklLmsSx',
    'Bdt',
    'all apparent-size block-size bytes total dereference-args max-depth human-readable inodes null si separate-dirs summarize threshold time time-style exclude one-file-system',
  ],
  [
    'readlink',
    'femnqsvz',
    '',
    'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
  ],
  [
    'realpath',
    'emLPqsz',
    '',
    'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to relative-base',
  ],
  [
    'file',
    'bhiIkLNnprsd0',
    '',
    'brief mime mime-type mime-encoding dereference no-dereference no-pad keep-going raw special-files print0',
  ],
  [
    'df',
    'ahHiklPT',
    'Btx',
    'all block-size human-readable si inodes local no-sync output portability total type print-type exclude-type',
  ],
  [
    'tree',
    'adfilpstuxDFghnqQACSvcrUXJ',
    'IPL',
    'dirsfirst noreport prune gitignore ignore-case matchdirs du si filelimit charset sort metafirst inodes device',
  ],
];

const texts: readonly Row[] = [
  ['pwd', 'LP', '', 'logical physical'],
  ['true false :', ''],
  ['basename', 'az', 's', 'multiple suffix zero'],
  ['dirname', 'z', '', 'zero'],
  [
    'uname',
    'asnrvmpio',
    '',
    'all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system',
  ],
  ['nproc', '', '', 'all ignore'],
  ['whoami', ''],
  ['id', 'ugGnrz', '', 'user group groups name real zero'],
  ['groups', ''],
  ['tty', 's', '', 'silent quiet'],
  ['uptime', 'ps', '', 'pretty since'],
  ['free', 'bkmgthlw', 'sc', 'bytes kibi mebi gibi human total wide lohi si'],
  ['seq', `w${digits}`, 'fs', 'equal-width format separator'],
  ['sleep', ''],
  ['which', 'as', '', 'all'],
  ['type', 'aftpP'],
  ['cal', `jymshwn${digits}`, 'ABm', 'monday sunday year julian'],
  ['tr', 'cCdst', '', 'complement delete squeeze-repeats truncate-set1'],
];

const searching: ReadOnlyProgram = {
  operands: 'contents',
  options: provenOptions(
    `abcEFGHhIiLlnoPqrRsTUvVwxyzZ${digits}`,
    'ABCem',
    'extended-regexp fixed-strings basic-regexp perl-regexp regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-without-match files-with-matches max-count only-matching quiet silent no-messages byte-offset with-filename no-filename label line-number initial-tab null after-context before-context context text binary-files exclude exclude-dir include recursive dereference-recursive null-data',
  ),
  patternFirst: /^-[a-zA-Z]*e|^--regexp/,
  recursive: /^-[a-zA-Z0-9]*[rR]|^--(?:dereference-)?recursive/,
};

const testing: ReadOnlyProgram = {
  operands: 'names',
  options: { words: /^-(?:[a-hknoprstuwxzLOGSN]|eq|ne|lt|le|gt|ge|nt|ot|ef|\d+)$/ },
  refused: /[`$[(]/,
};

function rows(
  list: readonly Row[],
  operands: ReadOnlyProgram['operands'],
): readonly (readonly [string, ReadOnlyProgram])[] {
  return list.flatMap(([programs, flags, valued, longs]) =>
    programs.split(' ').map((name) => [name, { operands, options: provenOptions(flags, valued, longs) }] as const),
  );
}

const table: readonly (readonly [string, ReadOnlyProgram])[] = [
  ...rows(contents, 'contents'),
  ...rows(names, 'names'),
  ...rows(texts, 'text'),
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
        'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort version-sort check key merge stable field-separator unique zero-terminated',
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
        'normal brief report-identical-files context unified ed rcs side-by-side width left-column suppress-common-lines show-c-function show-function-line label expand-tabs initial-tab recursive no-dereference new-file exclude ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines text strip-trailing-cr minimal speed-large-files color',
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
        'regexp type type-not glob iglob line-number no-line-number files files-with-matches files-without-match count count-matches ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match multiline hidden no-ignore no-ignore-vcs unrestricted max-count max-depth max-columns context before-context after-context color heading no-heading column only-matching replace json stats sort sortr trim vimgrep with-filename no-filename quiet null text follow pcre2 threads type-list debug',
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
        'raw-output compact-output null-input exit-status slurp sort-keys join-output ascii-output monochrome-output color-output raw-input arg argjson args jsonargs tab indent stream seq unbuffered',
      ),
      refused: /\$ENV|\benv\b|\binclude\b|\bimport\b|\bmodulemeta\b|input_filename|\$__prog/,
      patternFirst: /^$/,
    },
  ],
  ...'node npm pnpm yarn python python3 ruby perl go cargo rustc gcc clang java javac docker make cmake deno bun tsc php'
    .split(' ')
    .map(
      (name) =>
        [name, { operands: 'text', firstWord: name === 'go' ? /^version$/ : /^--version$/, maxWords: 1 }] as const,
    ),
  ['command', { operands: 'text', proven: /^(?:-[vV]|[\w.+][\w.+-]*)$/, firstWord: /^-[vV]$/ }],
];

/** Programs that only read, with the words they may be given. */
export const readOnlyPrograms: ReadonlyMap<string, ReadOnlyProgram> = new Map(table);
