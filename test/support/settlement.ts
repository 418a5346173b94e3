import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { fakeTimers } from 'toolwright/testing';
import {
  executeTools,
  type ToolCall,
  type ToolCallResult,
  type ToolEvent,
  type ToolEventListener,
  type ToolRun,
} from '../../src/core.js';
import type { FakeTimers } from '../../src/testing/fake-timers.js';
import {
  type Decider,
  expected,
  isResolved,
  type Kind,
  kinds,
  type ModelCaller,
  type ToolName,
  toolNames,
} from './settlement-kinds.js';
import { options, permissionsOf, registryOfRun, tooLateMs } from './settlement-world.js';

/** A turn and the events from outside. */
export interface Schedule {
  readonly kinds: readonly Kind[];
  readonly tools: readonly ToolName[];
  /** The event at which the turn is aborted; -1 = before it starts, 99 = never. */
  readonly abortAt: number;
  /** The time of the abort in milliseconds; Infinity = never. */
  readonly abortAtMs: number;
  readonly concurrency: number;
  readonly decider: Decider;
  /** Whether the listener throws, or rejects. */
  readonly listener: 'listens' | 'throws' | 'rejects';
}

/** A random turn of up to eight calls of any kind, aborted at any event or time, or not aborted. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  kinds: fc.array(fc.constantFrom(...(Object.keys(kinds) as Kind[])), { maxLength: 8 }),
  tools: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom('Look', 'Act') }, fc.constantFrom(...toolNames)), {
    minLength: 8,
    maxLength: 8,
  }),
  abortAt: fc.oneof({ weight: 3, arbitrary: fc.constant(99) }, fc.integer({ min: -1, max: 12 })),
  abortAtMs: fc.oneof(
    { weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    fc.nat({ max: 200 }),
    fc.nat({ max: 200_000 }),
  ),
  concurrency: fc.constantFrom(1, 2, 10),
  decider: fc.constantFrom('check', 'onAsk'),
  listener: fc.constantFrom('listens', 'throws', 'rejects'),
});

/** Counts the timers of a run separately, because tools and hosts use the same clock. */
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
    if (isResolved(kind)) return { id, name: kind, input: { kind } };
    const name = tools[index] ?? 'Look';
    if (kind === 'notAnObject') return { id, name, input: '{"kind": "ok", "path"' };
    return { id, name, input: kind === 'invalid' ? { kind: [1.5] } : { kind, path: `/p${index % 3}` } };
  });
}

/** Plays a schedule to its end, and continues until all late events have come. */
async function play(schedule: Schedule) {
  const timers = fakeTimers(1);
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
  const caller: ModelCaller = { sessionId: 'model', timers, note, abort };
  const calls = callsOf(schedule);
  const pending = executeTools(calls, {
    ...options,
    registry: registryOfRun(),
    permissions: permissionsOf(schedule.decider),
    caller,
    timers: counted,
    concurrency: schedule.concurrency,
    signal: stop.signal,
    onEvent,
  });
  let atEnd: AtEnd | undefined;
  const ended = pending.then((run) => {
    outcome = run;
    atEnd = {
      events: events.length,
      results: JSON.stringify(run.results),
      listeners: getEventListeners(stop.signal, 'abort').length,
      timers: counted.pending.size,
    };
  });
  for (let step = 0; outcome === undefined && step < 200; step++) await timers.advance(20_000);
  assert(outcome !== undefined && atEnd !== undefined, 'the turn never ended');
  await ended;
  await timers.advance(2 * tooLateMs);
  return { outcome, calls, events, abortedAfter, isAbortedByClock, atEnd, timers, notes };
}

/** The state when the turn had its results. */
interface AtEnd {
  readonly events: number;
  readonly results: string;
  readonly listeners: number;
  readonly timers: number;
}

/** A question or an execution, and the number of events before it; Infinity = after the abort. */
interface Note {
  readonly what: 'asked' | 'executed';
  readonly callId: string;
  readonly at: number;
}

/** Plays a schedule, and throws for any deviation from the model. */
export async function settles(schedule: Schedule): Promise<void> {
  const { outcome, calls, events, abortedAfter, isAbortedByClock, atEnd, timers, notes } = await play(schedule);
  const { results, interrupted } = outcome;
  const wasAborted = abortedAfter !== Number.POSITIVE_INFINITY;
  const interrupting = new Set(calls.flatMap(({ id }, index) => (verdictOn(schedule, index).interrupts ? [id] : [])));
  const refusedAt = (callId: string) =>
    events.findIndex((event) => event.type === 'tool-refused' && event.callId === callId);
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
  for (const { what, callId, at } of notes)
    assert.ok(
      at !== Number.POSITIVE_INFINITY && at < interruptedAfter,
      `${callId} was ${what} after the turn was over`,
    );

  const startedAt = checkEvents(events, overAfter);
  const announced = events.flatMap((event) => (event.type === 'tool-result' ? [event.result] : []));
  assert.deepEqual(
    inOrder(announced),
    inOrder(JSON.parse(JSON.stringify(results)) as ToolCallResult[]),
    'results were told otherwise than they came',
  );
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
    // An answer may be reported after an abort that came in between. A question that was open at a timed abort has no
    // answer.
    const wasWaiting = wanted.waits && isAbortedByClock && refusedAt(callId) >= abortedAfter;
    if (!isStarted && !wanted.starts && !wasWaiting) allowed.push(wanted.code);
    if (isStarted && wasAborted) allowed.push('interrupted');
    // No call is retried once its turn is over.
    if (isStarted && interrupted && schedule.kinds[index] === 'failsOnce') allowed.push('network_failed');
    assert.ok(allowed.includes(code), `call ${index}: ${String(code)} instead of ${allowed.join(' or ')}`);
    if (code === wanted.code) assert.equal(isStarted, wanted.starts, `call ${index}: ${String(code)}`);
  }
  assert.equal(interrupted, wasAborted || interrupting.size > 0);
}

function verdictOn({ kinds: turn, tools, decider }: Schedule, index: number) {
  const kind = turn[index] ?? 'ok';
  const tool = tools[index] ?? 'Look';
  const { code, starts } = expected(kind, tool, decider);
  const waits = /Hangs|Late$/.test(kind) || (!isResolved(kind) && (tool === 'LimiterHangs' || tool === 'LimiterLate'));
  return { code, starts, tool, waits, interrupts: kind === 'interrupts' && code === 'permission_denied' };
}

function inOrder(results: readonly { readonly callId: string }[]): unknown {
  return Object.fromEntries(results.map((result) => [result.callId, JSON.stringify(result)]).sort());
}

/**
 * Checks one start and one end for each started call, with progress in between, and no start after the end of the turn.
 * Returns the starts.
 */
function checkEvents(events: readonly ToolEvent[], overAfter: number): ReadonlyMap<string, number> {
  const startedAt = new Map<string, number>();
  const ended = new Set<string>();
  const refused = new Set<string>();
  const settled = new Set<string>();
  for (const [index, event] of events.entries()) {
    if (!('callId' in event)) continue;
    const { type, callId } = event;
    const isRunning = startedAt.has(callId) && !ended.has(callId);
    assert.ok(!settled.has(callId), 'told after the result');
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
      refused.add(callId);
    } else if (type === 'tool-result') {
      assert.ok(ended.has(callId) || refused.has(callId), 'a result before the end');
      settled.add(callId);
    }
  }
  assert.equal(startedAt.size, ended.size, 'a call never ended');
  assert.equal(settled.size, ended.size + refused.size, 'a result was not told');
  return startedAt;
}
