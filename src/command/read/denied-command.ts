import { type CommandWord, plainText, programName, type SimpleCommand } from './simple-command.js';

/** The groups of commands that are refused outright. */
export type DenyCategory =
  | 'destructive-files'
  | 'disk'
  | 'system-control'
  | 'fork-bomb'
  | 'remote-code'
  | 'reverse-shell'
  | 'eval-injection';

/** A finding of one deny rule. `targets` are the paths a deletion is aimed at, as far as they are known. */
export interface Denial {
  readonly category: DenyCategory;
  readonly text: string;
  readonly targets?: readonly string[];
}

/** A command as deny rules look at it: disguises folded away. */
export interface PlainCommand {
  readonly command: SimpleCommand;
  /** Program name without folder, in lower case. */
  readonly name: string;
  /** The words after the program. */
  readonly words: readonly string[];
}

/** One rule: looks at a command, and where it matters at the commands before it in the pipe and inside its words. */
export type DenyRule = (call: PlainCommand) => Denial | undefined;

/** Folds look-alike and invisible characters, a blank in disguise inside the program name included. */
export function toPlain(command: SimpleCommand): PlainCommand {
  const [first, ...rest] = command.argv;
  const split =
    first && /[^\x20-\x7e]/.test(first.value)
      ? plainText(first.value)
          .split(' ')
          .map((value) => ({ ...first, value }))
      : [];
  const argv = [...(split.length > 0 || !first ? split : [first]), ...rest.map(toPlainWord)];
  return { command: { ...command, argv }, name: programName(argv[0]), words: argv.slice(1).map((word) => word.value) };
}

function toPlainWord(word: CommandWord): CommandWord {
  const value = plainText(word.value);
  return value === word.value ? word : { ...word, value };
}

/** A path without doubled slashes, `.` segments and `..` steps. */
export function normalPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return (path.startsWith('/') ? '/' : '') + kept.join('/');
}

/** True for the device files of disks and memory, whichever way the path is spelled. */
export function isRawDevice(path: string): boolean {
  return /^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|sr\d|dm-\d|md\d|nbd\d|loop\d|zram\d|mapper\/|disk\/|block\/|zd\d|k?mem$|port$|mtd\w*\d)/.test(
    normalPath(path),
  );
}

/** True for the root, a home folder as a whole, or a folder the system stands on. */
export function isSystemRoot(path: string): boolean {
  const plain = path.replace(/\/+\*+$/, '').replace(/^(?:\$HOME|\$\{HOME\})/, '~');
  if (/^~[\w-]*\/?\.?$/.test(plain)) return true;
  if (!path.startsWith('/')) return false;
  const normal = normalPath(plain === '' ? '/' : plain);
  return /^\/(?:(?:bin|boot|dev|etc|home|lib(?:32|64|x32)?|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications|private|Volumes)(?:\/(?:bin|lib|local|share|log))?|home\/[\w.-]+|Users\/[\w.-]+|\*)?$/.test(
    normal,
  );
}
