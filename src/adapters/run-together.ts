import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers';
import { isDeepStrictEqual } from 'node:util';
import type { PlainCallResult, ToolCallResult } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { ToolEvent } from '../core/event.js';
import type { Answers } from '../core/permission-question.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { turnShareChars } from '../core/result-share.js';

/** A progress event of a running call. */
export type ToolProgress = ToolEvent & { readonly type: 'tool-progress' };

/** A call that a framework starts. */
export interface StartedCall {
  /** Default: a new id. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly input: unknown;
  readonly caller?: Caller | undefined;
  readonly signal?: AbortSignal | null | undefined;
  /** Answers by question id. A question id belongs to one call and its input. */
  readonly answers?: Answers | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/** Runs a call in one turn with the calls that start in the same tick, and resolves with its result as plain data. */
export type StartCall = (started: StartedCall) => Promise<PlainCallResult>;

/**
 * For frameworks that start the calls of a step in parallel. The calls of one caller that start in the same tick become
 * one turn, in order of their start. The promise of each call resolves when that call settles.
 */
export function gatherCalls(toolkit: Toolkit): StartCall {
  let turns: { readonly caller: Caller | undefined; readonly calls: GatheredCall[] }[] = [];
  return (started) =>
    new Promise((resolve, reject) => {
      if (turns.length === 0) {
        setImmediate(() => {
          const begun = turns;
          turns = [];
          for (const { caller, calls } of begun) void runGathered(toolkit, caller, calls);
        });
      }
      const call: GatheredCall = { ...started, id: started.id || `call_${randomUUID()}`, resolve, reject };
      const turn = turns.find(({ caller }) => isDeepStrictEqual(caller, started.caller));
      if (turn === undefined) turns.push({ caller: started.caller, calls: [call] });
      else turn.calls.push(call);
    });
}

/** For frameworks that request approvals in parallel: all answers to the questions of one tick resolve in one tick. */
export function answerTogether<Value>(): (answer: Promise<Value>) => Promise<Value> {
  let batch: Promise<unknown>[] = [];
  return async (answer) => {
    const own = batch;
    own.push(Promise.allSettled([answer]));
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (batch === own) batch = [];
    await Promise.all(own);
    return await answer;
  };
}

interface GatheredCall extends StartedCall {
  readonly id: string;
  readonly resolve: (result: PlainCallResult) => void;
  readonly reject: (thrown: unknown) => void;
  isSettled?: true;
}

async function runGathered(toolkit: Toolkit, caller: Caller | undefined, calls: readonly GatheredCall[]) {
  const stop = new AbortController();
  const settle = (call: GatheredCall, result: PlainCallResult | undefined) => {
    call.isSettled = true;
    if (result !== undefined) call.resolve(result);
    stopIfLeft();
  };
  // If a framework aborts only some of the calls, the others continue.
  const stopIfLeft = () => {
    const waiting = calls.filter(({ isSettled }) => isSettled === undefined);
    if (waiting.length > 0 && waiting.every(({ signal }) => signal?.aborted)) stop.abort();
  };
  const shareChars = turnShareChars(toolkit.limits.output.maxTurnChars, calls.length);
  const onEvent = (event: ToolEvent) => {
    if (event.type !== 'tool-progress' && event.type !== 'tool-result') return;
    const [call, another] = calls.filter(({ id }) => id === event.callId);
    if (call === undefined || another !== undefined) return;
    if (event.type === 'tool-progress') call.onProgress?.(event);
    // A longer result may still be shortened by the limit of the turn.
    else settle(call, event.result.output.length <= shareChars ? event.result : undefined);
  };
  for (const { signal } of calls) signal?.addEventListener('abort', stopIfLeft);
  try {
    stopIfLeft();
    // A call that was aborted before its start does not start.
    const live = calls.filter(({ signal }) => stop.signal.aborted || signal?.aborted !== true);
    for (const call of calls)
      if (!live.includes(call))
        settle(
          call,
          plain(await toolkit.call(call.name, call.input, { id: call.id, caller, signal: AbortSignal.abort() })),
        );
    const answers = Object.assign({}, ...live.map((call) => call.answers));
    const { results } = await toolkit.execute(
      live.map(({ id, name, input }) => ({ id, name, input })),
      { caller, signal: stop.signal, onEvent, answers },
    );
    for (const [index, result] of results.entries()) live[index]?.resolve(plain(result));
  } catch (thrown) {
    for (const { reject } of calls) reject(thrown);
  } finally {
    for (const { signal } of calls) signal?.removeEventListener('abort', stopIfLeft);
  }
}

function plain(result: ToolCallResult): PlainCallResult {
  return result.ok ? result : { ...result, error: result.error.toJSON() };
}
