import type { ToolCallResult } from '../core/call.js';
import { type Caller, type CallScope, sessionOf } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { shellNumbers } from '../core/fixed-limits.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/check-values.js';
import { LatestMap } from '../core/support/latest-map.js';
import type { SessionDirectory, SessionMessage, SessionStatus, SessionSummary } from '../ports/agents/sessions.js';

/** The parts of a toolkit that its session directory uses. */
export type SessionToolkit = Pick<Toolkit, 'todos'> & {
  readonly subagents: Pick<Toolkit['subagents'], 'list' | 'spawn' | 'send'>;
};

/** Options of {@link inProcessSessions}. */
export interface InProcessSessionsOptions {
  /** `own` (default): a caller sees only its own session and the sessions of its subagents. `all`: all sessions. */
  readonly visible?: 'own' | 'all' | undefined;
  /** Answers a message to the session of a main agent. Default: such a message fails with `not_configured`. */
  readonly onMessage?:
    | ((request: { readonly id: string; readonly message: string }, scope: CallScope) => Promise<string | undefined>)
    | undefined;
}

/** A text of the conversation. The host adds texts, because a toolkit sees only calls. */
export interface SessionNote {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** The model that answered. */
  readonly model?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** The sessions of one process. */
export interface InProcessSessions extends Required<SessionDirectory> {
  /** Adds a message to a session. The session of a subagent has the id of the subagent. */
  note(sessionId: string, note: SessionNote): void;
}

interface Session {
  readonly id: string;
  readonly caller: Caller;
  readonly parentId: string | undefined;
  title: string | undefined;
  activeAt: number;
  messages: SessionMessage[];
  count: number;
  turns: number;
  model?: string | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

const maxMessages = 200;
const maxMessageChars = 20_000;
const kinds: OptionKinds<InProcessSessionsOptions> = { visible: oneOf('own', 'all'), onMessage: kindOf.callback };

/**
 * Keeps the last 200 messages of each session of a toolkit in memory. Results of calls are recorded automatically;
 * `note` adds texts. A subagent has its own session under its id. A running subagent reads a message before its next
 * turn; a message from its parent resumes an ended subagent.
 */
export function inProcessSessions(toolkit: SessionToolkit, options: InProcessSessionsOptions = {}): InProcessSessions {
  assertOptions('inProcessSessions', options, kinds);
  const { visible = 'own', onMessage } = options;
  // The sessions by key, the least recently active first.
  const sessions = new LatestMap<string, Session>(shellNumbers.maxSessions);

  function list(
    { limit, activeWithinMs }: Parameters<SessionDirectory['list']>[0],
    { caller }: CallScope,
  ): readonly SessionSummary[] {
    const since = activeWithinMs === undefined ? 0 : Date.now() - activeWithinMs;
    return visibleTo(caller)
      .filter(({ activeAt }) => activeAt >= since)
      .slice(0, limit)
      .map(summary);
  }

  function history({ id, limit, before }: Parameters<SessionDirectory['history']>[0], { caller }: CallScope) {
    const messages = visibleSession(id, caller)?.messages;
    const end = before === undefined ? undefined : messages?.findIndex((message) => message.id === before);
    return messages?.slice(0, end === -1 ? 0 : end).slice(-limit);
  }

  async function send({ id, message }: { readonly id: string; readonly message: string }, scope: CallScope) {
    const { subagents } = toolkit;
    if (visibleSession(id, scope.caller) === undefined) return undefined;
    const agent = agentOf(id);
    if (agent === undefined && onMessage !== undefined) {
      note(id, { role: 'user', text: message });
      return { answer: await onMessage({ id, message }, scope) };
    }
    if (agent === undefined)
      throw new ToolError('not_configured', `The session ${id} accepts no messages. Continue without sending one.`);
    if (agent.state === 'running' || agent.state === 'spawning') {
      subagents.send(id, { from: scope.caller.agentId ?? 'lead', text: message, type: 'message' });
      return {};
    }
    const { description } = agent;
    const { done } = subagents.spawn({ description, prompt: message, resume: id }, scope);
    return { answer: (await done).output };
  }

  async function status({ id }: { readonly id: string }, { caller }: CallScope): Promise<SessionStatus | undefined> {
    const session = visibleSession(id, caller);
    if (session === undefined) return undefined;
    const todos = await toolkit.todos(session.caller);
    const { model, inputTokens, outputTokens } = session;
    const turns = agentOf(id)?.turns ?? session.turns;
    const open = todos.filter((todo) => todo.status !== 'completed').length;
    return { ...summary(session), model, turns, inputTokens, outputTokens, todos: open };
  }

  function record(results: readonly ToolCallResult[], { caller }: CallScope): void {
    const session = touched(caller);
    session.turns++;
    for (const { name, output } of results) add(session, 'tool', `${name}: ${output}`);
  }

  function note(sessionId: string, { role, text, model, inputTokens, outputTokens }: SessionNote): void {
    const agent = agentOf(sessionId);
    const own = { sessionId: agent?.sessionId ?? sessionId, depth: agent?.depth ?? 0, ...(agent && idsOf(agent)) };
    const known = sessions.get(keyOf(own)) ?? [...sessions.values()].find(({ id }) => id === sessionId);
    const session = touched(known?.caller ?? own);
    session.model = model ?? session.model;
    session.inputTokens = sum(session.inputTokens, inputTokens);
    session.outputTokens = sum(session.outputTokens, outputTokens);
    if (role === 'user' && session.parentId === undefined) session.title ??= text.slice(0, 100);
    add(session, role, text);
  }

  function endSession(sessionId: string): void {
    for (const [id, { caller }] of sessions) if (caller.sessionId === sessionId) sessions.delete(id);
  }

  /** The session of a caller, created if it is new. Updates the time of its last activity. */
  function touched(caller: Caller, at = Date.now()): Session {
    const { sessionId, parentId = sessionId } = caller;
    const id = sessionOf(caller);
    const fresh = { id, caller, parentId: id === sessionId ? undefined : parentId, title: agentOf(id)?.description };
    const key = keyOf(caller);
    const session: Session = sessions.get(key) ?? { ...fresh, activeAt: 0, messages: [], count: 0, turns: 0 };
    session.activeAt = at;
    sessions.set(key, session);
    return session;
  }

  function agentOf(id: string) {
    return toolkit.subagents.list().find(({ agentId }) => agentId === id);
  }

  function visibleSession(id: string, caller: Caller): Session | undefined {
    return visibleTo(caller).find((session) => session.id === id);
  }

  /** The sessions that a caller sees, latest first. They include sessions of subagents that have made no call yet. */
  function visibleTo(caller: Caller): readonly Session[] {
    if (!sessions.has(keyOf(caller))) touched(caller);
    for (const agent of toolkit.subagents.list()) {
      const { sessionId, agentId, depth } = agent;
      if (!sessions.has(keyOf({ sessionId, agentId, depth })))
        touched({ sessionId, depth, ...idsOf(agent) }, Date.now() - (agent.endedMs ?? agent.durationMs));
    }
    const shown = [...sessions.values()].filter((one) => isVisible(one, caller)).reverse();
    return shown.sort((left, right) => right.activeAt - left.activeAt);
  }

  function isVisible({ id, caller: { sessionId }, parentId }: Session, caller: Caller): boolean {
    if (visible === 'all') return true;
    if (sessionId !== caller.sessionId) return false;
    if (id === sessionOf(caller)) return true;
    if (parentId === undefined) return false;
    const parent = sessions.get(keyOf({ sessionId, agentId: parentId, depth: 1 }));
    return parentId === sessionOf(caller) || (parent !== undefined && isVisible(parent, caller));
  }

  return { list, history, send, status, record, note, endSession };
}

/** The key contains the session id, because hosts may use one agent id in two sessions. */
function keyOf(caller: Caller): string {
  return JSON.stringify([caller.sessionId, sessionOf(caller)]);
}

function idsOf({ agentId, parentId }: { readonly agentId: string; readonly parentId?: string | undefined }) {
  return { agentId, ...(parentId === undefined ? {} : { parentId }) };
}

function summary({ id, title, activeAt, parentId }: Session): SessionSummary {
  return { id, title, activeAt: new Date(activeAt).toISOString(), parentId };
}

function add(session: Session, role: SessionMessage['role'], text: string): void {
  const at = new Date(session.activeAt).toISOString();
  const message = { id: `message_${++session.count}`, role, text: text.slice(0, maxMessageChars), at };
  session.messages = [...session.messages, message].slice(-maxMessages);
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined && second === undefined ? undefined : (first ?? 0) + (second ?? 0);
}
