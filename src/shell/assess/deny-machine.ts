import { normalPath } from '../../core/text/path-names.js';
import type { SimpleCommand } from '../parse/simple-command.js';
import type { Denial, DenyRule } from './denial.js';
import { filesOf } from './named-files.js';

/** A program that is harmful if some word matches `holds` and no word matches `unless`. */
type Row = readonly [names: RegExp, what: string, holds?: RegExp | undefined, unless?: RegExp];

const onlyHelp = /^(?:--help|--version|-V|-h|-\?)$/;
const device = /^\/dev\//;

const disks: readonly Row[] = [
  [/^(?:mkfs|newfs|mke2fs|mkswap|mkdosfs|mkntfs|mkudffs|mkreiserfs|mkexfatfs)(?:[._]\w+)*$/, 'formats a file system'],
  [/^g?dd$/, 'copies raw bytes over its output', /^if=/],
  [/^(?:diskpart|blkdiscard|clear-disk|format-volume|initialize-disk|lvremove|vgremove|pvremove)$/, 'changes disks'],
  [/^wipefs$/, 'destroys data on a disk', /^(?:-[a-zA-Z]*[ao].*|--all|--offset.*)$/],
  [/^mdadm$/, 'destroys data on a disk', /^--(?:zero-superblock|create)$|^-C$/],
  [/^zpool$/, 'destroys data on a disk', /^(?:destroy|labelclear)$/],
  [/^zfs$/, 'destroys data on a disk', /^destroy$/],
  [/^cryptsetup$/, 'destroys data on a disk', /^(?:luksFormat|luksErase|erase|reencrypt)$/i],
  [/^hdparm$/, 'destroys data on a disk', /^--(?:security-erase.*|trim-sector-ranges.*|make-bad-sector)$/],
  [/^nvme$/, 'destroys data on a disk', /^(?:format|sanitize|write-zeroes|write-uncor|dsm)$/],
  [/^diskutil$/, 'destroys data on a disk', /^(?:erase\w*|reformat|partitiondisk|secureerase|zerodisk|randomdisk)$/i],
  [/^format(?:\.com)?$/, 'destroys data on a disk', /^[a-z]:$/i],
  [/^flashrom$/, 'destroys data on a disk', /^(?:-w|--write|-E|--erase)/],
  [/^fdisk$/, 'edits partitions', /^-[wW]|^--wipe/],
  [/^fdisk$/, 'edits partitions', device, /^(?:-l|--list|-x|--list-details|-s|--getsz|-V|-v)$/],
  [
    /^sfdisk$/,
    'edits partitions',
    /^(?:-[aANrwWX]|--(?:activate|append|delete|disk-id|move-data|part-|relocate|reorder|wipe))/,
  ],
  [/^sfdisk$/, 'edits partitions', device, /^(?:-[ldJVsFxvg]|--(?:list|dump|json|verify|show-).*)$/],
  [/^s?gdisk$/, 'edits partitions', device, /^(?:-[lpvFfEDLV]|-i.*|--print|--verify|--info.*)$/],
  [/^sgdisk$/, 'edits partitions', /^-(?!(?:[pvFfEDLV]|i.*|-print|-verify|-info.*)$)/],
  [
    /^parted$/,
    'edits partitions',
    /^(?:mklabel|mktable|mkpart\w*|mkfs|rm|rescue|resize\w*|name|set|disk_set|toggle|disk_toggle|move|cp|type)$/,
  ],
  [/^parted$/, 'edits partitions', device, /^(?:-l|--list|print)$/],
  [/^c[fg]disk$/, 'edits partitions', device],
  [/^badblocks$/, 'writes to a device', /^-[a-zA-Z]*w/],
  [/^(?:fallocate|ddrescue|wipe|scrub|nwipe)$/, 'writes to a device', device],
];

const stops = 'stops the machine';
const targets =
  /^(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|isolate|exit|(?:poweroff|reboot|halt|rescue|emergency|shutdown|kexec)\.target|runlevel[06]\.target)$/;

const machines: readonly Row[] = [
  [/^shutdown$/, stops, undefined, /^(?:-[a-zA-Z]*c[a-zA-Z]*|\/a|--show)$/],
  [/^(?:reboot|poweroff|halt|stop-computer|restart-computer|killall5|pm-suspend|pm-hibernate)$/, stops],
  [/^(?:tel)?init$/, 'changes the run level', /^[06sS1]$/],
  [/^(?:systemctl|loginctl)$/, stops, targets, /^(?:status|show|cat|is-\w+|restart|list-\w+|enable|disable|mask)$/],
  [/^kexec$/, 'restarts into another kernel', /^-[a-zA-Z]*e|^--exec/],
  [/^(?:dbus-send|gdbus|busctl|qdbus)$/, stops, /(?:PowerOff|Reboot|Halt|Suspend|Hibernate)(?:\W|$)/],
  [/^osascript$/, stops, /\b(?:shut\s?down|restart)\b/i],
  [/^rundll32$/, stops, /exitwindows|setsuspendstate/i],
];

const anyOf = (rows: readonly Row[]) => new RegExp(rows.map(([names]) => names.source).join('|'));
const [anyDisk, anyMachine] = [anyOf(disks), anyOf(machines)];

function found(rows: readonly Row[], any: RegExp, { name, words }: SimpleCommand): string | undefined {
  if (!any.test(name)) return undefined;
  const row = rows.find(
    ([names, , holds, unless]) =>
      names.test(name) &&
      (holds === undefined || words.some((word) => holds.test(word))) &&
      !(unless !== undefined && words.some((word) => unless.test(word))),
  );
  return row && `${name} ${row[1]}`;
}

/** The first written file whose path passes the test. */
function written(command: SimpleCommand, test: (path: string) => boolean): string | undefined {
  if (/^g?link$|^g?ln$/.test(command.name)) return undefined;
  const files = filesOf(command).filter(({ kind }) => kind === 'edit');
  return files.find(({ word }) => word.kind !== 'computed' && test(word.value))?.word.value;
}

/** Whether {@link denyDisk} knows programs of this name. */
export function namesDisk(name: string): boolean {
  return anyDisk.test(name);
}

/** Denies commands that overwrite or reformat disks. */
export const denyDisk: DenyRule = (call) => {
  const target = written(call, isRawDevice) ?? outputOfPv(call);
  if (target !== undefined) return { category: 'disk', text: `writes to the device ${target}` };
  if (call.words.length > 0 && call.words.every((word) => onlyHelp.test(word))) return undefined;
  const text = found(disks, anyDisk, call);
  return text === undefined ? undefined : { category: 'disk', text };
};

function outputOfPv({ name, words }: SimpleCommand): string | undefined {
  const [, attached, next] = /(?:^|\n)(?:-[a-zA-Z]*o|--output)(?:=?([^\n]+)|\n([^\n]+))/.exec(words.join('\n')) ?? [];
  const path = attached ?? next ?? '';
  return name === 'pv' && isRawDevice(path) ? path : undefined;
}

/** Denies commands that stop, restart or suspend the machine, or end all its processes. */
export const denySystemControl: DenyRule = (call) => {
  const { name, words } = call;
  const isTrigger = written(call, (path) => normalPath(path) === '/proc/sysrq-trigger') !== undefined;
  const isHelp = words.length === 1 && onlyHelp.test(words[0] ?? '') && !(name === 'shutdown' && words[0] === '-h');
  const killed = name === 'kill' && killsAll(words) ? 'kill ends every process' : undefined;
  const text = isTrigger
    ? 'writes to /proc/sysrq-trigger'
    : isHelp
      ? undefined
      : (killed ?? found(machines, anyMachine, call));
  return text === undefined ? undefined : { category: 'system-control', text };
};

function killsAll(words: readonly string[]): boolean {
  const line = words.join(' ');
  if (/^-0\b|^-(?:s|n|-signal) 0\b/.test(line)) return false;
  return /(?:^| )-1(?: |$)/.test(line.replace(/^-(?:(?:s|n|-signal) \S+|\d+|(?:SIG)?[A-Z]+\d*)(?= )/i, ''));
}

const maxFunctions = 200;

/** Denies functions that call themselves, directly or mutually, through a pipe or in the background. */
export function denyForkBombs(commands: readonly SimpleCommand[]): readonly Denial[] {
  const names = new Set(commands.flatMap((command) => command.functions));
  if (names.size > maxFunctions)
    return [{ category: 'fork-bomb', text: `it defines more than ${maxFunctions} functions, so it may start itself` }];
  const calls = new Set(
    commands.filter(({ argv, functions }) => functions.length > 0 && names.has(argv[0]?.value ?? '')),
  );
  const callees = new Map([...names].map((name) => [name, new Set<string>()]));
  for (const { argv, functions } of calls) callees.get(functions.at(-1) ?? '')?.add(argv[0]?.value ?? '');
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(callees.get(from) ?? [])].some(
      (callee) => callee === to || (!seen.has(callee) && reaches(callee, to, seen.add(callee))),
    );
  const isBomb = (owner: string) => {
    const own = commands.filter(({ functions }) => functions.at(-1) === owner);
    const again = own.filter(({ argv }) => {
      const callee = argv[0]?.value ?? '';
      return names.has(callee) && (callee === owner || reaches(callee, owner));
    });
    const waits = own.some(({ argv }) => /^(?:sleep|wait)$/.test(argv[0]?.value ?? ''));
    const isPiped = again.some(({ input }) => input.some((before) => calls.has(before)));
    const inBackground = again.some(({ background }) => background);
    return isPiped || (inBackground && (again.length > 1 || !waits));
  };
  return [...names].filter(isBomb).map((owner) => ({
    category: 'fork-bomb',
    text: `${owner} starts itself again and again`,
  }));
}

/** Denies a script that starts itself by name, and code that forks in a loop. */
export const denyForkBomb: DenyRule = ({ argv, input, background, name, words }) => {
  const written = argv[0]?.text ?? '';
  const isSelf = /^"?\$\{?0\}?"?$|^"?\$\{?BASH_SOURCE/.test(written);
  const isPiped = input.some((before) => before.argv[0]?.text === written);
  if (isSelf && (isPiped || (background && words.length === 0)))
    return { category: 'fork-bomb', text: `${written} starts itself again and again` };
  const forks = /\b(?:while|loop|for|until)\b[\s\S]{0,80}\bfork\b|\bfork\b[^;\n{}]{0,20}\b(?:while|until)\b/;
  return /^(?:python|perl|ruby|php|node)/.test(name) && words.some((word) => forks.test(word))
    ? { category: 'fork-bomb', text: `${name} code forks in a loop` }
    : undefined;
};

/** Whether a path, in any spelling, is a device file of a disk or memory. */
function isRawDevice(path: string): boolean {
  return /^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|sr\d|dm-\d|md\d|nbd\d|loop\d|zram\d|mapper\/|disk\/|block\/|zd\d|k?mem$|port$|mtd\w*\d)/.test(
    normalPath(path),
  );
}
