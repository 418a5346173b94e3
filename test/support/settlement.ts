import assert from 'node:assert/strict';
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
  type ToolEventListener,
  ToolRegistry,
  type ToolRun,
} from '../../src/core.js';
import { FakeTimers, never } from './pipeline.js';
import {
  expected,
  hostile,
  type Kind,
  kindOf,
  kinds,
  late,
  type ModelCaller,
  settlesTwice,
  type ToolName,
  thenable,
  toolNames,
} from './settlement-kinds.js';

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

/** Any turn of up to eight calls, of every kind, aborted at any event or moment or not at all. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  kinds: fc.array(fc.constantFrom(...(Object.keys(kinds) as Kind[])), { maxLength: 8 }),
  tools: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom('Look', 'Act') }, fc.constantFrom(...toolNames)), {
    minLength: 8,
    maxLength: 8,
  }),
  abortAt: fc.oneof({ weight: 3, arbitrary: fc.constant(99) }, fc.integer({ min: -1, max: 12 })),
  abortAtMs: fc.oneof({ weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat({ max: 200_000 })),
  concurrency: fc.constantFrom(1, 2, 10),
  listener: fc.constantFrom('listens', 'throws', 'rejects'),
});

const clockOf = (scope: { readonly caller: unknown }) => (scope.caller as ModelCaller).timers;
const shortMs = 1_000;
const tooLateMs = 300_000;

function act(input: { readonly kind: string }, context: ToolContext): unknown {
  const { timers, note } = context.caller as ModelCaller;
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
    case 'failsOnce':
      if (execution === 1) throw new ToolError('network_failed', 'once');
      return 'second try';
    default:
      return input.kind;
  }
}

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

const permissions: ExecuteOptions['permissions'] = {
  check: (request, scope): never => {
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
            updatedInput: { kind: 'permissionRewritesForEver', path: `${(request.input as { readonly path: string }).path}/` },
          };
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

const options = {
  registry: new ToolRegistry().register(...toolNames.map(define)).disable('Off'),
  policy: { offers: ({ name }: { readonly name: string }) => name !== 'Hidden', explain: () => 'hidden' },
  permissions,
  hooks: { PreToolUse: [hook(before, 'asked')], PostToolUse: [hook(after)], PostToolUseFailure: [hook(after)] },
  rateLimiter,
  deadLetters,
  scrubber: createScrubber(),
  retry: { maxAttempts: 2, baseMs: 100 },
} as const satisfies Partial<ExecuteOptions>;

/** The timers of a run, counted, since tools and hosts set timers of their own on the same clock. */
class CountedTimers {
  readonly pending = new Set<unknown>();
  readonly #timers: FakeTimers;

  constructor(timers: FakeTimers) {
    this.#timers = timers;
  }

  now = () => this.#timers.now();
  random = () => 0.5;
  set = (callback: () => void, delayMs: number) => {
    const timer = this.#timers.set(() => {
      this.pending.delete(timer);
      callback();
    }, delayMs);
    this.pending.add(timer);
    return timer;
  };
  clear = (timer: unknown) => {
    this.pending.delete(timer);
    this.#timers.clear(timer);
  };
}

function callsOf({ kinds: turn, tools }: Schedule): ToolCall[] {
  return turn.map((kind, index) => {
    const id = `call_${index}`;
    if (kind === 'unknown') return { id, name: 'Nothing', input: {} };
    const name = tools[index] ?? 'Look';
    if (kind === 'notAnObject') return { id, name, input: '{"kind": "ok", "path"' };
    return { id, name, input: kind === 'invalid' ? { kind: [1.5] } : { kind, path: `/p${index % 3}` } };
  });
}

/** Plays a schedule to its end, and on until everything that comes too late has come. */
async function play(schedule: Schedule) {
  const timers = new FakeTimers(1);
  const counted = new CountedTimers(timers);
  const stop = new AbortController();
  const events: ToolEvent[] = [];
  let abortedAfter = Number.POSITIVE_INFINITY;
  let isAbortedByClock = false;
  const abort = () => {
    if (stop.signal.aborted || outcome !== undefined) return;
    abortedAfter = events.length;
    stop.abort();
  };
  const abortByClock = () => {
    isAbortedByClock = !stop.signal.aborted;
    abort();
  };
  let outcome: ToolRun | undefined;
  if (schedule.abortAt === -1) abort();
  if (schedule.abortAtMs !== Number.POSITIVE_INFINITY) timers.set(abortByClock, schedule.abortAtMs);
  const onEvent: ToolEventListener = (event) => {
    events.push(event);
    if (events.length === schedule.abortAt + 1) abort();
    if (schedule.listener === 'throws') throw new Error('listener');
    if (schedule.listener === 'rejects') return Promise.reject(new Error('listener')) as never;
  };
  const notes: Note[] = [];
  const note: ModelCaller['note'] = (what, callId) => {
    notes.push({ what, callId, at: stop.signal.aborted ? Number.POSITIVE_INFINITY : events.length });
    return notes.filter((other) => other.what === what && other.callId === callId).length;
  };
  const caller: ModelCaller = { sessionId: 'model', timers, note };
  const calls = callsOf(schedule);
  const pending = executeTools(calls, {
    ...options,
    caller,
    timers: counted,
    concurrency: schedule.concurrency,
    signal: stop.signal,
    onEvent,
  });
  const ended = pending.then((run) => {
    outcome = run;
  });
  for (let step = 0; outcome === undefined && step < 200; step++) await timers.advance(20_000);
  assert(outcome !== undefined, 'the turn never ended');
  await ended;
  const atEnd = {
    events: events.length,
    results: JSON.stringify(outcome.results),
    listeners: getEventListeners(stop.signal, 'abort').length,
    timers: counted.pending.size,
  };
  await timers.advance(2 * tooLateMs);
  return { outcome, calls, events, abortedAfter, isAbortedByClock, atEnd, timers, notes };
}

/** Something that was asked or executed, and how many events came before; Infinity = after the abort. */
interface Note {
  readonly what: 'asked' | 'executed';
  readonly callId: string;
  readonly at: number;
}

/** Plays a schedule and throws for whatever the model does not allow. */
export async function settles(schedule: Schedule): Promise<void> {
  const { outcome, calls, events, abortedAfter, isAbortedByClock, atEnd, timers, notes } = await play(schedule);
  const { results, interrupted } = outcome;
  const wasAborted = abortedAfter !== Number.POSITIVE_INFINITY;
  const interrupting = new Set(calls.flatMap(({ id }, index) => (verdictOn(schedule, index).interrupts ? [id] : [])));
  const refusedAt = (callId: string) => events.findIndex((event) => event.type === 'tool-refused' && event.callId === callId);
  const interruptedAt = events.findIndex(
    (event) => event.type === 'tool-refused' && event.code === 'permission_denied' && interrupting.has(event.callId),
  );
  const interruptedAfter = interruptedAt === -1 ? Number.POSITIVE_INFINITY : interruptedAt + 1;
  const overAfter = Math.min(abortedAfter, interruptedAfter);

  assert.deepEqual(
    results.map(({ callId }) => callId),
    calls.map(({ id }) => id),
  );
  assert.equal(atEnd.listeners, 0, 'listeners are left');
  assert.equal(atEnd.timers, 0, 'timers are left');
  assert.equal(timers.pending, 0, 'the model left a timer');
  assert.equal(events.length, atEnd.events, 'something was told after the end');
  assert.equal(JSON.stringify(results), atEnd.results, 'a result changed after the end');
  for (const { what, callId, at } of notes) {
    assert.ok(at !== Number.POSITIVE_INFINITY && at < interruptedAfter, `${callId} was ${what} after the turn was over`);
  }

  const startedAt = checkEvents(events, overAfter);
  for (const [index, result] of results.entries()) {
    const code = result.ok ? undefined : result.error.code;
    const wanted = verdictOn(schedule, index);
    const { callId } = result;
    const executions = notes.filter((note) => note.what === 'executed' && note.callId === callId).length;
    assert.ok(result.ok || /^Error: (?!Error: )/.test(result.output), result.output);
    assert.ok(executions <= (wanted.tool === 'Act' ? 1 : 2), 'executed too often');

    const isStarted = startedAt.has(callId);
    const isRefusedInTime = !isStarted && refusedAt(callId) < overAfter;
    const allowed: unknown[] = isStarted || isRefusedInTime ? [wanted.code] : ['cancelled'];
    // An answer may be told after an abort that came between the two; nobody had answered whom an abort by the clock found waiting.
    const wasWaiting = wanted.waits && isAbortedByClock && refusedAt(callId) >= abortedAfter;
    if (!isStarted && !wanted.starts && !wasWaiting) allowed.push(wanted.code);
    if (isStarted && wasAborted) allowed.push('interrupted');
    // Nothing is tried again once a turn is over.
    if (isStarted && interrupted && schedule.kinds[index] === 'failsOnce') allowed.push('network_failed');
    assert.ok(allowed.includes(code), `call ${index}: ${String(code)} instead of ${allowed.join(' or ')}`);
    if (code === wanted.code) assert.equal(isStarted, wanted.starts, `call ${index}: ${String(code)}`);
  }
  assert.equal(interrupted, wasAborted || interrupting.size > 0);
}

function verdictOn({ kinds: turn, tools }: Schedule, index: number) {
  const kind = turn[index] ?? 'ok';
  const tool = tools[index] ?? 'Look';
  const { code, starts } = expected(kind, tool);
  const waits = /Hangs|Late$/.test(kind) || tool === 'LimiterHangs' || tool === 'LimiterLate';
  return { code, starts, tool, waits, interrupts: kind === 'interrupts' && code === 'permission_denied' };
}

/** One start and one end for each call that started, progress in between, no start once the turn is over. Answers who started when. */
function checkEvents(events: readonly ToolEvent[], overAfter: number): ReadonlyMap<string, number> {
  const startedAt = new Map<string, number>();
  const ended = new Set<string>();
  for (const [index, event] of events.entries()) {
    if (!('callId' in event)) continue;
    const { type, callId } = event;
    const isRunning = startedAt.has(callId) && !ended.has(callId);
    if (type === 'tool-start') {
      assert.ok(!startedAt.has(callId) && index < overAfter, 'a second start, or one after the turn was over');
      startedAt.set(callId, index);
    } else if (type === 'tool-end') {
      assert.ok(isRunning, 'an end without a start, or a second one');
      ended.add(callId);
    } else if (type === 'tool-progress' || type === 'tool-retry') {
      assert.ok(isRunning, 'told before the start or after the end');
      assert.ok(type !== 'tool-retry' || index < overAfter, 'tried again after the turn was over');
    } else if (type === 'tool-refused') {
      assert.ok(!startedAt.has(callId), 'started and refused');
    }
  }
  assert.equal(startedAt.size, ended.size, 'a call never ended');
  return startedAt;
}
