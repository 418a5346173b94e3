import * as z from 'zod/v4';
import {
  type CallScope,
  createPermissions,
  createScrubber,
  type ExecuteOptions,
  type PermissionRequest,
  type Permissions,
  Tool,
  type ToolCall,
  type ToolContext,
  ToolError,
  ToolRegistry,
} from '../../src/core.js';
import type { FakeTimers } from '../../src/testing/fake-timers.js';
import { never } from './pipeline.js';
import {
  type Decider,
  hostile,
  type Kind,
  kindOf,
  late,
  type ModelCaller,
  settlesTwice,
  type ToolName,
  thenable,
  toolNames,
} from './settlement-kinds.js';

const clockOf = (scope: { readonly caller: unknown }) => (scope.caller as ModelCaller).timers;
const shortMs = 1_000;

/** The value for `word`, or `other`. */
function chosen(word: string, other: unknown, answers: Partial<Record<Kind | ToolName, () => unknown>>): never {
  const found = (answers as Readonly<Record<string, (() => unknown) | undefined>>)[word];
  return (found === undefined ? other : found()) as never;
}

function fail(message: string): never {
  throw new Error(message);
}

/** Longer than any deadline of the model. */
export const tooLateMs = 300_000;

function act(input: { readonly kind: string }, context: ToolContext): unknown {
  const { timers, note, abort } = context.caller as ModelCaller;
  const execution = note('executed', context.callId);
  return chosen(input.kind, input.kind, {
    throws: () => fail('thrown'),
    failsAndAfterThrows: () => fail('thrown'),
    failsAndAfterHangs: () => fail('thrown'),
    letterThrows: () => fail('thrown'),
    letterHangs: () => fail('thrown'),
    throwsText: () => Promise.reject('text'),
    throwsNothing: () => Promise.reject(undefined),
    throwsHostile: () => {
      throw hostile();
    },
    hangs: () => never,
    hangsListening: () => (context.signal.aborted ? '' : never),
    cleansUp: () =>
      new Promise((resolve) =>
        context.signal.addEventListener('abort', () => timers.set(() => resolve('cleaned up'), 10)),
      ),
    rejectsLate: () => new Promise((_, reject) => timers.set(() => reject(new Error('late')), tooLateMs)),
    resolvesLate: () => late(timers, tooLateMs, 'late'),
    slow: () => late(timers, 50, 'slow'),
    answersNumber: () => 7,
    answersNothing: () => undefined,
    reportsLater: () => {
      timers.set(() => context.metadata({ title: 'too late' }), tooLateMs);
      return 'done';
    },
    settlesTwice: () => settlesTwice('first', 'second'),
    settlesThenThrows: () =>
      thenable((resolve) => {
        resolve('first');
        throw new Error('after it settled');
      }),
    settlesWithThenable: () => thenable((resolve) => resolve(settlesTwice('first', 'second'))),
    thenThrows: () => thenable(() => fail('then')),
    thenUnreadable: () => hostile(),
    thenNever: () => thenable(() => {}),
    abortsAndHangs: () => {
      abort();
      return never;
    },
    abortsAndListens: () => {
      abort();
      return context.signal.aborted ? never : 'not told';
    },
    abortsAndAnswers: () => {
      abort();
      return 'done';
    },
    failsOnce: () => {
      if (execution === 1) throw new ToolError('network_failed', 'once');
      return 'second try';
    },
  });
}

const brought = (name: Kind) =>
  Tool.define(name, {
    description: name,
    input: z.object({ kind: z.string() }),
    sideEffect: 'none',
    execute: act as never,
  });

const define = (name: ToolName) => {
  const sideEffect = name === 'Act' ? 'mutating' : 'none';
  return Tool.define(name, {
    description: name,
    input: z.object({ kind: z.string(), path: z.string() }),
    sideEffect,
    timeoutMs: shortMs,
    title: ({ kind }) => {
      if (kind === 'titleThrows') throw new Error('title');
      return kind;
    },
    footprint: ({ kind, path }) => {
      if (kind === 'footprintHangs') return never;
      if (kind === 'footprintRejects') return Promise.reject(new Error('footprint'));
      return sideEffect === 'none' ? { reads: [path], writes: 'nothing' } : { reads: [path], writes: [path] };
    },
    targets: ({ kind, path }) => {
      if (kind === 'targetsThrow') throw new Error('targets');
      return [{ kind: 'edit', path }];
    },
    verdict: ({ kind }) => {
      if (kind === 'verdictThrows') throw new Error('verdict');
      if (kind === 'verdictHangs') return never;
      return kind === 'verdictDenies' ? { behavior: 'deny', reason: 'no' } : undefined;
    },
    execute: act as never,
  });
};

const allow = { behavior: 'allow' };

const decide = (request: PermissionRequest, scope: CallScope): never => {
  (scope.caller as ModelCaller).note('asked', request.callId);
  return chosen(kindOf(request.input), allow, {
    denied: () => ({ behavior: 'deny', message: 'no' }),
    interrupts: () => ({ behavior: 'deny', message: 'no', interrupt: true }),
    permissionThrows: () => fail('callback'),
    permissionHangs: () => never,
    permissionLate: () => late(clockOf(scope), tooLateMs, allow),
    permissionMisspelt: () => ({ behaviour: 'allow' }),
    permissionNothing: () => Promise.resolve(undefined),
    permissionText: () => 'allowed',
    permissionYes: () => true,
    permissionHalfDenies: () => ({ behavior: 'deny' }),
    permissionTwice: () => settlesTwice({ behavior: 'deny', message: 'no' }, allow),
    permissionThenThrows: () => thenable(() => fail('then')),
    permissionRewrites: () => ({ ...allow, updatedInput: { kind: 'ok', path: '/b' } }),
    permissionRewritesToDenied: () => ({ ...allow, updatedInput: { kind: 'denied', path: '/b' } }),
    permissionRewritesForEver: () => ({
      ...allow,
      updatedInput: {
        kind: 'permissionRewritesForEver',
        path: `${(request.input as { readonly path: string }).path}/`,
      },
    }),
    permissionRewritesToNonsense: () => ({ ...allow, updatedInput: 7 }),
  });
};

const resolver: ExecuteOptions['toolResolver'] = (name, scope): never =>
  chosen(name, undefined, {
    resolverThrows: () => fail('resolver'),
    resolverRejects: () => Promise.reject(new Error('resolver')),
    resolverHangs: () => never,
    resolverLate: () => late(clockOf(scope), tooLateMs, brought('resolverLate')),
    resolverNonsense: () => ({ name }),
    resolverTwice: () => settlesTwice(brought('resolverTwice'), undefined),
    resolverBrings: () => Promise.resolve(brought('resolverBrings')),
  });

function before(input: unknown, timers: FakeTimers): unknown {
  return chosen(kindOf(input), undefined, {
    hookDenies: () => ({ decision: 'deny', reason: 'no' }),
    hookThrows: () => fail('hook'),
    hookHangs: () => never,
    hookLate: () => late(timers, tooLateMs, { decision: 'allow' }),
    hookDecidesNonsense: () => ({ decision: 'maybe' }),
    hookAnswersText: () => 'allow',
    hookAnswersList: () => [{ decision: 'allow' }],
    hookThenThrows: () => thenable(() => fail('then')),
    hookTwice: () => settlesTwice({ decision: 'allow' }, { decision: 'deny' }),
    hookRewrites: () => ({ updatedInput: { kind: 'ok', path: '/c' } }),
    hookRewritesToDenied: () => ({ updatedInput: { kind: 'denied', path: '/c' } }),
    hookRewritesToInvalid: () => ({ updatedInput: { kind: [7] } }),
    hookRewritesToText: () => ({ updatedInput: 'text' }),
  });
}

function after(input: unknown, timers: FakeTimers): unknown {
  return chosen(kindOf(input), undefined, {
    afterThrows: () => fail('after'),
    failsAndAfterThrows: () => fail('after'),
    afterHangs: () => never,
    failsAndAfterHangs: () => never,
    afterLate: () => late(timers, tooLateMs, { updatedOutput: 'late' }),
    afterNonsense: () => ({ updatedOutput: 7 }),
  });
}

interface HookedEvent {
  readonly callId: string;
  readonly input: unknown;
}

const hook = (decide: (input: unknown, timers: FakeTimers) => unknown, what?: 'asked') => ({
  hooks: [
    ({ callId, input }: HookedEvent, scope: { readonly caller: unknown }): never => {
      if (what !== undefined) (scope.caller as ModelCaller).note(what, callId);
      return decide(input, clockOf(scope)) as never;
    },
  ],
});

const rateLimiter = {
  take: ({ tool }: { readonly tool: string }, scope: { readonly caller: unknown }): never =>
    chosen(
      tool,
      { ok: true, remaining: 1 },
      {
        LimiterRefuses: () => ({ ok: false, retryAfterMs: 5 }),
        LimiterThrows: () => fail('store'),
        LimiterHangs: () => never,
        LimiterLate: () => late(clockOf(scope), tooLateMs, { ok: true, remaining: 1 }),
        LimiterNonsense: () => ({ ok: 'yes' }),
        LimiterSlow: () => late(clockOf(scope), 20, { ok: true, remaining: 1 }),
      },
    ),
};

const deadLetters = {
  add: ({ call }: { readonly call: ToolCall }): Promise<void> | void => {
    if (kindOf(call.input) === 'letterThrows') throw new Error('full');
    if (kindOf(call.input) === 'letterHangs') return never;
  },
};

/** Permissions of a run. */
export function permissionsOf(decider: Decider): Permissions {
  return decider === 'check' ? { check: decide } : createPermissions({ autoAllow: false, onAsk: decide });
}

/** Each run has its own registry, because the resolver adds tools to it. */
export function registryOfRun(): ToolRegistry {
  return registry.clone();
}

const registry = new ToolRegistry().register(...toolNames.map(define)).disable('Off');

/** Hosts that behave as the input says. They are made once; the caller carries the clock and the records of a run. */
export const options = {
  policy: { offers: ({ name }: { readonly name: string }) => name !== 'Hidden', explain: () => 'hidden' },
  toolResolver: resolver,
  hooks: { PreToolUse: [hook(before, 'asked')], PostToolUse: [hook(after)], PostToolUseFailure: [hook(after)] },
  rateLimiter,
  deadLetters,
  scrubber: createScrubber(),
  retry: { maxAttempts: 2, baseMs: 100 },
} as const satisfies Partial<ExecuteOptions>;
