import type { ToolCallResult } from '../core/call.js';
import type { Caller, CallScope } from '../core/context.js';
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
  /** Whether a caller sees only its own session and those of its subagents, or all. Default `own`. */
  readonly visible?: 'own' | 'all' | undefined;
  /** Answers a message to a session of no subagent. Default: such a message fails with `not_configured`. */
  readonly onMessage?:
    | ((request: { readonly id: string; readonly message: string }, scope: CallScope) => Promise<string | undefined>)
    | undefined;
}

/** A text of the conversation. The host adds such texts, because a toolkit gets only calls. */
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
  model: string | undefined;
  turns: number;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
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
  return new MemorySessions(toolkit, options);
}

class MemorySessions implements InProcessSessions {
  readonly #toolkit: SessionToolkit;
  readonly #options: InProcessSessionsOptions;
  /** The sessions by {@link keyOf}, the least recently active first. */
  readonly #sessions = new LatestMap<string, Session>(shellNumbers.maxSessions);

  constructor(toolkit: SessionToolkit, options: InProcessSessionsOptions) {
    this.#toolkit = toolkit;
    this.#options = options;
  }

  list(
    { limit, activeWithinMs }: Parameters<SessionDirectory['list']>[0],
    { caller }: CallScope,
  ): readonly SessionSummary[] {
    const since = activeWithinMs === undefined ? 0 : Date.now() - activeWithinMs;
    return this.#visible(caller)
      .filter(({ activeAt }) => activeAt >= since)
      .slice(0, limit)
      .map(summary);
  }

  history({ id, limit, before }: Parameters<SessionDirectory['history']>[0], { caller }: CallScope) {
    const messages = this.#visibleSession(id, caller)?.messages;
    const end = before === undefined ? undefined : messages?.findIndex((message) => message.id === before);
    return messages?.slice(0, end === -1 ? 0 : end).slice(-limit);
  }

  async send({ id, message }: { readonly id: string; readonly message: string }, scope: CallScope) {
    const { onMessage } = this.#options;
    const { subagents } = this.#toolkit;
    if (this.#visibleSession(id, scope.caller) === undefined) return undefined;
    const agent = this.#agent(id);
    if (agent === undefined && onMessage !== undefined) {
      this.note(id, { role: 'user', text: message });
      return { answer: await onMessage({ id, message }, scope) };
    }
    if (agent === undefined)
      throw new ToolError('not_configured', `The session ${id} takes no messages. Go on without it.`);
    if (agent.state === 'running' || agent.state === 'spawning') {
      subagents.send(id, { from: scope.caller.agentId ?? 'lead', text: message, type: 'message' });
      return {};
    }
    const { description } = agent;
    const { done } = subagents.spawn({ description, prompt: message, resume: id }, scope);
    return { answer: (await done).output };
  }

  async status({ id }: { readonly id: string }, { caller }: CallScope): Promise<SessionStatus | undefined> {
    const session = this.#visibleSession(id, caller);
    if (session === undefined) return undefined;
    const todos = await this.#toolkit.todos(session.caller);
    const { model, inputTokens, outputTokens } = session;
    const turns = this.#agent(id)?.turns ?? session.turns;
    const open = todos.filter((todo) => todo.status !== 'completed').length;
    return { ...summary(session), model, turns, inputTokens, outputTokens, todos: open };
  }

  record(results: readonly ToolCallResult[], { caller }: CallScope): void {
    const session = this.#touch(caller);
    session.turns++;
    for (const { name, output } of results) add(session, 'tool', `${name}: ${output}`);
  }

  note(sessionId: string, { role, text, model, inputTokens, outputTokens }: SessionNote): void {
    const agent = this.#agent(sessionId);
    const own = { sessionId: agent?.sessionId ?? sessionId, depth: agent?.depth ?? 0, ...(agent && idsOf(agent)) };
    const known = this.#sessions.get(keyOf(own)) ?? [...this.#sessions.values()].find(({ id }) => id === sessionId);
    const session = this.#touch(known?.caller ?? own);
    session.model = model ?? session.model;
    session.inputTokens = sum(session.inputTokens, inputTokens);
    session.outputTokens = sum(session.outputTokens, outputTokens);
    if (role === 'user' && session.parentId === undefined) session.title ??= text.slice(0, 100);
    add(session, role, text);
  }

  endSession(sessionId: string): void {
    for (const [id, { caller }] of this.#sessions) if (caller.sessionId === sessionId) this.#sessions.delete(id);
  }

  /** The session of a caller, marked as active now. */
  #touch(caller: Caller): Session {
    const { sessionId, parentId = sessionId } = caller;
    const id = sessionOf(caller);
    const fresh = { id, caller, parentId: id === sessionId ? undefined : parentId, messages: [], count: 0, turns: 0 };
    const unknown = { title: this.#agent(id)?.description, activeAt: 0, model: undefined };
    const key = keyOf(caller);
    const session: Session = this.#sessions.get(key) ?? {
      ...{ ...fresh, ...unknown },
      ...{ inputTokens: undefined, outputTokens: undefined },
    };
    session.activeAt = Date.now();
    this.#sessions.set(key, session);
    return session;
  }

  #agent(id: string) {
    return this.#toolkit.subagents.list().find(({ agentId }) => agentId === id);
  }

  #visibleSession(id: string, caller: Caller): Session | undefined {
    return this.#visible(caller).find((session) => session.id === id);
  }

  /** The sessions that a caller sees, latest first. They include sessions of subagents that have made no call yet. */
  #visible(caller: Caller): readonly Session[] {
    if (!this.#sessions.has(keyOf(caller))) this.#touch(caller);
    for (const agent of this.#toolkit.subagents.list()) {
      const { sessionId, agentId, depth } = agent;
      if (!this.#sessions.has(keyOf({ sessionId, agentId, depth }))) this.#touch({ sessionId, depth, ...idsOf(agent) });
    }
    return [...this.#sessions.values()].filter((one) => this.#isVisible(one, caller)).reverse();
  }

  #isVisible({ id, caller: { sessionId }, parentId }: Session, caller: Caller): boolean {
    if (this.#options.visible === 'all') return true;
    if (sessionId !== caller.sessionId) return false;
    if (id === sessionOf(caller)) return true;
    if (parentId === undefined) return false;
    const parent = this.#sessions.get(keyOf({ sessionId, agentId: parentId, depth: 1 }));
    return parentId === sessionOf(caller) || (parent !== undefined && this.#isVisible(parent, caller));
  }
}

function sessionOf({ sessionId, agentId, depth = 0 }: Caller): string {
  return depth > 0 && agentId !== undefined ? agentId : sessionId;
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
