import type { ToolRegistry } from '../core/registry/registry.js';
import { assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/check-values.js';
import type {
  Hook,
  HookEntry,
  PostToolUseEvent,
  PostToolUseFailureEvent,
  PreToolUseEvent,
  ToolHooks,
} from '../ports/hooks.js';
import { commandHook, type HookEventName, type HookPrograms } from './command-hook.js';

/** A hook with its time limit and its matcher. */
export interface CompiledHook<Event> {
  readonly hook: Hook<Event, unknown>;
  readonly timeoutMs: number;
  /** The matcher as it was written; undefined for all tools. */
  readonly matcher: string | undefined;
  /** The alternatives of the matcher that are plain names, such as those in `^(Write|Edit)$`. */
  readonly words: readonly string[];
  /** Whether the hook runs for a tool. A matcher that contains only plain names also matches aliases. */
  matches(tool: string, known: Pick<ToolRegistry, 'aliasesOf'>): boolean;
}

/** All hooks of a program by event, in order. */
export interface CompiledHooks {
  readonly before: readonly CompiledHook<PreToolUseEvent>[];
  readonly after: readonly CompiledHook<PostToolUseEvent>[];
  readonly afterFailure: readonly CompiledHook<PostToolUseFailureEvent>[];
  readonly denyOnError: boolean;
}

const none: CompiledHooks = { before: [], after: [], afterFailure: [], denyOnError: true };

const eventKinds: OptionKinds<ToolHooks> = {
  PreToolUse: kindOf.list,
  PostToolUse: kindOf.list,
  PostToolUseFailure: kindOf.list,
  onHookError: oneOf('deny', 'allow'),
  onSessionEnd: kindOf.callback,
  onAgentEnd: kindOf.callback,
};
const { anything } = kindOf;
const entryKinds: OptionKinds<HookEntry<unknown, unknown>> = {
  matcher: anything,
  timeoutMs: kindOf.milliseconds,
  hooks: anything,
  command: anything,
};

/**
 * Flattens hooks and compiles their matchers. Throws a TypeError for a mistake that could leave calls unguarded: an
 * unknown key, a matcher that is not the text of a regular expression, a hook that is not a function, or a time limit
 * that is not a number from 0 up (0 = no limit).
 */
export function compileHooks(
  hooks: ToolHooks | undefined,
  timeoutMs: number,
  programs: HookPrograms | undefined,
): CompiledHooks {
  if (hooks === undefined) return none;
  assertOptions('hooks', hooks, eventKinds);
  return {
    before: compileEntries('PreToolUse', hooks.PreToolUse, timeoutMs, programs),
    after: compileEntries('PostToolUse', hooks.PostToolUse, timeoutMs, programs),
    afterFailure: compileEntries('PostToolUseFailure', hooks.PostToolUseFailure, timeoutMs, programs),
    denyOnError: hooks.onHookError !== 'allow',
  };
}

function compileEntries<Event>(
  name: HookEventName,
  entries: readonly HookEntry<Event, unknown>[] = [],
  timeoutMs: number,
  programs: HookPrograms | undefined,
): CompiledHook<Event>[] {
  return entries.flatMap((entry) => {
    assertOptions(`hooks.${name}`, entry, entryKinds);
    const { matcher } = entry;
    const rest = { timeoutMs: entry.timeoutMs ?? timeoutMs, matcher, ...compileMatcher(name, matcher) };
    return hooksOf(name, entry, programs).map((hook) => ({ hook, ...rest }));
  });
}

function hooksOf<Event>(
  name: HookEventName,
  { hooks, command }: HookEntry<Event, unknown>,
  programs: HookPrograms | undefined,
): readonly Hook<Event, unknown>[] {
  if (command === undefined) {
    if (Array.isArray(hooks) && hooks.every((hook) => typeof hook === 'function')) return hooks;
    throw new TypeError(
      `hooks.${name}: each entry needs hooks: a list of functions (event, scope), or command: a shell command`,
    );
  }
  if (typeof command !== 'string' || command.trim() === '' || hooks !== undefined) {
    throw new TypeError(`hooks.${name}: an entry has hooks or command, not both; command is a shell command`);
  }
  if (programs === undefined)
    throw new TypeError(
      `hooks.${name}: command works only in createToolkit; pass hooks, a list of functions (event, scope)`,
    );
  return [commandHook(name, command, programs) as unknown as Hook<Event, unknown>];
}

function compileMatcher(name: string, matcher: string | undefined): Pick<CompiledHook<unknown>, 'words' | 'matches'> {
  if (matcher !== undefined && typeof matcher !== 'string') {
    throw new TypeError(`hooks.${name}: matcher must be the text of a regular expression, such as "Write|Edit"`);
  }
  if (matcher === undefined || matcher === '' || matcher === '*') return { words: [], matches: () => true };
  try {
    const pattern = new RegExp(`^(?:${matcher})$`, 'i');
    const parts = matcher.split('|').map((part) => part.replaceAll(/^\^?(?:\((?:\?:)?)?\^?|\$?\)?\$?$/g, ''));
    const words = parts.filter((part) => /^[\w-]+$/.test(part));
    const isNames = words.length === parts.length;
    return {
      words,
      matches: (tool, known) =>
        pattern.test(tool) || (isNames && known.aliasesOf(tool).some((alias) => pattern.test(alias))),
    };
  } catch {
    throw new TypeError(`hooks.${name}: matcher ${JSON.stringify(matcher)} is not a regular expression`);
  }
}
