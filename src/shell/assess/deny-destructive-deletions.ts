import { normalPath } from '../../core/text/path-names.js';
import type { SimpleCommand } from '../parse/simple-command.js';
import type { Denial, DenyRule } from './denial.js';

/**
 * Denies deletions that ask for no confirmation (`rm -rf` in every spelling, and its Windows counterparts), moves to
 * `/dev/null`, and commands that delete, move or recursively change a system folder.
 */
export const denyDestructiveFiles: DenyRule = (call) => rules.find(([names]) => names.test(call.name))?.[1](call);

/** Whether the rule checks programs of this name. */
export function namesDeletion(name: string): boolean {
  return rules.some(([names]) => names.test(name));
}

const rules: readonly (readonly [names: RegExp, rule: DenyRule])[] = [
  [/^[gs]?rm$/, recursiveRemoval],
  [/^(?:del|erase|rd|rmdir)$/, windowsDeletion],
  [/^(?:remove-item|ri)$/, powershellDeletion],
  [/^g?find$/, findDeletion],
  [/^(?:chmod|chown|chgrp)$/, recursiveChange],
  [/^g?mv$/, movedRoot],
  [/^(?:rimraf|trash)$/, namedRoot],
  [/^rsync$/, mirroredRoot],
];

function denial(text: string, targets: readonly string[]): Denial {
  return { category: 'destructive-files', text, targets };
}

function operandsOf({ read }: SimpleCommand): readonly string[] {
  const operands = read.values.filter(({ option }) => option === undefined);
  return operands.map(({ word }) => word.value || word.text);
}

function rootOf({ read }: SimpleCommand, kinds: RegExp): string | undefined {
  return read.values.find(({ kind, word }) => kinds.test(kind) && word.kind !== 'computed' && isSystemRoot(word.value))
    ?.word.value;
}

function recursiveRemoval(call: SimpleCommand): Denial | undefined {
  const { name, read } = call;
  if (!read.effects.has('recursive')) return undefined;
  const targets = operandsOf(call);
  if (read.options.has('-f') || read.options.has('--force'))
    return denial(`${name} deletes whole folders without asking`, targets);
  if (read.options.has('--no-preserve-root')) return denial(`${name} deletes the root folder`, targets);
  const system = rootOf(call, /^writePath$/);
  return system === undefined ? undefined : denial(`${name} deletes the system folder ${system}`, targets);
}

function windowsDeletion({ name, words }: SimpleCommand): Denial | undefined {
  const wanted = name === 'del' || name === 'erase' ? '/f' : '/s';
  const flags = words.filter((word) => /^\/{1,2}[a-z](?::[\w-]+)?(?:\/[a-z])*$/i.test(word));
  if (!flags.join('').toLowerCase().includes(wanted)) return undefined;
  const targets = words.filter((word) => !/^\/{1,2}[a-z]/i.test(word));
  return denial(`${name} ${wanted} deletes without asking`, targets);
}

function powershellDeletion({ name, words }: SimpleCommand): Denial | undefined {
  const isRecursive = words.some((word) => /^-[a-z]+$/i.test(word) && '-recurse'.startsWith(word.toLowerCase()));
  const targets = words.filter((word) => !word.startsWith('-'));
  return isRecursive && words.some((word) => /^-fo/i.test(word))
    ? denial(`${name} deletes whole folders without asking`, targets)
    : undefined;
}

const unselective =
  /^-(?:type|xtype|depth|d|mindepth|maxdepth|xdev|mount|print0?|delete|exec(?:dir)?|ok(?:dir)?|follow|ignore_readdir_race|noleaf|[HLPDO]\w*)$/;

function findDeletion(call: SimpleCommand): Denial | undefined {
  const { words, read } = call;
  const root = rootOf(call, /^(?:path|writePath)$/);
  const removes = read.started.some(({ words }) => /(?:^|\/)(?:rm|shred|unlink)$/.test(words[0]?.value ?? ''));
  const everything = words.every((word) => !/^-[a-z]{2,}/.test(word) || unselective.test(word));
  return root !== undefined && everything && (removes || read.options.has('-delete'))
    ? denial(`find deletes what is below ${root}`, [root])
    : undefined;
}

const systemFolder =
  /^\/(?:bin|boot|dev|etc|home|lib(?:32|64|x32)?|proc|root|run|sbin|sys|usr|var|Users|System|Library|private)?$/;

function recursiveChange({ name, read }: SimpleCommand): Denial | undefined {
  if (!read.effects.has('recursive')) return undefined;
  const target = read.values.find(
    ({ kind, word }) =>
      kind === 'writePath' &&
      word.kind !== 'computed' &&
      systemFolder.test(normalPath(word.value.replace(/\/\*+$/, '/'))),
  )?.word.value;
  return target === undefined ? undefined : denial(`${name} changes everything below ${target}`, [target]);
}

function movedRoot(call: SimpleCommand): Denial | undefined {
  const target = rootOf(call, /^editPath$/);
  if (target !== undefined) return denial(`mv moves the system folder ${target} away`, [target]);
  return call.words.length > 1 && call.words.at(-1) === '/dev/null'
    ? denial('mv to /dev/null destroys what it moves', call.words.slice(0, -1))
    : undefined;
}

function namedRoot(call: SimpleCommand): Denial | undefined {
  const target = rootOf(call, /^writePath$/);
  return target === undefined ? undefined : denial(`${call.name} deletes the system folder ${target}`, [target]);
}

function mirroredRoot(call: SimpleCommand): Denial | undefined {
  const target = rootOf(call, /^intoPath$/);
  return target !== undefined && call.words.some((word) => word.startsWith('--del'))
    ? denial(`rsync deletes what is in ${target}`, [target])
    : undefined;
}

/** Whether a path is the root, a whole home folder, or a system folder. */
function isSystemRoot(path: string): boolean {
  const plain = path.replace(/\/+\*+$/, '');
  if (/^~[\w-]*\/?\.?$/.test(plain)) return true;
  if (!path.startsWith('/')) return false;
  const normal = normalPath(plain === '' ? '/' : plain);
  return /^\/(?:(?:bin|boot|dev|etc|home|lib(?:32|64|x32)?|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications|private|Volumes)(?:\/(?:bin|lib|local|share|log))?|home\/[\w.-]+|Users\/[\w.-]+|\*)?$/.test(
    normal,
  );
}
