import type { SideEffect } from './risk.js';
import { assertOptions, kindOf, type OptionKinds } from './support/option-kinds.js';

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

/** The gravest first. */
const gravest = Object.entries({
  execute: 'spawns',
  network: 'network',
  write: 'mutating',
  read: 'readonly',
} as const satisfies Record<PermissionCategory, SideEffect>);

/** The side effect of a tool that does not say one: that of the gravest category it requires; of none, `network`. */
export function sideEffectOf(permissions: ToolPermissions | undefined): SideEffect {
  const required: readonly string[] = permissions?.required ?? [];
  return gravest.find(([category]) => required.includes(category))?.[1] ?? 'network';
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
  assertOptions(`Tool ${name}: permissions`, permissions ?? {}, kinds);
  const { required = [categories[sideEffect]], optional = [] } = permissions ?? {};
  assertCategories(`Tool ${name}`, [...required, ...optional]);
  return Object.freeze({ required: Object.freeze([...required]), optional: Object.freeze([...optional]) });
}

const kinds: OptionKinds<ToolPermissions> = { required: kindOf.list, optional: kindOf.list };

/** Throws a TypeError for a word that is no category. */
export function assertCategories(what: string, categories: readonly unknown[]): void {
  for (const category of categories)
    if (!known.has(category))
      throw new TypeError(`${what}: permissions are read, write, execute and network, not ${String(category)}`);
}
