import { assertKnownKeys } from '../core/known-keys.js';
import type { HookRunner } from '../host/hook-runner.js';
import type {
  Hook,
  HookEntry,
  PostToolUseAnswer,
  PostToolUseEvent,
  PostToolUseFailureAnswer,
  PostToolUseFailureEvent,
  PreToolUseAnswer,
  PreToolUseEvent,
  ToolHooks,
} from '../host/hooks.js';
import { commandHook, type HookEventName } from './command-hook.js';

/** One hook with its time and the tools it is for. */
export interface CompiledHook<Event, Answer> {
  readonly hook: Hook<Event, Answer>;
  readonly timeoutMs: number;
  matches(tool: string): boolean;
}

/** What runs hooks that are programs, and where. */
export interface HookPrograms {
  readonly runner: HookRunner;
  readonly cwd: string;
}

/** All hooks of a program, flat and in order. */
export interface CompiledHooks {
  readonly before: readonly CompiledHook<PreToolUseEvent, PreToolUseAnswer>[];
  readonly after: readonly CompiledHook<PostToolUseEvent, PostToolUseAnswer>[];
  readonly afterFailure: readonly CompiledHook<PostToolUseFailureEvent, PostToolUseFailureAnswer>[];
  readonly denyOnError: boolean;
}

const none: CompiledHooks = { before: [], after: [], afterFailure: [], denyOnError: true };

const eventKeys = {
  PreToolUse: true,
  PostToolUse: true,
  PostToolUseFailure: true,
  onHookError: true,
  onSessionEnd: true,
} satisfies Record<keyof ToolHooks, true>;
const entryKeys = { matcher: true, timeoutMs: true, hooks: true, command: true } satisfies Record<keyof HookEntry<unknown, unknown>, true>;

/**
 * Flattens hooks and compiles their matchers. Throws a TypeError for whatever would guard nothing: an unknown key, a matcher
 * that is no regular expression in text, a time that is no number from 0 up (0 = none), a hook that is no function.
 */
export function compileHooks(hooks: ToolHooks | undefined, timeoutMs: number, programs: HookPrograms | undefined): CompiledHooks {
  if (hooks === undefined) return none;
  if (!isObject(hooks)) throw new TypeError('hooks must be an object of lists: PreToolUse, PostToolUse, PostToolUseFailure');
  assertKnownKeys('hooks', hooks, eventKeys);
  const { onHookError = 'deny', onSessionEnd } = hooks;
  if (onSessionEnd !== undefined && typeof onSessionEnd !== 'function')
    throw new TypeError('hooks.onSessionEnd must be a function (sessionId)');
  if (onHookError !== 'deny' && onHookError !== 'allow') throw new TypeError('hooks.onHookError must be "deny" or "allow"');
  return {
    before: compileEntries('PreToolUse', hooks.PreToolUse, timeoutMs, programs),
    after: compileEntries('PostToolUse', hooks.PostToolUse, timeoutMs, programs),
    afterFailure: compileEntries('PostToolUseFailure', hooks.PostToolUseFailure, timeoutMs, programs),
    denyOnError: onHookError === 'deny',
  };
}

function compileEntries<Event, Answer>(
  name: HookEventName,
  entries: readonly HookEntry<Event, Answer>[] = [],
  timeoutMs: number,
  programs: HookPrograms | undefined,
): CompiledHook<Event, Answer>[] {
  if (!Array.isArray(entries)) throw new TypeError(`hooks.${name} must be a list of entries such as { matcher, hooks }`);
  return entries.flatMap((entry: HookEntry<Event, Answer>) => {
    if (!isObject(entry)) throw new TypeError(`hooks.${name}: each entry is an object such as { matcher, hooks }`);
    assertKnownKeys(`hooks.${name}`, entry, entryKeys);
    assertTimeout(name, entry.timeoutMs);
    const matches = compileMatcher(name, entry.matcher);
    return hooksOf(name, entry, programs).map((hook) => ({ hook, timeoutMs: entry.timeoutMs ?? timeoutMs, matches }));
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function assertTimeout(name: string, timeoutMs: unknown): void {
  if (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs >= 0)) return;
  throw new TypeError(`hooks.${name}: timeoutMs must be a number from 0 up, not ${String(timeoutMs)}`);
}

function hooksOf<Event, Answer>(
  name: HookEventName,
  { hooks, command }: HookEntry<Event, Answer>,
  programs: HookPrograms | undefined,
): readonly Hook<Event, Answer>[] {
  if (command === undefined) {
    if (Array.isArray(hooks) && hooks.every((hook) => typeof hook === 'function')) return hooks;
    throw new TypeError(`hooks.${name}: each entry needs hooks: a list of functions (event, scope), or command: a shell line`);
  }
  if (typeof command !== 'string' || command.trim() === '' || hooks !== undefined) {
    throw new TypeError(`hooks.${name}: command must be a shell line, in place of hooks`);
  }
  if (programs === undefined) throw new TypeError(`hooks.${name}: command needs hookPrograms, which createToolkit provides`);
  return [commandHook(name, command, programs.runner, programs.cwd) as unknown as Hook<Event, Answer>];
}

function compileMatcher(name: string, matcher: string | undefined): (tool: string) => boolean {
  if (matcher !== undefined && typeof matcher !== 'string') {
    throw new TypeError(`hooks.${name}: matcher must be the text of a regular expression, such as "Write|Edit"`);
  }
  if (matcher === undefined || matcher === '' || matcher === '*') return () => true;
  if (/^[\w-]+$/.test(matcher)) return (tool) => tool === matcher;
  try {
    const pattern = new RegExp(`^(?:${matcher})$`);
    return (tool) => pattern.test(tool);
  } catch (cause) {
    throw new TypeError(`hooks.${name}: matcher ${JSON.stringify(matcher)} is no regular expression`, { cause });
  }
}
