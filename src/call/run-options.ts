import { callerKind } from '../core/check-caller.js';
import { defaultLimits, type LimitOverrides, type Limits } from '../core/limits.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { TurnOptions } from '../core/registry/turn-options.js';
import { mergeNumbers, resolveLimits } from '../core/resolve-limits.js';
import {
  having,
  kindOf,
  type OptionKind,
  type OptionKinds,
  type OptionsOf,
  orFalse,
  signalKind,
  timersKind,
} from '../core/support/check-values.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
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
import type { HookPrograms } from './command-hook.js';
import { type CompiledHooks, compileHooks } from './compile-hooks.js';
import type { Turns } from './in-flight.js';

/** How often an idempotent call is tried, and the pauses between the tries. */
export interface RetryOptions {
  /** The maximum number of tries; 1 means no retry. Default 1. */
  readonly maxAttempts?: number | undefined;
  /** Upper bound of the first pause, in milliseconds; it doubles with each further pause. Default 500. */
  readonly baseMs?: number | undefined;
  /** Upper bound of any pause, in milliseconds. Default 30,000. */
  readonly maxMs?: number | undefined;
}

const noRetry = Object.freeze({ maxAttempts: 1, baseMs: 500, maxMs: 30_000 });

/** The part of the file system that permission rules need. */
export type Places = Pick<FileSystem, 'root' | 'resolve'>;

const decider = having('permissions', 'check');

/** The options that `executeTools` and `createToolkit` share. Some are checked elsewhere, with their own message. */
export const sharedKinds = {
  /** A mode, a result of `createPermissions`, or any object with `check`. Default: mode `default` without `onAsk`. */
  permissions: {
    takes:
      'a mode name, the result of createPermissions({ allow, ask, deny }), or an object with a method check(request, scope)',
    holds: (value) => typeof value === 'string' || decider.holds(value),
  } as OptionKind<PermissionMode | Permissions>,
  /** Hooks that run before and after each call and may change or deny it. Default none. */
  hooks: kindOf.anything as OptionKind<ToolHooks>,
  /**
   * A policy or its configuration. Default: all tools for the main agent; for subagents, the tools that their depth
   * allows.
   */
  policy: kindOf.anything as OptionKind<Policy | PolicyConfig>,
  /**
   * Tracks the sessions in plan mode and queues their calls. Default: `createPlanMode()` in a toolkit, none in
   * `executeTools`.
   */
  planMode: kindOf.anything as OptionKind<PlanMode>,
  /** Limits the rate of calls, such as `createRateLimiter({ max: 100 })`. Default: no limit. */
  rateLimiter: having('a rate limiter', 'take') as OptionKind<RateLimiter>,
  /**
   * Removes credentials from everything that leaves a call; `false` disables it. Default: `createScrubber()`; in a
   * toolkit, it also knows the keys of `hosts.search`.
   */
  scrubber: orFalse(having('a scrubber', 'text')) as OptionKind<Scrubber | false>,
  /** How often a failed call of an idempotent tool is tried. Default: once. */
  retry: kindOf.record as OptionKind<RetryOptions>,
  /** Stores calls that still fail after `retry`, such as `createDeadLetters()`. Default: not stored. */
  deadLetters: having('a store of dead letters', 'add') as OptionKind<DeadLetters>,
  /** Finds or creates a tool whose name the registry does not have. Default: the call fails with `unknown_tool`. */
  toolResolver: kindOf.callback as OptionKind<ToolResolver>,
  /**
   * Overrides of `defaultLimits` by group, such as `{ bash: { timeoutMs: 60_000 } }`: durations in milliseconds, sizes
   * in bytes or characters. Default: none.
   */
  limits: kindOf.record as OptionKind<LimitOverrides>,
  /** The number of concurrent calls; 1 runs them one after the other. Default 10. */
  concurrency: kindOf.anything as OptionKind<number>,
  /**
   * Clock and timers of calls, commands, tasks, searches and the web, for tests. Default: the clock and timers of the
   * platform.
   */
  timers: timersKind as OptionKind<Timers>,
};

export const runKinds = {
  registry: having('a ToolRegistry', 'snapshot') as OptionKind<ToolRegistry>,
  ...sharedKinds,
  /** Saves the full text of outputs that are too long for a result. Default: the outputs are only cut. */
  outputStore: having('an output store', 'save') as OptionKind<OutputStore>,
};

/** Settings for all turns of a program. Only `registry` is required; the defaults of the others are safe. */
export interface RunOptions extends OptionsOf<typeof runKinds> {
  readonly registry: ToolRegistry;
}

/** The parts of a run that only a toolkit has. */
export interface ToolkitParts {
  /** Runs hooks that are shell commands. */
  readonly hookPrograms?: HookPrograms | undefined;
  /** Resolves the paths that tools act on. Its root is the base of relative rules. */
  readonly places?: Places | undefined;
  /** Knows the running turns and can stop them. */
  readonly turns?: Turns | undefined;
}

export const turnKinds: OptionKinds<TurnOptions> = {
  caller: callerKind,
  signal: signalKind,
  onEvent: kindOf.callback,
  timeoutMs: kindOf.milliseconds,
};

/** {@link RunOptions}, checked and completed once for all turns. */
export interface RunSettings extends Omit<RunOptions, 'hooks'>, Omit<ToolkitParts, 'hookPrograms'> {
  readonly permissions: Permissions;
  readonly hooks: CompiledHooks;
  readonly scrubber: Scrubber | undefined;
  readonly policy: Policy;
  readonly retry: Readonly<Record<keyof RetryOptions, number>>;
  readonly limits: Limits;
  readonly concurrency: number;
  readonly timers: Timers;
  /** True while the calls of an approved plan run. */
  readonly isApproved?: boolean;
}

/**
 * Checks options and fills in the defaults. Throws a TypeError for a mistake of the program: an unknown mode, a limit
 * that is not a number, an invalid matcher, a misspelt name in a policy.
 */
export function resolveSettings(options: RunOptions, parts: ToolkitParts = {}): RunSettings {
  const { permissions = 'default' } = options;
  assertPlanMode(options.planMode);
  const limits = options.limits === undefined ? defaultLimits : resolveLimits(options.limits);
  return {
    registry: options.registry,
    permissions: typeof permissions === 'string' ? permissionsOfMode(permissions) : permissions,
    hooks: compileHooks(options.hooks, limits.call.hookTimeoutMs, parts.hookPrograms),
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
    places: parts.places,
    turns: parts.turns,
    timers: options.timers ?? systemTimers,
  };
}

/**
 * Throws a TypeError for a plan mode without `isActive` or `add`, because calls would run before a person approves the
 * plan.
 */
export function assertPlanMode(planMode: PlanMode | undefined): void {
  if (planMode === undefined) return;
  if (typeof planMode?.isActive === 'boolean' && typeof planMode.add === 'function') return;
  throw new TypeError('planMode must have isActive, a boolean, and a method add(call), as createPlanMode() makes it');
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
  if (!checked.has(policy)) assertNames('A policy', names, [registry], 'add a star to its name in the policy');
  checked.add(policy);
  return policy;
}

/** The policies whose names were checked, so that the check does not repeat in each turn. */
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
