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

/** One hook with its time and the tools it is for. */
export interface CompiledHook<Event, Answer> {
  readonly hook: Hook<Event, Answer>;
  readonly timeoutMs: number;
  matches(tool: string): boolean;
}

/** All hooks of a program, flat and in order. */
export interface CompiledHooks {
  readonly before: readonly CompiledHook<PreToolUseEvent, PreToolUseAnswer>[];
  readonly after: readonly CompiledHook<PostToolUseEvent, PostToolUseAnswer>[];
  readonly afterFailure: readonly CompiledHook<PostToolUseFailureEvent, PostToolUseFailureAnswer>[];
  readonly denyOnError: boolean;
}

const none: CompiledHooks = { before: [], after: [], afterFailure: [], denyOnError: true };

/** Flattens hooks and compiles their matchers. Throws a TypeError for a matcher that is no regular expression or a hook that is no function. */
export function compileHooks(hooks: ToolHooks | undefined, timeoutMs: number): CompiledHooks {
  if (hooks === undefined) return none;
  return {
    before: compileEntries('PreToolUse', hooks.PreToolUse, timeoutMs),
    after: compileEntries('PostToolUse', hooks.PostToolUse, timeoutMs),
    afterFailure: compileEntries('PostToolUseFailure', hooks.PostToolUseFailure, timeoutMs),
    denyOnError: hooks.onHookError !== 'allow',
  };
}

function compileEntries<Event, Answer>(
  name: string,
  entries: readonly HookEntry<Event, Answer>[] = [],
  timeoutMs: number,
): CompiledHook<Event, Answer>[] {
  return entries.flatMap((entry) => {
    const matches = compileMatcher(name, entry.matcher);
    return entry.hooks.map((hook) => {
      if (typeof hook !== 'function') throw new TypeError(`hooks.${name}: each hook must be a function (event, scope)`);
      return { hook, timeoutMs: entry.timeoutMs ?? timeoutMs, matches };
    });
  });
}

function compileMatcher(name: string, matcher: string | undefined): (tool: string) => boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return () => true;
  try {
    const pattern = new RegExp(`^(?:${matcher})$`);
    return (tool) => pattern.test(tool);
  } catch (cause) {
    throw new TypeError(`hooks.${name}: matcher ${JSON.stringify(matcher)} is no regular expression`, { cause });
  }
}
