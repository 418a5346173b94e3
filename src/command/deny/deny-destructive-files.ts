import { hasLetter, hasLong, isOption, splitOptions } from '../read/command-options.js';
import { type Denial, type DenyRule, isSystemRoot, normalPath, type PlainCommand } from '../read/denied-command.js';
import type { CommandWord } from '../read/simple-command.js';

/**
 * Deletes whole trees without asking: `rm -rf` in every spelling, its relatives on Windows, and any recursive change of
 * a system folder.
 */
export const denyDestructiveFiles: DenyRule = (call) => {
  const rule = byProgram.get(call.name);
  return rule ? rule(call) : computedRemoval(call);
};

const byProgram: ReadonlyMap<string, DenyRule> = new Map<string, DenyRule>([
  ['rm', recursiveRemoval],
  ['grm', recursiveRemoval],
  ['srm', recursiveRemoval],
  ['del', windowsDeletion],
  ['erase', windowsDeletion],
  ['rd', windowsDeletion],
  ['rmdir', windowsDeletion],
  ['remove-item', powershellDeletion],
  ['ri', powershellDeletion],
  ['find', findDeletion],
  ['gfind', findDeletion],
  ['chmod', recursiveChange],
  ['chown', recursiveChange],
  ['chgrp', recursiveChange],
  ['mv', movedRoot],
  ['rimraf', namedRoot],
  ['trash', namedRoot],
  ['rsync', mirroredRoot],
]);

/** A program that only the output of a command names, with the words of `rm -rf`. */
function computedRemoval({ command }: PlainCommand): Denial | undefined {
  const [program, first, ...rest] = command.argv;
  const hidden = program?.kind === 'computed' && program.value === '' && program.runs.length > 0;
  if (!hidden || !first || !/^-(?:[rR][fvi]*f[vi]*|[vi]*f[fvi]*[rR][vi]*)$/.test(first.value)) return undefined;
  const targets = rest.filter((word) => !isOption(word.value)).map((word) => word.value || word.text);
  return targets.length === 0
    ? undefined
    : denial('a computed program may delete whole folders without asking', targets);
}

function denial(text: string, targets: readonly string[]): Denial {
  return { category: 'destructive-files', text, targets };
}

function recursiveRemoval({ command, name }: PlainCommand): Denial | undefined {
  const { options, operands } = splitOptions(command.argv.slice(1));
  const recursive = hasLetter(options, 'rR') || hasLong(options, '--recursive', '--r');
  const force = hasLetter(options, 'f') || hasLong(options, '--force', '--f');
  const targets = operands.map((word) => word.value || word.text);
  if (recursive && force) return denial(`${name} deletes whole folders without asking`, targets);
  if (recursive && hasLong(options, '--no-preserve-root', '--no'))
    return denial(`${name} deletes the root folder`, targets);
  const system = operands.find((word) => word.kind !== 'computed' && isSystemRoot(word.value));
  return recursive && system ? denial(`${name} deletes the system folder ${system.value}`, targets) : undefined;
}

function windowsDeletion({ name, words }: PlainCommand): Denial | undefined {
  const wanted = name === 'del' || name === 'erase' ? 'f' : 's';
  const flags = words
    .filter((word) => /^\/{1,2}[a-z](?::[\w-]+)?(?:\/[a-z])*$/i.test(word))
    .join('')
    .toLowerCase();
  if (!flags.includes(`/${wanted}`)) return undefined;
  return denial(
    `${name} /${wanted} deletes without asking`,
    words.filter((word) => !/^\/{1,2}[a-z]/i.test(word)),
  );
}

function powershellDeletion({ name, words }: PlainCommand): Denial | undefined {
  const given = (option: string) =>
    words.some((word) => /^-[a-z]{1,}$/i.test(word) && option.startsWith(word.toLowerCase()));
  return given('-recurse') && words.some((word) => /^-fo/i.test(word))
    ? denial(
        `${name} deletes whole folders without asking`,
        words.filter((word) => !word.startsWith('-')),
      )
    : undefined;
}

const unselective =
  /^-(?:type|xtype|depth|d|mindepth|maxdepth|xdev|mount|print0?|delete|exec(?:dir)?|ok(?:dir)?|follow|ignore_readdir_race|noleaf|[HLPDO]\w*)$/;

function findDeletion({ words }: PlainCommand): Denial | undefined {
  const firstTest = words.findIndex((word) => /^[-(!]/.test(word) && !/^-[HLPDO]/.test(word));
  const roots = words.slice(0, firstTest === -1 ? undefined : firstTest).filter(isSystemRoot);
  const deletes = words.some(
    (word, index) =>
      word === '-delete' || (/^-(?:exec|ok)/.test(word) && /(?:^|\/)(?:rm|shred|unlink)$/.test(words[index + 1] ?? '')),
  );
  const everything = words.every((word) => !/^-[a-z]{2,}/.test(word) || unselective.test(word));
  return deletes && everything && roots.length > 0
    ? denial(`find deletes what is below ${roots.join(', ')}`, roots)
    : undefined;
}

const systemFolder =
  /^\/(?:bin|boot|dev|etc|home|lib(?:32|64|x32)?|proc|root|run|sbin|sys|usr|var|Users|System|Library|private)?$/;

function recursiveChange({ command, name }: PlainCommand): Denial | undefined {
  const { options, operands } = splitOptions(command.argv.slice(1));
  const recursive = hasLetter(options, 'R') || hasLong(options, '--recursive', '--r');
  const target = operands
    .slice(1)
    .find((word) => word.kind !== 'computed' && systemFolder.test(normalPath(word.value.replace(/\/\*+$/, '/'))));
  return recursive && target ? denial(`${name} changes everything below ${target.value}`, [target.value]) : undefined;
}

function movedRoot({ command, words }: PlainCommand): Denial | undefined {
  const target = movedWords(command.argv.slice(1)).find((word) => word.kind !== 'computed' && isSystemRoot(word.value));
  if (target) return denial(`mv moves the system folder ${target.value} away`, [target.value]);
  return words.length > 1 && words.at(-1) === '/dev/null'
    ? denial('mv to /dev/null destroys what it moves', words.slice(0, -1))
    : undefined;
}

function movedWords(given: readonly CommandWord[]): readonly CommandWord[] {
  const at = given.findIndex(({ value }) => /^-[a-zA-Z]*t$|^--target-directory$/.test(value));
  if (at !== -1) return given.filter((_, index) => index !== at && index !== at + 1);
  return given.some(({ value }) => /^-[a-zA-Z]*t.|^--target-directory=/.test(value)) ? given : given.slice(0, -1);
}

function namedRoot({ name, words }: PlainCommand): Denial | undefined {
  const target = words.find(isSystemRoot);
  return target === undefined ? undefined : denial(`${name} deletes the system folder ${target}`, [target]);
}

function mirroredRoot({ words }: PlainCommand): Denial | undefined {
  const target = words.at(-1) ?? '';
  return words.some((word) => word.startsWith('--del')) && isSystemRoot(target)
    ? denial(`rsync deletes what is in ${target}`, [target])
    : undefined;
}
