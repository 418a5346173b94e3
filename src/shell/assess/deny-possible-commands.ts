import { readCommand } from '../parse/read-command.js';
import { programName, unversioned } from '../programs/command-words.js';
import { programOf } from '../programs/table.js';
import type { Denial, DenyRule } from './denial.js';
import { denyDestructiveFiles, namesDeletion } from './deny-destructive-deletions.js';
import { denyDisk, namesDisk } from './deny-machine.js';

/** The maximum number of words of one call that may begin a command. */
const maxBeginnings = 64;
/** The maximum number of words of such a command that are read. */
const maxWords = 200;

/**
 * Denies deletions and changes of disks in the words of a program that the table does not list. The program may run
 * these words as a command: `gosu root rm -rf /`, `strace -f sh -c 'rm -rf /'`. Words that stop the machine or run a
 * download are not checked, because many programs have subcommands and operands of these names.
 */
export const denyPossibleCommands: DenyRule = ({ argv, read }) => {
  if (read.program !== undefined) return undefined;
  // A name without a further word is usually an operand: `tldr mkfs`.
  const beginnings = argv.slice(1, -1).flatMap((word, index) => (mayBegin(programName(word)) ? [index + 1] : []));
  if (beginnings.length > maxBeginnings)
    return [{ category: 'destructive-files', text: 'too many of its words may begin a command that deletes files' }];
  const started = beginnings.flatMap((at) => {
    const words = argv.slice(at, at + maxWords).map(({ kind, value, text }) => (kind === 'resolved' ? value : text));
    return readCommand(words.join(' ')).commands;
  });
  return started
    .flatMap((command) => [denyDestructiveFiles(command), denyDisk(command)].flat())
    .flatMap((denial) => (denial === undefined || isRemote(denial) ? [] : [withoutTargets(denial)]));
};

/** Whether all targets of a deletion are URLs: `s3cmd rm -rf s3://bucket/folder`. */
function isRemote({ targets = [] }: Denial): boolean {
  return targets.length > 0 && targets.every((path) => /^[a-z][\w+.-]*:\/\//i.test(path));
}

/**
 * Removes the targets, so that `allowRecursiveDelete` cannot turn the denial into a question. The program may start the
 * command in another folder.
 */
function withoutTargets({ category, text }: Denial): Denial {
  return { category, text };
}

function mayBegin(name: string): boolean {
  return programOf(unversioned(name)) !== undefined || namesDeletion(name) || namesDisk(name);
}
