import type { CommandPaths, Target } from '../../core/tool.js';

type CommandTarget = Target & { readonly kind: 'command' };

// Beside the target and not in it, since what is decided is plain data.
const knownPaths = new WeakMap<object, CommandPaths>();

/** A command line as permission rules see it, with what the workspace knows of the paths that it names. */
export function commandTarget(command: string, paths: CommandPaths | undefined): CommandTarget {
  const target: CommandTarget = { kind: 'command', command };
  if (paths !== undefined) knownPaths.set(target, paths);
  return target;
}

/** What is known of the paths of a command; undefined for a target that was made otherwise. */
export function knowledgeOf(target: CommandTarget): CommandPaths | undefined {
  return knownPaths.get(target);
}
