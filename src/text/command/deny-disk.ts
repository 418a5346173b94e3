import type { DenyRule, PlainCommand } from './denied-command.js';
import { isRawDevice } from './denied-command.js';

/** Overwrites or reformats disks. */
export const denyDisk: DenyRule = (call) => {
  const target = writtenDevice(call);
  if (target !== undefined) return { category: 'disk', text: `writes to the device ${target}` };
  if (call.words.length > 0 && call.words.every((word) => /^(?:--help|--version|-V|-h)$/.test(word))) return undefined;
  const text = diskTool(call);
  return text === undefined ? undefined : { category: 'disk', text };
};

const writers = new Set([
  'tee',
  'cp',
  'mv',
  'shred',
  'cat',
  'install',
  'truncate',
  'badblocks',
  'pv',
  'sponge',
  'ddrescue',
  'dcfldd',
  'wipe',
  'scrub',
  'nwipe',
  'rsync',
  'fallocate',
  'ln',
]);

function writtenDevice({ command, name, words }: PlainCommand): string | undefined {
  const redirected = command.redirections.find(
    (each) => each.operator !== '<' && each.body === undefined && isRawDevice(each.target?.value ?? ''),
  );
  if (redirected) return redirected.target?.value;
  const output = words.find((word) => /^of=/.test(word) && isRawDevice(word.slice(3)));
  if (/^(?:dd|gdd|dcfldd|dc3dd|ddrescue)$/.test(name) && output) return output.slice(3);
  if (!writers.has(name)) return undefined;
  const reads = name === 'cat' || name === 'pv' || name === 'badblocks';
  if (name === 'cp' || name === 'mv' || name === 'rsync' || name === 'install') return words.slice(-1).find(isRawDevice);
  return reads ? undefined : words.find(isRawDevice);
}

const formatters = /^(?:mkfs|newfs|mke2fs|mkswap|mkdosfs|mkntfs|mkudffs|mkreiserfs|mkexfatfs)(?:[._-]\w+)*$/;
const changing = new Set(['diskpart', 'blkdiscard', 'clear-disk', 'format-volume', 'initialize-disk', 'lvremove', 'vgremove', 'pvremove']);
const partitionEditors = new Set(['fdisk', 'sfdisk', 'cfdisk', 'gdisk', 'sgdisk', 'cgdisk', 'parted']);
const listing = /^(?:-l|--list|-p|--print|-d|--dump|-V|--verify|-s|--show-size|-J|--json|-i|--info|-F|--list-free|-v|print|-x)$/;

/** The words that make a disk tool destroy data. */
const destroying: ReadonlyMap<string, RegExp> = new Map([
  ['wipefs', /^(?:-[a-zA-Z]*[ao].*|--all|--offset.*)$/],
  ['mdadm', /^--(?:zero-superblock|create)$|^-C$/],
  ['zpool', /^(?:destroy|labelclear)$/],
  ['zfs', /^destroy$/],
  ['cryptsetup', /^(?:luksFormat|luksErase|erase|reencrypt)$/i],
  ['hdparm', /^--(?:security-erase.*|trim-sector-ranges.*|make-bad-sector)$/],
  ['nvme', /^(?:format|sanitize|write-zeroes|write-uncor|dsm)$/],
  ['diskutil', /^(?:erase\w*|reformat|partitiondisk|secureerase|zerodisk|randomdisk)$/i],
  ['format', /^[a-z]:$/i],
  ['format.com', /^[a-z]:$/i],
  ['flashrom', /^(?:-w|--write|-E|--erase)/],
]);

function diskTool({ name, words }: PlainCommand): string | undefined {
  if (formatters.test(name)) return `${name} formats a file system`;
  if (name === 'dd' || name === 'gdd') return words.some((word) => /^if=/.test(word)) ? 'dd copies raw bytes over its output' : undefined;
  if (changing.has(name)) return `${name} changes disks`;
  if (destroying.get(name) && words.some((word) => destroying.get(name)?.test(word))) return `${name} destroys data on a disk`;
  const edits = partitionEditors.has(name) && words.some(isRawDevice) && !words.some((word) => listing.test(word));
  return edits ? `${name} edits the partitions of ${words.find(isRawDevice)}` : undefined;
}
