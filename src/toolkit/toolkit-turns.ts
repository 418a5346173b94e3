import { randomUUID } from 'node:crypto';
import { decideCall } from '../call/decide-call.js';
import { doneRun, runCalls } from '../call/execute-tools.js';
import { readCalls } from '../call/input/read-calls.js';
import { Approvals, DecidedQuestions, isQuestionId } from '../call/run/approvals.js';
import type { AnsweredTurn } from '../call/run/run.js';
import { turnKinds } from '../call/run/run-option-kinds.js';
import type { RunSettings } from '../call/run/settings.js';
import type { OpenedTurn, SuspendedTurns } from '../call/suspension/suspended-turns.js';
import type { TurnCall, TurnEnd } from '../call/suspension/turn-call.js';
import type { SuspendedRun, ToolCall, ToolCallResult, ToolRun } from '../core/call.js';
import type { Caller, CallScope } from '../core/context.js';
import type { ToolEventListener } from '../core/event.js';
import { joinListeners } from '../core/join-listeners.js';
import type { Answers, AskAnswer, CallDecision } from '../core/permission-question.js';
import type { CallOptions, ExecuteTurnOptions, TurnOptions } from '../core/registry/toolkit.js';
import { assertArgument, assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/option-kinds.js';
import { readAnswer } from '../permissions/read-decision.js';
import type { ToolkitSessions } from './toolkit-sessions.js';
import type { WiredTalk } from './wire-talk.js';

/** The caller of what names none. */
export const defaultCaller: Caller = Object.freeze({ sessionId: 'default' });

const executeKinds: OptionKinds<ExecuteTurnOptions> = {
  ...turnKinds,
  approvals: oneOf('suspend'),
  answers: kindOf.record,
};
const callKinds: OptionKinds<CallOptions> = { ...turnKinds, answers: kindOf.record, id: kindOf.text };
const { caller, signal } = turnKinds;

/** What turns of a toolkit need besides their settings. */
export interface ToolkitTurnsParts {
  readonly settings: RunSettings;
  readonly sessions: ToolkitSessions;
  readonly suspended: SuspendedTurns;
  /** Hears every event of every turn. */
  readonly onEvent: ToolEventListener | undefined;
  /** What agents hear besides, and what keeps their results. */
  readonly talk: Pick<WiredTalk, 'isActive' | 'news' | 'record'>;
  /** Chooses the registry of a turn by its caller. Default: that of the settings. */
  readonly registryOf: AnsweredTurn['registryOf'];
  /** Called as a turn begins, with the listener that it brings. */
  readonly begins: (caller: Caller, onEvent: ToolEventListener | undefined) => void;
}

/** A turn that is about to run. */
interface Begun {
  readonly calls: readonly TurnCall[];
  /** Set for a turn that goes on. */
  readonly suspended?: OpenedTurn | undefined;
  readonly approvals?: Approvals | undefined;
  readonly isApproved?: true;
}

/** The turns of a toolkit: how they begin, wait for the end of a session, suspend and go on. */
export class ToolkitTurns {
  readonly parts: ToolkitTurnsParts;
  readonly #decided = new DecidedQuestions();

  constructor(parts: ToolkitTurnsParts) {
    this.parts = parts;
  }

  async execute(calls: readonly ToolCall[], turn: ExecuteTurnOptions = {}): Promise<ToolRun | SuspendedRun> {
    assertOptions('execute', turn, executeKinds);
    const { approvals, answers, caller: by = defaultCaller } = turn;
    if (approvals === 'suspend') this.parts.suspended.secret("approvals: 'suspend'");
    const read = taken(calls);
    if (approvals === 'suspend') assertJson({ calls, caller: by });
    const known = answers === undefined ? undefined : withoutRepeated(answers, read);
    return await this.#run({ calls: read, approvals: this.#approvals(approvals === 'suspend', known, by) }, turn);
  }

  async resume(suspension: string, answers: Answers, turn: TurnOptions = {}): Promise<ToolRun | SuspendedRun> {
    assertOptions('resume', turn, turnKinds);
    const write = 'resume(run.suspension, answers)';
    assertArgument('resume takes the suspension of a turn', suspension, kindOf.text, write);
    if (!kindOf.record.holds(answers))
      throw new TypeError('resume takes answers by question id, such as { question_1: "allow-once" }');
    const opened = this.parts.suspended.open(suspension, answers, turn.caller);
    const approvals = new Approvals({ suspends: true, toQuestions: answers });
    const begun = { calls: opened.calls, suspended: opened, approvals };
    return await this.#run(begun, { ...turn, caller: opened.caller });
  }

  async call(name: string, input: unknown, options: CallOptions = {}): Promise<ToolCallResult> {
    assertArgument('call takes the name of a tool and its input', name, kindOf.text, "call('Read', input)");
    assertOptions('call', options, callKinds);
    const { id = `call_${randomUUID()}`, answers, ...turn } = options;
    assertAnswers('call', answers ?? {}, [id]);
    const approvals = this.#approvals(false, answers, turn.caller ?? defaultCaller);
    const { results } = await this.#run({ calls: taken([{ id, name, input }]), approvals }, turn);
    const [result] = results;
    if (result === undefined) throw new TypeError('a turn that does not suspend answers every call');
    return result;
  }

  async decide(call: ToolCall, options: Pick<TurnOptions, 'caller' | 'signal'> = {}): Promise<CallDecision> {
    assertOptions('decide', options, { caller, signal });
    const by = options.caller ?? defaultCaller;
    const [read = call] = readCalls([call], 'decide');
    const { settings, registryOf } = this.parts;
    const decision = await decideCall(read, settings, { ...options, caller: by, registryOf });
    if (decision.behavior === 'ask') this.#decided.note(decision.question, by.sessionId);
    return decision;
  }

  /** Runs the calls of a plan that somebody has approved. */
  async runApproved(calls: readonly ToolCall[], turn: TurnOptions): Promise<ToolRun> {
    const run = await this.#run({ calls: taken(calls), isApproved: true }, turn);
    if (run.status === 'suspended') throw new TypeError('a plan does not suspend');
    return run;
  }

  endSession(sessionId: string): void {
    this.#decided.endSession(sessionId);
  }

  #approvals(suspends: boolean, toCalls: Answers | undefined, { sessionId }: Caller): Approvals | undefined {
    if (!suspends && toCalls === undefined) return undefined;
    return new Approvals({ suspends, toCalls, answered: (callId) => this.#decided.of(callId, sessionId) });
  }

  async #run(begun: Begun, turn: TurnOptions): Promise<ToolRun | SuspendedRun> {
    const { settings, sessions, suspended, onEvent, talk, registryOf, begins } = this.parts;
    const { caller: by = defaultCaller } = turn;
    if (sessions.turns.closed === undefined) {
      const ending = () => sessions.ending(by.sessionId, turn.signal);
      for (let ends = ending(); ends; ends = ending()) await ends;
      if (sessions.turns.closed === undefined) begins(by, turn.onEvent);
    }
    const { calls, suspended: opened, approvals, isApproved } = begun;
    const listener = turn.onEvent === undefined ? onEvent : joinListeners(onEvent, turn.onEvent);
    const heard = { ...turn, caller: by, onEvent: listener, approvals, registryOf };
    const scope = { caller: by, signal: turn.signal ?? endless };
    const ended = await runCalls(calls, isApproved ? { ...settings, isApproved } : settings, heard, opened?.claims);
    const end = talk.isActive ? await this.#informed(ended, scope) : ended;
    return doneRun(end) ?? suspended.suspend(end.calls, by, opened);
  }

  /** Tells the agent with the last result of its turn what there is to tell; a turn that was aborted nobody reads. */
  async #informed(ended: TurnEnd, scope: CallScope): Promise<TurnEnd> {
    const { talk } = this.parts;
    const last = ended.calls.findLastIndex(({ result }) => result !== undefined);
    if (last === -1 || scope.signal.aborted) return ended;
    if (ended.calls.every(({ result }) => result !== undefined))
      await talk.record(
        ended.calls.flatMap(({ result = [] }) => result),
        scope,
      );
    const news = await talk.news(scope);
    if (news === undefined) return ended;
    const calls = ended.calls.map((one, index) =>
      index === last ? { ...one, result: withNews(one.result, news) } : one,
    );
    return { ...ended, calls };
  }
}

const endless = new AbortController().signal;

function withNews<Result extends ToolCallResult | undefined>(result: Result, news: string): Result {
  return result && { ...result, additionalContext: [result.additionalContext, news].filter(Boolean).join('\n\n') };
}

function taken(calls: readonly ToolCall[]): readonly TurnCall[] {
  return readCalls(calls).map((call) => ({ call }));
}

/** A suspension is JSON text, which would lose or refuse everything else after the first calls have run. */
function assertJson(turn: { readonly calls: readonly ToolCall[]; readonly caller: Caller }): void {
  try {
    JSON.stringify(turn);
  } catch (cause) {
    throw new TypeError(`approvals: 'suspend' takes calls and a caller that JSON can hold: ${String(cause)}`, {
      cause,
    });
  }
}

/** Throws a TypeError for an answer that is none, or to no call of the turn, before anything runs. */
function assertAnswers(what: string, answers: Answers, ids: readonly string[]): void {
  for (const [id, answer] of Object.entries(answers)) {
    readAnswer(answer, id);
    if (!ids.includes(id) && !isQuestionId(id))
      throw new TypeError(
        `${what}: ${JSON.stringify(id)} in answers is no call of this turn; its calls are ${ids.join(', ') || 'none'}`,
      );
  }
}

/** Nobody knows which of several calls with one id an allowance was meant for; a no is meant for all of them. */
function withoutRepeated(answers: Answers, calls: readonly TurnCall[]): Answers {
  const ids = calls.map(({ call }) => call.id);
  assertAnswers('execute', answers, ids);
  const isClear = ([id, answer]: readonly [string, AskAnswer]) =>
    ids.indexOf(id) === ids.lastIndexOf(id) || readAnswer(answer, id).behavior === 'deny';
  return Object.fromEntries(Object.entries(answers).filter(isClear));
}
