/** What a program does with the files that it is given as operands. */
export interface FileProgram {
  /**
   * `read`: shows or copies what is in them. `edit`: makes, changes or removes them. `copy`: reads all, changes the
   * last; `move`: changes all, and reads all but the last.
   */
  readonly does: 'read' | 'edit' | 'copy' | 'move';
  /** The first operand is a pattern or a script and no file, unless one of the words is such an option. */
  readonly scriptUnless?: RegExp;
  /** Options that make it work on everything below a folder; `always` where it does so by itself. */
  readonly tree?: RegExp | 'always';
  /** Without an operand it works on the folder it stands in. */
  readonly isHereByDefault?: true;
  /** Options that make it change the files that it reads otherwise. */
  readonly editIf?: RegExp;
  /** What the words that name a file to change look like, the file being the first group. */
  readonly edits?: RegExp;
  /** Options of which the next word is a file to change. */
  readonly editsAfter?: RegExp;
  /** Options of which the next word is a pattern and no file. */
  readonly patternsAfter?: RegExp;
  /** Operands after the first are files to change. */
  readonly editsSecond?: true;
}

type Row = readonly [names: string, program: FileProgram];

const recursive = /^-[A-Za-z]*[rR]|^--recursive|^--dereference-rec/;

const rows: readonly Row[] = [
  [
    'cat tac head tail less more most bat batcat nl cut wc strings od hexdump hd base64 base32 basenc comm join ' +
      'paste fold fmt expand unexpand rev column pr csplit shuf iconv zcat gzcat bzcat xzcat zstdcat zless md5sum ' +
      'sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum source . mapfile view tsort numfmt',
    { does: 'read' },
  ],
  ['uniq guniq xxd split gsplit', { does: 'read', editsSecond: true }],
  [
    'sort gsort',
    { does: 'read', edits: /^(?:-[bcCdfghiMmnRrsuVz]*o|--o[utp]*=)(.+)/s, editsAfter: /^-[A-Za-z]*o$|^--o[utp]*$/ },
  ],
  ['cmp diff colordiff sdiff diff3 vimdiff', { does: 'read', tree: recursive }],
  ['tar bsdtar zip 7z 7za', { does: 'read', tree: 'always', patternsAfter: /^--exclude$/ }],
  ['gzip bzip2 xz zstd', { does: 'read', tree: recursive }],
  [
    'grep egrep fgrep zgrep ggrep',
    {
      does: 'read',
      tree: /^-[A-Za-z]*[rR]|^--(?:dereference-)?recursive|^-d|^--directories/,
      scriptUnless: /^-[A-Za-z]*[ef]|^--(?:regexp|file)/,
    },
  ],
  [
    'rg ag ack ripgrep',
    { does: 'read', tree: 'always', scriptUnless: /^-[A-Za-z]*[ef]|^--(?:regexp|file)/, isHereByDefault: true },
  ],
  [
    'sed gsed',
    { does: 'read', scriptUnless: /^-[A-Za-z]*[ef]|^--(?:expression|file)/, editIf: /^-[A-Za-z]*i|^--in-place/ },
  ],
  ['awk gawk mawk nawk', { does: 'read', scriptUnless: /^-f|^--file/, editIf: /^-i$|^--include=?/ }],
  ['perl', { does: 'read', scriptUnless: /^-[A-Za-z]*[eE]/, editIf: /^-[A-Za-z]*i/ }],
  ['jq yq gojq jaq', { does: 'read', scriptUnless: /^-f|^--from-file/, editIf: /^-[A-Za-z]*i|^--in-?place/ }],
  ['tee sponge touch truncate rmdir unlink mkdir mkfifo patch ed ex vi vim nano emacs', { does: 'edit' }],
  ['rm shred srm trash chmod chown chgrp setfacl', { does: 'edit', tree: recursive }],
  ['cp install ginstall gcp', { does: 'copy', tree: /^-[A-Za-z]*[aRr]|^--(?:recursive|archive)/ }],
  ['ln gln link', { does: 'copy', tree: 'always' }],
  ['rsync scp', { does: 'copy', tree: 'always', patternsAfter: /^--(?:exclude|include|filter)$/ }],
  ['mv gmv', { does: 'move', tree: 'always' }],
  ['dd', { does: 'read', edits: /^of=(.+)/s }],
];

/** Programs that read or change the files they are given by name. Any other may do so as well, which no name tells. */
export const filePrograms: ReadonlyMap<string, FileProgram> = named(rows);

const gitRows: readonly Row[] = [
  ['show diff blame annotate cat-file log archive difftool', { does: 'read' }],
  ['grep', { does: 'read', tree: 'always', scriptUnless: /^-[A-Za-z]*[ef]/, isHereByDefault: true }],
  ['rm mv restore checkout clean', { does: 'edit', tree: /^-r/ }],
];

/** The same for the subcommands of git. */
export const gitPrograms: ReadonlyMap<string, FileProgram> = named(gitRows);

function named(table: readonly Row[]): ReadonlyMap<string, FileProgram> {
  return new Map(table.flatMap(([names, program]) => names.split(' ').map((name) => [name, program] as const)));
}
