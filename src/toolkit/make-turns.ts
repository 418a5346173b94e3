import { randomUUID } from 'node:crypto';
import { doneRun, runCalls } from '../call/execute-tools.js';
import { Approvals, type DecidedQuestions, isQuestionId } from '../call/given-answers.js';
import { decideCall } from '../call/prepare-call.js';
import { readCalls } from '../call/read-input.js';
import { type RunSettings, resolveSettings, turnKinds } from '../call/run-options.js';
import { type OpenedTurn, SuspendedTurns } from '../call/suspended-turns.js';
import type { TurnCall, TurnEnd } from '../call/turn-call.js';
import type { AnsweredTurn } from '../call/turn-run.js';
import type { SuspendedRun, ToolCall, ToolCallResult, ToolRun } from '../core/call.js';
import { type Caller, type CallScope, defaultCaller } from '../core/context.js';
import type { ToolEventListener } from '../core/event.js';
import type { Answers, AskAnswer, Decision, PermissionQuestion } from '../core/permission-question.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { CallOptions, ExecuteTurnOptions, TurnOptions } from '../core/registry/turn-options.js';
import { assertArgument, assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/check-values.js';
import { joinListeners } from '../core/support/listeners.js';
import type { HostFiles } from '../files/host-files.js';
import { hasRules } from '../permissions/create-permissions.js';
import { checkRules } from '../permissions/warn-unmatched-names.js';
import { readAnswer } from '../ports/parse-decision.js';
import type { Permissions } from '../ports/permissions.js';
import { memorySuspensions } from '../sessions/in-memory-suspensions.js';
import { shellHookRunner } from '../shell/run/hook-runner.js';
import type { AgentNotifications } from './agent-notifications.js';
import { callerRegistry } from './caller-registries.js';
import type { Resources } from './make-resources.js';
import type { Tools } from './make-tools.js';
import type { ToolkitSessions } from './sessions.js';

export type TurnParts = ReturnType<typeof makeTurns>;

/** The third stage of a toolkit: creates the turns from its resources and tools. */
export function makeTurns(resources: Resources, { registry }: Tools, toolkit: () => Toolkit) {
  const { options, hosts, limits, scrubber, listeners, spill, sessions, decided, planMode } = resources;
  const { permissions, policy, files, shell, agents, hasAgents, mcp, roots, isOpened } = resources;
  const { hooks, rateLimiter, retry, deadLetters, toolResolver, registryFor, concurrency, timers, onEvent } = options;
  const named = () => [options.root, ...(options.additionalRoots ?? []), ...roots()];
  const resolved = resolveSettings(
    {
      ...{ registry, permissions, hooks, policy, planMode, rateLimiter, scrubber, retry, deadLetters, concurrency },
      ...{ limits, timers, outputStore: spill, toolResolver: mcp?.resolver(toolResolver) ?? toolResolver },
    },
    {
      ...{ places: files.plain, turns: sessions.turns },
      hookPrograms: { run: shellHookRunner(shell.own, spill), cwd: files.root },
    },
  );
  const granted = mcp?.policy(resolved.policy) ?? resolved.policy;
  const settings: RunSettings = { ...resolved, policy: hasAgents ? agents.policy(granted) : granted };
  const registryOf =
    registryFor &&
    callerRegistry({
      ...{ registry, registryFor, timers, timeoutMs: limits.resolver.timeoutMs, toolkit },
      ownerOf: (caller) => agents.manager.lineOf(caller).at(-1)?.parent ?? caller,
      tell: (event, owner) => listeners.tell(event, owner),
    });
  /** The version of the rules at the last check; null before the first turn. */
  let checked: string | undefined | null = null;
  const check = (own: ToolRegistry) => {
    // A toolkit that `openIn` created lacks the tools that the host registered in the opening toolkit. Rules are shared
    // and may name those tools, so an opened toolkit does not warn about unmatched names.
    if (isOpened || permissions.version === checked) return own;
    checked = permissions.version;
    const mayCome = toolResolver !== undefined || registryFor !== undefined;
    const known = { registry: own, mcp: hosts.mcp, mayCome, roots: named() };
    checkRules(resolved, known, (warning) => listeners.tellAll(warning));
    return own;
  };
  const turns = new ToolkitTurns({
    ...{ settings, sessions, decided, onEvent, notifications: agents.notifications },
    registryOf: registryOf && (async (scope) => check(await registryOf(scope))),
    suspended: new SuspendedTurns({
      secret: options.suspensionSecret,
      ttlMs: options.suspensionTtlMs,
      store: hosts.suspensions ?? memorySuspensions(),
      root: files.root,
    }),
    begins: (caller, heard) => {
      if (heard !== undefined) listeners.set(caller, heard);
      if (files.disk !== undefined) addDirectories(permissions, files.disk);
      files.changes?.beginTurn(caller);
      if (registryFor === undefined) check(registry);
    },
  });
  return { settings, registryOf, turns };
}

/**
 * Adds the folders that the permissions got since the last turn to the roots of the disk. A folder that no longer
 * exists is skipped.
 */
function addDirectories(permissions: Permissions, disk: HostFiles): void {
  if (!hasRules(permissions)) return;
  for (const directory of permissions.takeDirectories(disk)) {
    try {
      disk.addRoot(directory);
    } catch {
      // The first call that uses the folder reports the error.
    }
  }
}

const executeKinds: OptionKinds<ExecuteTurnOptions> = {
  ...turnKinds,
  approvals: oneOf('suspend'),
  answers: kindOf.record,
};
const callKinds: OptionKinds<CallOptions> = { ...turnKinds, answers: kindOf.record, id: kindOf.text };
const { caller, signal } = turnKinds;

interface ToolkitTurnsParts {
  readonly settings: RunSettings;
  readonly sessions: ToolkitSessions;
  readonly decided: DecidedQuestions;
  readonly suspended: SuspendedTurns;
  /** Receives every event of every turn. */
  readonly onEvent: ToolEventListener | undefined;
  /** Supplies notifications for agents and records results. */
  readonly notifications: Pick<AgentNotifications, 'isActive' | 'take' | 'record'>;
  /** Selects the registry of a turn by its caller. Default: the registry of the settings. */
  readonly registryOf: AnsweredTurn['registryOf'];
  /** Called at the start of a turn, with its listener. */
  readonly begins: (caller: Caller, onEvent: ToolEventListener | undefined) => void;
}

/** A turn before its start. */
interface Begun {
  readonly calls: readonly TurnCall[];
  /** Set for a resumed turn. */
  readonly suspended?: OpenedTurn | undefined;
  readonly approvals?: Approvals | undefined;
  readonly isApproved?: true;
}

/** Starts, suspends and resumes the turns of a toolkit. While a session is being ended, its new turns wait. */
export class ToolkitTurns {
  readonly parts: ToolkitTurnsParts;

  constructor(parts: ToolkitTurnsParts) {
    this.parts = parts;
  }

  async execute(calls: readonly ToolCall[], turn: ExecuteTurnOptions = {}): Promise<ToolRun | SuspendedRun> {
    assertOptions('execute', turn, executeKinds);
    const { approvals, answers, caller: by = defaultCaller } = turn;
    if (approvals === 'suspend') this.parts.suspended.secret("approvals: 'suspend'");
    const read = turnCallsOf(calls);
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
    const approvals = new Approvals({ suspends: true, answers });
    const begun = { calls: opened.calls, suspended: opened, approvals };
    return await this.#run(begun, { ...turn, caller: opened.caller });
  }

  async call(name: string, input: unknown, options: CallOptions = {}): Promise<ToolCallResult> {
    assertArgument('call takes the name of a tool and its input', name, kindOf.text, "call('Read', input)");
    assertOptions('call', options, callKinds);
    const { id = `call_${randomUUID()}`, answers, ...turn } = options;
    assertAnswers('call', answers ?? {}, [id]);
    const approvals = this.#approvals(false, answers, turn.caller ?? defaultCaller);
    const { results } = await this.#run({ calls: turnCallsOf([{ id, name, input }]), approvals }, turn);
    const [result] = results;
    if (result === undefined) throw new TypeError('a turn that does not suspend answers every call');
    return result;
  }

  async decide(
    call: ToolCall,
    options: Pick<TurnOptions, 'caller' | 'signal'> = {},
  ): Promise<Decision<PermissionQuestion>> {
    assertOptions('decide', options, { caller, signal });
    const by = options.caller ?? defaultCaller;
    const [read = call] = readCalls([call], 'decide');
    const { settings, registryOf, decided } = this.parts;
    const decision = await decideCall(read, settings, { ...options, caller: by, registryOf });
    if (decision.behavior === 'ask') decided.note(decision.question, by.sessionId);
    return decision;
  }

  async runApproved(calls: readonly ToolCall[], turn: TurnOptions): Promise<ToolRun> {
    const run = await this.#run({ calls: turnCallsOf(calls), isApproved: true }, turn);
    if (run.status === 'suspended') throw new TypeError('a plan does not suspend');
    return run;
  }

  #approvals(suspends: boolean, answers: Answers | undefined, { sessionId }: Caller): Approvals | undefined {
    if (!suspends && answers === undefined) return undefined;
    return new Approvals({ suspends, answers, answered: (callId) => this.parts.decided.of(callId, sessionId) });
  }

  async #run(begun: Begun, turn: TurnOptions): Promise<ToolRun | SuspendedRun> {
    const { settings, sessions, suspended, onEvent, notifications, registryOf, begins } = this.parts;
    const { caller: by = defaultCaller } = turn;
    if (sessions.turns.closed === undefined) {
      const ending = () => sessions.ending(by.sessionId, turn.signal);
      for (let ends = ending(); ends; ends = ending()) await ends;
      if (sessions.turns.closed === undefined) begins(by, turn.onEvent);
    }
    const { calls, suspended: opened, approvals, isApproved } = begun;
    const listener = turn.onEvent === undefined ? onEvent : joinListeners(onEvent, turn.onEvent);
    const heard = { ...turn, caller: by, onEvent: listener, approvals, registryOf };
    const scope = { caller: by, signal: turn.signal ?? neverAborted };
    const ended = await runCalls(calls, isApproved ? { ...settings, isApproved } : settings, heard, opened?.claims);
    const end = notifications.isActive ? await this.#informed(ended, scope) : ended;
    return doneRun(end) ?? suspended.suspend(end.calls, by, opened);
  }

  /**
   * Records the results, and appends notifications for the agent to the last result. Does neither if the turn was
   * aborted.
   */
  async #informed(ended: TurnEnd, scope: CallScope): Promise<TurnEnd> {
    const { notifications } = this.parts;
    const last = ended.calls.findLastIndex(({ result }) => result !== undefined);
    if (last === -1 || scope.signal.aborted) return ended;
    if (ended.calls.every(({ result }) => result !== undefined))
      await notifications.record(
        ended.calls.flatMap(({ result = [] }) => result),
        scope,
      );
    const taken = await notifications.take(scope);
    if (taken === undefined) return ended;
    const calls = ended.calls.map((one, index) =>
      index === last ? { ...one, result: withNotifications(one.result, taken) } : one,
    );
    return { ...ended, calls };
  }
}

const neverAborted = new AbortController().signal;

function withNotifications<Result extends ToolCallResult | undefined>(result: Result, text: string): Result {
  return result && { ...result, additionalContext: [result.additionalContext, text].filter(Boolean).join('\n\n') };
}

function turnCallsOf(calls: readonly ToolCall[]): readonly TurnCall[] {
  return readCalls(calls).map((call) => ({ call }));
}

/** Throws a TypeError for values that a suspension cannot store, before any call runs. */
function assertJson(turn: { readonly calls: readonly ToolCall[]; readonly caller: Caller }): void {
  try {
    JSON.stringify(turn);
  } catch (cause) {
    throw new TypeError(`approvals: 'suspend' takes calls and a caller that JSON can represent: ${String(cause)}`, {
      cause,
    });
  }
}

/**
 * Throws a TypeError for an invalid answer, and for an answer to a call that is not in the turn, before any call runs.
 */
function assertAnswers(what: string, answers: Answers, ids: readonly string[]): void {
  for (const [id, answer] of Object.entries(answers)) {
    readAnswer(answer, id);
    if (!ids.includes(id) && !isQuestionId(id))
      throw new TypeError(
        `${what}: ${JSON.stringify(id)} in answers is not a call of this turn; its calls are ${ids.join(', ') || 'none'}`,
      );
  }
}

/**
 * Drops an allow answer to a call id that several calls have, because it is ambiguous. A deny answer applies to all
 * these calls.
 */
function withoutRepeated(answers: Answers, calls: readonly TurnCall[]): Answers {
  const ids = calls.map(({ call }) => call.id);
  assertAnswers('execute', answers, ids);
  const isClear = ([id, answer]: readonly [string, AskAnswer]) =>
    ids.indexOf(id) === ids.lastIndexOf(id) || readAnswer(answer, id).behavior === 'deny';
  return Object.fromEntries(Object.entries(answers).filter(isClear));
}
