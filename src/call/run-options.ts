import { callerKind } from '../core/caller-kind.js';
import { defaultLimits, type LimitOverrides, type Limits } from '../core/limits.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { TurnOptions } from '../core/registry/toolkit.js';
import { mergeNumbers, resolveLimits } from '../core/resolve-limits.js';
import { having, kindOf, type OptionKinds, orFalse, signalKind, timersKind } from '../core/support/check-values.js';
import { systemTimers, type Timers } from '../core/support/timer.js';
import { createPermissions } from '../permissions/create-permissions.js';
import { assertNames } from '../permissions/misspelt-names.js';
import { createPolicy, resolvePolicy } from '../permissions/policy.js';
import type { PolicyConfig } from '../permissions/policy-config.js';
import type { DeadLetters } from '../ports/dead-letters.js';
import type { FileSystem } from '../ports/file-system.js';
import type { ToolHooks } from '../ports/hooks.js';
import type { OutputStore } from '../ports/output-store.js';
import type { PermissionMode, Permissions } from '../ports/permissions.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';
import type { Policy } from '../ports/policy.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { Scrubber } from '../ports/scrubber.js';
import type { ToolResolver } from '../ports/tool-resolver.js';
import { createScrubber } from '../secrets/scrubber.js';
import { type CompiledHooks, compileHooks, type HookPrograms } from './compile-hooks.js';
import type { Turns } from './in-flight.js';

/** How often an idempotent call is tried, and the pauses between the tries. */
export interface RetryOptions {
  /** Tries in all; 1 = no retry. Default 1. */
  readonly maxAttempts?: number | undefined;
  /** Upper bound of the first pause, in milliseconds; it doubles with each further pause. Default 500. */
  readonly baseMs?: number | undefined;
  /** Upper bound of any pause, in milliseconds. Default 30,000. */
  readonly maxMs?: number | undefined;
}

const noRetry = Object.freeze({ maxAttempts: 1, baseMs: 500, maxMs: 30_000 });

/** The part of the file system that permission rules need. */
export type Places = Pick<FileSystem, 'root' | 'resolve'>;

/** Settings for all turns of a program. Only `registry` is required; the defaults of the others are safe. */
export interface RunOptions {
  readonly registry: ToolRegistry;
  /** A mode name or an object with `check`. Default: mode `default` without a person to ask. */
  readonly permissions?: PermissionMode | Permissions | undefined;
  readonly hooks?: ToolHooks | undefined;
  /** Runs hooks that are shell lines; `createToolkit` provides it. */
  readonly hookPrograms?: HookPrograms | undefined;
  readonly rateLimiter?: RateLimiter | undefined;
  /** `false` switches scrubbing off. */
  readonly scrubber?: Scrubber | false | undefined;
  /**
   * A policy, or the configuration of one. Default: all tools for the main agent, and the tools that their depth allows
   * for subagents.
   */
  readonly policy?: Policy | PolicyConfig | undefined;
  readonly planMode?: PlanMode | undefined;
  readonly toolResolver?: ToolResolver | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly deadLetters?: DeadLetters | undefined;
  readonly outputStore?: OutputStore | undefined;
  readonly limits?: LimitOverrides | undefined;
  /** Calls at the same time; 1 = strictly one after the other. Default 10. */
  readonly concurrency?: number | undefined;
  /** Resolves the paths that tools act on, and is the base of relative rules; `createToolkit` provides it. */
  readonly places?: Places | undefined;
  /** Knows the running turns and can stop them; `createToolkit` provides it. */
  readonly turns?: Turns | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/**
 * The kinds of the options of a run. Options that are checked elsewhere, with their own message, accept anything here.
 */
export const runKinds: OptionKinds<RunOptions> = {
  registry: having('a ToolRegistry', 'snapshot'),
  permissions: kindOf.anything,
  hooks: kindOf.anything,
  hookPrograms: kindOf.record,
  rateLimiter: having('a rate limiter', 'take'),
  scrubber: orFalse(having('a scrubber', 'text')),
  policy: kindOf.anything,
  planMode: kindOf.anything,
  toolResolver: kindOf.callback,
  retry: kindOf.record,
  deadLetters: having('a store of dead letters', 'add'),
  outputStore: having('an output store', 'save'),
  limits: kindOf.record,
  concurrency: kindOf.anything,
  places: having('a file tree', 'resolve'),
  turns: having('what knows the turns', 'enter', 'leave'),
  timers: timersKind,
};

/** The kinds of the options of a turn. */
export const turnKinds: OptionKinds<TurnOptions> = {
  caller: callerKind,
  signal: signalKind,
  onEvent: kindOf.callback,
  timeoutMs: kindOf.milliseconds,
};

/** {@link RunOptions}, checked and completed once for all turns. */
export interface RunSettings {
  readonly registry: ToolRegistry;
  readonly permissions: Permissions;
  readonly hooks: CompiledHooks;
  readonly rateLimiter: RateLimiter | undefined;
  readonly scrubber: Scrubber | undefined;
  readonly policy: Policy;
  readonly planMode: PlanMode | undefined;
  readonly toolResolver: ToolResolver | undefined;
  readonly retry: Readonly<Record<keyof RetryOptions, number>>;
  readonly deadLetters: DeadLetters | undefined;
  readonly outputStore: OutputStore | undefined;
  readonly limits: Limits;
  readonly concurrency: number;
  readonly places: Places | undefined;
  /** True while the calls of an approved plan run. */
  readonly isApproved?: boolean | undefined;
  readonly turns: Turns | undefined;
  readonly timers: Timers;
}

/**
 * Checks options and fills in the defaults. Throws a TypeError for a mistake of the program: an unknown mode, a limit
 * that is not a number, an invalid matcher, a misspelt name in a policy.
 */
export function resolveSettings(options: RunOptions): RunSettings {
  assertPlanMode(options.planMode);
  const limits = options.limits === undefined ? defaultLimits : resolveLimits(options.limits);
  return {
    registry: options.registry,
    permissions: resolvePermissions(options.permissions),
    hooks: compileHooks(options.hooks, limits.call.hookTimeoutMs, options.hookPrograms),
    rateLimiter: options.rateLimiter,
    scrubber: options.scrubber === false ? undefined : (options.scrubber ?? createScrubber()),
    policy: policyOver(options.registry, limits.subagents.maxDepth, options.policy),
    planMode: options.planMode,
    toolResolver: options.toolResolver,
    retry: resolveRetry(options.retry),
    deadLetters: options.deadLetters,
    outputStore: options.outputStore,
    limits,
    concurrency: resolveConcurrency(options.concurrency ?? defaultConcurrency),
    places: options.places,
    turns: options.turns,
    timers: options.timers ?? systemTimers,
  };
}

/** Throws a TypeError for a plan mode without `isActive` or `add`: calls would run that a person wants to see first. */
export function assertPlanMode(planMode: PlanMode | undefined): void {
  if (planMode === undefined) return;
  if (typeof planMode?.isActive === 'boolean' && typeof planMode.add === 'function') return;
  throw new TypeError('planMode must have isActive, a boolean, and a method add(call), as createPlanMode() makes it');
}

function resolvePermissions(permissions: RunOptions['permissions'] = 'default'): Permissions {
  if (typeof permissions === 'string') return permissionsOfMode(permissions);
  if (typeof permissions?.check === 'function') return permissions;
  throw new TypeError(
    'permissions takes a mode name, what createPermissions({ allow, ask, deny }) gives, or what has a method check(request, scope)',
  );
}

/** Permissions made from a mode alone never change, so all turns share them. */
const permissionsOfMode = onceEach((mode: PermissionMode) => createPermissions({ mode }));

function policyOver(
  registry: ToolRegistry,
  maxDepth: number,
  given: Policy | PolicyConfig = policyOfDepth(maxDepth),
): Policy {
  const policy = resolvePolicy(given, { catalogue: registry, maxDepth });
  const { names = [] } = policy as { readonly names?: readonly string[] };
  if (!checked.has(policy)) assertNames('A policy', names, registry, 'write its name with a star behind it');
  checked.add(policy);
  return policy;
}

/** The policies whose names were checked, so that this happens once and not in each turn. */
const checked = new WeakSet<Policy>();

/** The default policy, which only denies tools by depth. */
const policyOfDepth = onceEach((maxDepth: number) => createPolicy({}, { maxDepth }));

function onceEach<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

function resolveRetry(retry: RetryOptions | undefined): RunSettings['retry'] {
  if (retry === undefined) return noRetry;
  const merged = mergeNumbers('retry', noRetry, { ...retry });
  if (merged.maxAttempts >= 1 && merged.maxAttempts !== Number.POSITIVE_INFINITY) return merged;
  throw new TypeError(`retry.maxAttempts must be a whole number from 1 up, not ${merged.maxAttempts}`);
}

const defaultConcurrency = 10;

function resolveConcurrency(concurrency: number): number {
  if (Number.isInteger(concurrency) && concurrency >= 1) return concurrency;
  if (concurrency === Number.POSITIVE_INFINITY) return concurrency;
  throw new TypeError(`concurrency must be a whole number from 1 up, not ${JSON.stringify(concurrency)}`);
}
