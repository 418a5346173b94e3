import type { SideEffect } from './risk.js';

/** What a tool needs to be allowed to do, in the four words in which many hosts grant it. */
export type PermissionCategory = 'read' | 'write' | 'execute' | 'network';

/** The categories a tool needs, and those that make it more useful where they are granted. */
export interface ToolPermissions {
  /** All of them must be granted. */
  readonly required: readonly PermissionCategory[];
  /** Default none. */
  readonly optional?: readonly PermissionCategory[];
}

const categories = {
  none: 'read',
  readonly: 'read',
  mutating: 'write',
  network: 'network',
  blocking: 'execute',
  spawns: 'execute',
} as const satisfies Record<SideEffect, PermissionCategory>;

const known: ReadonlySet<unknown> = new Set(Object.values(categories));

/**
 * The category that a tool is shown under: the first one it requires. A tool that requires nothing in particular counts
 * by its side effect: none and readonly read, mutating writes, network is network, spawns and blocking execute, since
 * what they start or stop is running work.
 */
export function permissionCategory(tool: {
  readonly sideEffect: SideEffect;
  readonly permissions?: ToolPermissions;
}): PermissionCategory {
  return tool.permissions?.required[0] ?? categories[tool.sideEffect];
}

/**
 * The permissions of a tool, completed and frozen. Default: its side effect's category. Throws a TypeError for a word
 * that is no category.
 */
export function toolPermissions(
  name: string,
  sideEffect: SideEffect,
  permissions?: ToolPermissions,
): Required<ToolPermissions> {
  const { required = [categories[sideEffect]], optional = [] } = permissions ?? {};
  const wrong = [...required, ...optional].find((category) => !known.has(category));
  if (wrong !== undefined)
    throw new TypeError(`Tool ${name}: permissions are read, write, execute and network, not ${String(wrong)}`);
  return Object.freeze({ required: Object.freeze([...required]), optional: Object.freeze([...optional]) });
}
