import { type DenyRule, isRawDevice, type PlainCommand } from '../read/denied-command.js';

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
  if (name === 'pv') return outputOfPv(words);
  const reads = name === 'cat' || (name === 'badblocks' && !words.some((word) => /^-[a-zA-Z]*w/.test(word)));
  if (name === 'cp' || name === 'mv' || name === 'rsync' || name === 'install' || name === 'ln')
    return words.slice(-1).find(isRawDevice);
  return reads ? undefined : words.find(isRawDevice);
}

function outputOfPv(words: readonly string[]): string | undefined {
  return words
    .flatMap((word, index) => {
      const attached = /^(?:-[a-zA-Z]*o|--output=?)(.*)$/s.exec(word)?.[1];
      return attached === undefined ? [] : [attached || (words[index + 1] ?? '')];
    })
    .find(isRawDevice);
}

const formatters = /^(?:mkfs|newfs|mke2fs|mkswap|mkdosfs|mkntfs|mkudffs|mkreiserfs|mkexfatfs)(?:[._]\w+)*$/;
const changing = new Set([
  'diskpart',
  'blkdiscard',
  'clear-disk',
  'format-volume',
  'initialize-disk',
  'lvremove',
  'vgremove',
  'pvremove',
]);

/** For each partition editor the words that only show, and those that change whatever stands beside them. */
const partitionEditors: ReadonlyMap<string, { readonly shows: RegExp; readonly changes: RegExp }> = new Map([
  ['fdisk', { shows: /^(?:-l|--list|-x|--list-details|-s|--getsz|-V|-v)$/, changes: /^(?:-[wW]|--wipe)/ }],
  [
    'sfdisk',
    {
      shows:
        /^(?:-l|--list|-d|--dump|-J|--json|-V|--verify|-s|--show-size|-F|--list-free|-x|--list-details|-v|-g|--show-geometry)$/,
      changes: /^(?:-[aANrwWX]|--(?:activate|append|delete|disk-id|move-data|part-|relocate|reorder|wipe))/,
    },
  ],
  ['gdisk', { shows: /^-l$/, changes: /^-(?!l$)/ }],
  [
    'sgdisk',
    {
      shows: /^(?:-[pvFfEDLV]|-i.*|--print|--verify|--info.*)$/,
      changes: /^-(?!(?:[pvFfEDLV]|i.*|-print|-verify|-info.*)$)/,
    },
  ],
  [
    'parted',
    {
      shows: /^(?:-l|--list|print|-v|--version)$/,
      changes:
        /^(?:mklabel|mktable|mkpart\w*|mkfs|rm|rescue|resize\w*|name|set|disk_set|toggle|disk_toggle|move|cp|type)$/,
    },
  ],
  ['cfdisk', { shows: /^(?:-V|-h)$/, changes: /^-z/ }],
  ['cgdisk', { shows: /^-h$/, changes: /^-a/ }],
]);

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
  if (name === 'dd' || name === 'gdd')
    return words.some((word) => /^if=/.test(word)) ? 'dd copies raw bytes over its output' : undefined;
  if (changing.has(name)) return `${name} changes disks`;
  if (destroying.get(name) && words.some((word) => destroying.get(name)?.test(word)))
    return `${name} destroys data on a disk`;
  const editor = partitionEditors.get(name);
  const shows = words.some((word) => editor?.shows.test(word)) && !words.some((word) => editor?.changes.test(word));
  return editor && !shows && words.some(isRawDevice)
    ? `${name} edits the partitions of ${words.find(isRawDevice)}`
    : undefined;
}
