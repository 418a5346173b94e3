import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import * as z from 'zod/v4';
import {
  createScrubber,
  type ExecuteOptions,
  executeTools,
  Tool,
  type ToolCall,
  type ToolContext,
  ToolError,
  type ToolEvent,
  ToolRegistry,
  type ToolRun,
} from '../../src/core.js';
import { FakeTimers, never } from './pipeline.js';
import { expected, hostile, type Kind, kindOf, kinds, late, type ModelCaller, settlesTwice, type ToolName, thenable } from './settlement-kinds.js';

/** A turn and what is done to it. */
export interface Schedule {
  readonly kinds: readonly Kind[];
  readonly tools: readonly ToolName[];
  /** The event at which the turn is aborted; -1 = before it starts, 99 = never. */
  readonly abortAt: number;
  /** The moment at which it is aborted, in milliseconds; Infinity = never. */
  readonly abortAtMs: number;
  readonly concurrency: number;
  /** Whether the listener throws, or rejects. */
  readonly listener: 'listens' | 'throws' | 'rejects';
}

const toolNames: readonly ToolName[] = ['Look', 'Look', 'Look', 'Act', 'Act', 'Act', 'Hidden', 'Off'];

/** Any turn of up to eight calls, of every kind, aborted at any event or moment or not at all. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  kinds: fc.array(fc.constantFrom(...(Object.keys(kinds) as Kind[])), { maxLength: 8 }),
  tools: fc.array(fc.constantFrom(...toolNames), { minLength: 8, maxLength: 8 }),
  abortAt: fc.oneof({ weight: 3, arbitrary: fc.constant(99) }, fc.integer({ min: -1, max: 12 })),
  abortAtMs: fc.oneof({ weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat({ max: 200_000 })),
  concurrency: fc.constantFrom(1, 2, 10),
  listener: fc.constantFrom('listens', 'throws', 'rejects'),
});

const clockOf = (scope: { readonly caller: unknown }) => (scope.caller as ModelCaller).timers;
const shortMs = 1_000;
const tooLateMs = 300_000;

function act(input: { readonly kind: string }, context: ToolContext): unknown {
  const timers = clockOf(context);
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
      return new Promise((resolve) => context.signal.addEventListener('abort', () => timers.set(() => resolve('cleaned up'), 10)));
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
    case 'failsOnce': {
      const { failed } = context.caller as ModelCaller;
      if (failed.has(context.callId)) return 'second try';
      failed.add(context.callId);
      throw new ToolError('network_failed', 'once');
    }
    default:
      return input.kind;
  }
}

const define = (name: ToolName, sideEffect: 'none' | 'mutating') =>
  Tool.define(name, {
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

const allow = { behavior: 'allow' };

const permissions: ExecuteOptions['permissions'] = {
  check: (request, scope): never => {
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
          return { ...allow, updatedInput: { kind: 'permissionRewritesForEver', path: `${(request.input as { readonly path: string }).path}/` } };
        case 'permissionRewritesToNonsense':
          return { ...allow, updatedInput: 7 };
        default:
          return allow;
      }
    };
    return answer() as never;
  },
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

const hook = (decide: (input: unknown, timers: FakeTimers) => unknown) => ({
  hooks: [(event: { readonly input: unknown }, scope: { readonly caller: unknown }): never => decide(event.input, clockOf(scope)) as never],
});

// The limiter is told the tool and the session, so the call that is next to pay leaves its kind here.
const rateLimiter = {
  take: ({ key }: { readonly key: string }, scope: { readonly caller: unknown }): never => {
    const take = (): unknown => {
      switch (key as Kind) {
        case 'limiterRefuses':
          return { ok: false, retryAfterMs: 5 };
        case 'limiterThrows':
          throw new Error('store');
        case 'limiterHangs':
          return never;
        case 'limiterNonsense':
          return { ok: 'yes' };
        case 'limiterLate':
          return late(clockOf(scope), tooLateMs, { ok: true, remaining: 1 });
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
