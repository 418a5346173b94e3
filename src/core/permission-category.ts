import type { SideEffect } from './risk.js';
import { assertOptions, kindOf, type OptionKinds } from './support/check-values.js';

/** One of the four kinds of permission that many hosts grant. */
export type PermissionCategory = 'read' | 'write' | 'execute' | 'network';

/** The categories that a tool needs, and optional categories that make the tool more useful where they are granted. */
export interface ToolPermissions {
  /** All of these categories must be granted. */
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
 * The category of a tool: the first required category. Without required categories the side effect decides: none and
 * readonly give read, mutating gives write, network gives network; spawns and blocking give execute, since they start
 * or stop running work.
 */
export function permissionCategory(tool: {
  readonly sideEffect: SideEffect;
  readonly permissions?: ToolPermissions;
}): PermissionCategory {
  return tool.permissions?.required[0] ?? categories[tool.sideEffect];
}

const strongestFirst = Object.entries({
  execute: 'spawns',
  network: 'network',
  write: 'mutating',
  read: 'readonly',
} as const satisfies Record<PermissionCategory, SideEffect>);

/**
 * The default side effect of a tool: the side effect of its strongest required category, or `network` if it requires
 * none.
 */
export function sideEffectOf(permissions: ToolPermissions | undefined): SideEffect {
  const required: readonly string[] = permissions?.required ?? [];
  return strongestFirst.find(([category]) => required.includes(category))?.[1] ?? 'network';
}

/**
 * The permissions of a tool, completed and frozen. Default: the category of the side effect. Throws a TypeError for a
 * word that is not a category.
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

/** Throws a TypeError for a word that is not a category. */
export function assertCategories(what: string, categories: readonly unknown[]): void {
  for (const category of categories)
    if (!known.has(category))
      throw new TypeError(`${what}: permissions are read, write, execute and network, not ${String(category)}`);
}
