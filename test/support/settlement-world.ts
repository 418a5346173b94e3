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
import { type FakeTimers, never } from './pipeline.js';
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
/** Longer than any deadline of the model. */
export const tooLateMs = 300_000;

function act(input: { readonly kind: string }, context: ToolContext): unknown {
  const { timers, note, abort } = context.caller as ModelCaller;
  const execution = note('executed', context.callId);
  switch (input.kind as Kind) {
    case 'throws':
    case 'failsAndAfterThrows':
    case 'failsAndAfterHangs':
    case 'letterThrows':
    case 'letterHangs':
      throw new Error('thrown');
    case 'throwsText':
      return Promise.reject('text');
    case 'throwsNothing':
      return Promise.reject(undefined);
    case 'throwsHostile':
      throw hostile();
    case 'hangs':
      return never;
    case 'hangsListening':
      return context.signal.aborted ? '' : never;
    case 'cleansUp':
      return new Promise((resolve) =>
        context.signal.addEventListener('abort', () => timers.set(() => resolve('cleaned up'), 10)),
      );
    case 'rejectsLate':
      return new Promise((_, reject) => timers.set(() => reject(new Error('late')), tooLateMs));
    case 'resolvesLate':
      return late(timers, tooLateMs, 'late');
    case 'slow':
      return late(timers, 50, 'slow');
    case 'answersNumber':
      return 7;
    case 'answersNothing':
      return undefined;
    case 'reportsLater':
      timers.set(() => context.metadata({ title: 'too late' }), tooLateMs);
      return 'done';
    case 'settlesTwice':
      return settlesTwice('first', 'second');
    case 'settlesThenThrows':
      return thenable((resolve) => {
        resolve('first');
        throw new Error('after it settled');
      });
    case 'settlesWithThenable':
      return thenable((resolve) => resolve(settlesTwice('first', 'second')));
    case 'thenThrows':
      return thenable(() => {
        throw new Error('then');
      });
    case 'thenUnreadable':
      return hostile();
    case 'thenNever':
      return thenable(() => {});
    case 'abortsAndHangs':
      abort();
      return never;
    case 'abortsAndListens':
      abort();
      return context.signal.aborted ? never : 'not told';
    case 'abortsAndAnswers':
      abort();
      return 'done';
    case 'failsOnce':
      if (execution === 1) throw new ToolError('network_failed', 'once');
      return 'second try';
    default:
      return input.kind;
  }
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
  const answer = (): unknown => {
    switch (kindOf(request.input)) {
      case 'denied':
        return { behavior: 'deny', message: 'no' };
      case 'interrupts':
        return { behavior: 'deny', message: 'no', interrupt: true };
      case 'permissionThrows':
        throw new Error('callback');
      case 'permissionHangs':
        return never;
      case 'permissionLate':
        return late(clockOf(scope), tooLateMs, allow);
      case 'permissionMisspelt':
        return { behaviour: 'allow' };
      case 'permissionNothing':
        return Promise.resolve(undefined);
      case 'permissionText':
        return 'allow';
      case 'permissionYes':
        return true;
      case 'permissionHalfDenies':
        return { behavior: 'deny' };
      case 'permissionTwice':
        return settlesTwice({ behavior: 'deny', message: 'no' }, allow);
      case 'permissionThenThrows':
        return thenable(() => {
          throw new Error('then');
        });
      case 'permissionRewrites':
        return { ...allow, updatedInput: { kind: 'ok', path: '/b' } };
      case 'permissionRewritesToDenied':
        return { ...allow, updatedInput: { kind: 'denied', path: '/b' } };
      case 'permissionRewritesForEver':
        return {
          ...allow,
          updatedInput: {
            kind: 'permissionRewritesForEver',
            path: `${(request.input as { readonly path: string }).path}/`,
          },
        };
      case 'permissionRewritesToNonsense':
        return { ...allow, updatedInput: 7 };
      default:
        return allow;
    }
  };
  return answer() as never;
};

const resolver: ExecuteOptions['toolResolver'] = (name, scope): never => {
  const resolve = (): unknown => {
    switch (name as Kind) {
      case 'resolverThrows':
        throw new Error('resolver');
      case 'resolverRejects':
        return Promise.reject(new Error('resolver'));
      case 'resolverHangs':
        return never;
      case 'resolverLate':
        return late(clockOf(scope), tooLateMs, brought('resolverLate'));
      case 'resolverNonsense':
        return { name };
      case 'resolverTwice':
        return settlesTwice(brought('resolverTwice'), undefined);
      case 'resolverBrings':
        return Promise.resolve(brought('resolverBrings'));
      default:
        return undefined;
    }
  };
  return resolve() as never;
};

function before(input: unknown, timers: FakeTimers): unknown {
  switch (kindOf(input)) {
    case 'hookDenies':
      return { decision: 'deny', reason: 'no' };
    case 'hookThrows':
      throw new Error('hook');
    case 'hookHangs':
      return never;
    case 'hookLate':
      return late(timers, tooLateMs, { decision: 'allow' });
    case 'hookDecidesNonsense':
      return { decision: 'maybe' };
    case 'hookAnswersText':
      return 'allow';
    case 'hookAnswersList':
      return [{ decision: 'allow' }];
    case 'hookThenThrows':
      return thenable(() => {
        throw new Error('then');
      });
    case 'hookTwice':
      return settlesTwice({ decision: 'allow' }, { decision: 'deny' });
    case 'hookRewrites':
      return { updatedInput: { kind: 'ok', path: '/c' } };
    case 'hookRewritesToDenied':
      return { updatedInput: { kind: 'denied', path: '/c' } };
    case 'hookRewritesToInvalid':
      return { updatedInput: { kind: [7] } };
    case 'hookRewritesToText':
      return { updatedInput: 'text' };
    default:
      return undefined;
  }
}

function after(input: unknown, timers: FakeTimers): unknown {
  switch (kindOf(input)) {
    case 'afterThrows':
    case 'failsAndAfterThrows':
      throw new Error('after');
    case 'afterHangs':
    case 'failsAndAfterHangs':
      return never;
    case 'afterLate':
      return late(timers, tooLateMs, { updatedOutput: 'late' });
    case 'afterNonsense':
      return { updatedOutput: 7 };
    default:
      return undefined;
  }
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
  take: ({ tool }: { readonly tool: string }, scope: { readonly caller: unknown }): never => {
    const take = (): unknown => {
      switch (tool as ToolName) {
        case 'LimiterRefuses':
          return { ok: false, retryAfterMs: 5 };
        case 'LimiterThrows':
          throw new Error('store');
        case 'LimiterHangs':
          return never;
        case 'LimiterLate':
          return late(clockOf(scope), tooLateMs, { ok: true, remaining: 1 });
        case 'LimiterNonsense':
          return { ok: 'yes' };
        case 'LimiterSlow':
          return late(clockOf(scope), 20, { ok: true, remaining: 1 });
        default:
          return { ok: true, remaining: 1 };
      }
    };
    return take() as never;
  },
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

/** A registry of a run, since the resolver adds to it. */
export function registryOfRun(): ToolRegistry {
  return registry.clone();
}

const registry = new ToolRegistry().register(...toolNames.map(define)).disable('Off');

/** Hosts that do what the input asks for, made once; the clock and the notes of a run come with its caller. */
export const options = {
  policy: { offers: ({ name }: { readonly name: string }) => name !== 'Hidden', explain: () => 'hidden' },
  toolResolver: resolver,
  hooks: { PreToolUse: [hook(before, 'asked')], PostToolUse: [hook(after)], PostToolUseFailure: [hook(after)] },
  rateLimiter,
  deadLetters,
  scrubber: createScrubber(),
  retry: { maxAttempts: 2, baseMs: 100 },
} as const satisfies Partial<ExecuteOptions>;
