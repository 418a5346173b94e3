import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { executeTools, Tool, type ToolCall, type ToolErrorCode, type ToolEvent, ToolRegistry, type ToolRun } from '../../src/core.js';
import { FakeTimers, never } from '../support/pipeline.js';

// What a call of each kind must come to when nothing stops the turn; undefined = ok.
const kinds = {
  ok: undefined,
  slow: undefined,
  unknown: 'unknown_tool',
  invalid: 'invalid_input',
  throws: 'execution_failed',
  throwsText: 'execution_failed',
  rejectsLate: 'timeout',
  hangs: 'timeout',
  hangsListening: 'timeout',
  denied: 'permission_denied',
  permissionThrows: 'permission_denied',
  permissionHangs: 'permission_denied',
  permissionNonsense: 'permission_denied',
  interrupts: 'permission_denied',
  permissionRewrites: undefined,
  permissionRewritesToDenied: 'permission_denied',
  hookDenies: 'denied_by_hook',
  hookThrows: 'denied_by_hook',
  hookHangs: 'denied_by_hook',
  hookNonsense: 'denied_by_hook',
  hookRewrites: undefined,
  hookRewritesToDenied: 'permission_denied',
  hookRewritesToInvalid: 'invalid_input',
  afterThrows: undefined,
  afterHangs: undefined,
} as const satisfies Record<string, ToolErrorCode | undefined>;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

interface Plan {
  readonly kinds: readonly Kind[];
  readonly writes: readonly boolean[];
  /** The event at which the turn is aborted; -1 = before it starts, 99 = never. */
  readonly abortAt: number;
  readonly concurrency: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kinds: fc.array(fc.constantFrom(...kindNames), { maxLength: 8 }),
  writes: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  abortAt: fc.oneof({ weight: 3, arbitrary: fc.constant(99) }, fc.integer({ min: -1, max: 12 })),
  concurrency: fc.constantFrom(1, 2, 10),
});

const kindOf = (input: unknown) => (input as { readonly kind?: Kind }).kind;

function act(timers: FakeTimers) {
  return (input: { readonly kind: string }, { signal }: { readonly signal: AbortSignal }): Promise<string> => {
    switch (input.kind as Kind) {
      case 'throws':
        throw new Error('thrown');
      case 'throwsText':
        return Promise.reject('text');
      case 'hangs':
        return never;
      case 'hangsListening':
        return signal.aborted ? Promise.resolve('') : never;
      case 'rejectsLate':
        return new Promise((_, reject) => timers.set(() => reject(new Error('late')), 5_000));
      case 'slow':
        return new Promise((resolve) => timers.set(() => resolve('slow'), 50));
      default:
        return Promise.resolve(input.kind);
    }
  };
}

function options(timers: FakeTimers, concurrency: number) {
  const schema = z.object({ kind: z.string(), path: z.string() });
  const define = (name: string, sideEffect: 'none' | 'mutating') =>
    Tool.define(name, { description: name, input: schema, sideEffect, timeoutMs: 1_000, execute: act(timers) });
  return {
    registry: new ToolRegistry().register(define('Look', 'none'), define('Act', 'mutating')),
    timers,
    concurrency,
    permissions: {
      check: async ({ input }: { readonly input: unknown }) => {
        switch (kindOf(input)) {
          case 'denied':
            return { behavior: 'deny' as const, message: 'no' };
          case 'interrupts':
            return { behavior: 'deny' as const, message: 'no', interrupt: true };
          case 'permissionThrows':
            throw new Error('callback');
          case 'permissionHangs':
            return never;
          case 'permissionNonsense':
            return { behaviour: 'allow' } as never;
          case 'permissionRewrites':
            return { behavior: 'allow' as const, updatedInput: { kind: 'ok', path: '/b' } };
          case 'permissionRewritesToDenied':
            return { behavior: 'allow' as const, updatedInput: { kind: 'denied', path: '/b' } };
          default:
            return { behavior: 'allow' as const };
        }
      },
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async ({ input }: { readonly input: unknown }) => {
              switch (kindOf(input)) {
                case 'hookDenies':
                  return { decision: 'deny' as const, reason: 'no' };
                case 'hookThrows':
                  throw new Error('hook');
                case 'hookHangs':
                  return never;
                case 'hookNonsense':
                  return { decision: 'maybe' } as never;
                case 'hookRewrites':
                  return { updatedInput: { kind: 'ok', path: '/c' } };
                case 'hookRewritesToDenied':
                  return { updatedInput: { kind: 'denied', path: '/c' } };
                case 'hookRewritesToInvalid':
                  return { updatedInput: { kind: 7 } };
                default:
                  return undefined;
              }
            },
          ],
        },
      ],
      PostToolUse: [
        {
          hooks: [
            async ({ input }: { readonly input: unknown }) => {
              if (kindOf(input) === 'afterThrows') throw new Error('after');
              return kindOf(input) === 'afterHangs' ? never : undefined;
            },
          ],
        },
      ],
    },
  };
}

async function play({ kinds: turn, writes, abortAt, concurrency }: Plan) {
  const timers = new FakeTimers();
  const stop = new AbortController();
  const events: ToolEvent[] = [];
  let abortedAfter = Number.POSITIVE_INFINITY;
  const abort = () => {
    abortedAfter = events.length;
    stop.abort();
  };
  if (abortAt === -1) abort();
  const calls = turn.map((kind, index): ToolCall => {
    const name = kind === 'unknown' ? 'Nothing' : writes[index] ? 'Act' : 'Look';
    return { id: `call_${index}`, name, input: kind === 'invalid' ? { kind: 1.5 } : { kind, path: `/p${index % 3}` } };
  });
  const onEvent = (event: ToolEvent) => {
    events.push(event);
    if (events.length === abortAt + 1) abort();
  };
  let outcome: ToolRun | undefined;
  const pending = executeTools(calls, { ...options(timers, concurrency), signal: stop.signal, onEvent }).then((run) => (outcome = run));
  for (let step = 0; outcome === undefined && step < 100; step++) await timers.advance(200_000);
  if (outcome === undefined) throw new Error('the turn never ended');
  await pending;
  await timers.advance(10_000);
  return { outcome, calls, events, abortedAfter, timers, wasAborted: stop.signal.aborted };
}

test('any batch, aborted at any moment, gives each call its one result, in order', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const { outcome, calls, events, abortedAfter, timers, wasAborted } = await play(given);
      const { results } = outcome;
      expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
      expect(timers.pending).toBe(0);

      const started = events.filter(({ type }) => type === 'tool-start').map((event) => 'callId' in event && event.callId);
      const ended = events.filter(({ type }) => type === 'tool-end').map((event) => 'callId' in event && event.callId);
      expect(new Set(started).size).toBe(started.length);
      expect([...ended].sort()).toEqual([...started].sort());
      expect(events.slice(abortedAfter).some(({ type }) => type === 'tool-start')).toBe(false);

      const interruptedAt = given.kinds.indexOf('interrupts');
      for (const [index, result] of results.entries()) {
        const code = result.ok ? undefined : result.error.code;
        const isStarted = started.includes(result.callId);
        const refusals: (ToolErrorCode | undefined)[] = [
          'cancelled',
          'unknown_tool',
          'invalid_input',
          'permission_denied',
          'denied_by_hook',
        ];
        expect(refusals.includes(code)).toBe(!isStarted);
        expect(result.ok || result.output.startsWith('Error: ')).toBe(true);
        const wanted = kinds[given.kinds[index] as Kind];
        const mayBeStopped = wasAborted || (interruptedAt !== -1 && index > interruptedAt);
        if (mayBeStopped) expect([wanted, 'cancelled', 'interrupted']).toContain(code);
        else expect(code).toBe(wanted);
      }
      if (!wasAborted) expect(outcome.interrupted).toBe(interruptedAt !== -1);
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 2_000) },
  );
}, 120_000);
