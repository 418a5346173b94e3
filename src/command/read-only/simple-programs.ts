import { digits, provenOptions } from './read-only-options.js';
import type { ReadOnlyProgram } from './read-only-program.js';

type Row = readonly [names: string, flags: string, valued?: string, longs?: string];

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
    `all almost-all author escape ignore-backups color directory dired classify file-type format full-time
      group-directories-first no-group human-readable si inode hide indicator-style ignore kibibytes dereference
      numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style reverse recursive size
      sort time time-style width zero`,
  ],
  ['stat', 'Lftxr', 'c', 'dereference file-system format printf terse'],
  [
    'du',
    '0abcDhHklLmsSx',
    'Bdt',
    `all apparent-size block-size bytes total dereference-args max-depth human-readable inodes null si separate-dirs
      summarize threshold time time-style exclude one-file-system`,
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
    `canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to
      relative-base`,
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

function rows(
  list: readonly Row[],
  operands: ReadOnlyProgram['operands'],
): readonly (readonly [string, ReadOnlyProgram])[] {
  return list.flatMap(([programs, flags, valued, longs]) =>
    programs.split(' ').map((name) => [name, { operands, options: provenOptions(flags, valued, longs) }] as const),
  );
}

/** Programs that only read whenever all of their options are known. */
export const simplePrograms: readonly (readonly [string, ReadOnlyProgram])[] = [
  ...rows(contents, 'contents'),
  ...rows(names, 'names'),
  ...rows(texts, 'text'),
];
