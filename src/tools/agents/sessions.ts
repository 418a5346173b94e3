import type { output } from 'zod/v4/core';
import { type CallScope, sessionOf } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { inputObject, integer, optional, text, words } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { type Timers, waitFor } from '../../core/support/timers.js';
import { firstChars } from '../../core/text/cut.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { SessionDirectory, SessionMessage, SessionStatus, SessionSummary } from '../../ports/agents/sessions.js';
import { askHost } from '../../ports/ask-host.js';
import type { TaskManager } from '../../sessions/task-manager.js';
import { dependenciesOf } from '../support/factory-arguments.js';

interface SessionDependencies {
  readonly sessions: () => Promise<SessionDirectory>;
  /** Time limit for an answer of the host, in milliseconds; 0 = no limit. */
  readonly timeoutMs: number;
  readonly timers?: Timers | undefined;
}

/** Asks the host about a session. Throws `invalid_input` for a session that the caller must not see. */
async function askForSession<Answer>(
  { sessions, timeoutMs, timers }: SessionDependencies,
  id: string,
  scope: CallScope,
  ask: (directory: SessionDirectory, scope: CallScope) => Promise<Answer | undefined> | Answer | undefined,
  isUsable: (answer: Answer) => boolean,
): Promise<Answer> {
  const answer = await askHost<Answer | undefined>(
    { option: 'sessions', timeoutMs, timers, isUsable: (one) => one === undefined || isUsable(one) },
    scope,
    async (inner) => ask(await sessions(), inner),
  );
  if (answer !== undefined) return answer;
  throw new ToolError(
    'invalid_input',
    `session_key: there is no session ${JSON.stringify(id)} that you started. See sessions_list.`,
  );
}

const statusInput = lazily(() => inputObject({ session_key: optional(text('Default: yours')) }));

/** The dependencies of session_status. */
export interface SessionStatusDependencies extends SessionDependencies {
  /** Used to count the running tasks if the host does not report their number. */
  readonly tasks: Pick<TaskManager, 'list'>;
}

/** Shows the state of a session. */
export function sessionStatusTool(
  dependencies: SessionStatusDependencies,
): Tool<output<ReturnType<typeof statusInput>>> {
  dependenciesOf('sessionStatusTool', dependencies, 'sessions', 'timeoutMs', 'tasks');
  return Tool.define('session_status', {
    description: 'Show the state of a session: its model, turns, tokens, running tasks and open todos.',
    input: statusInput(),
    sideEffect: 'readonly',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    async execute({ session_key: key }, context): Promise<ToolResult> {
      const id = key ?? sessionOf(context.caller);
      const status = await askForSession(
        dependencies,
        id,
        context,
        (directory, scope) => directory.status({ id }, scope),
        (one) => typeof one?.id === 'string' && typeof one.activeAt === 'string',
      );
      const running = dependencies.tasks.list().filter((task) => task.state === 'running' && task.sessionId === id);
      const complete = {
        ...status,
        tasks: status.tasks ?? (id === context.caller.sessionId ? running.length : undefined),
      };
      return { output: lines(complete).join('\n'), metadata: { status: complete } };
    },
  });
}

function lines({
  id,
  title,
  activeAt,
  model,
  turns,
  inputTokens,
  outputTokens,
  tasks,
  todos,
}: SessionStatus): string[] {
  const facts = {
    ...{ Session: id, Title: title, Active: activeAt, Model: model, Turns: turns },
    ...{ 'Tokens in': inputTokens, 'Tokens out': outputTokens, 'Running tasks': tasks, 'Open todos': todos },
  };
  return Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
}

const defaultMessages = 20;
const maxMessages = 200;
/** Longer tool results are cut in the history. The model can repeat the tool call to see the whole result. */
const maxToolChars = 500;

const historyInput = lazily(() =>
  inputObject({
    session_key: optional(text('Default: yours')),
    limit: optional(integer(undefined, { minimum: 1, maximum: maxMessages })),
    before: optional(text('Id of a message')),
  }),
);

/** Shows the last messages of a session. */
export function sessionsHistoryTool(dependencies: SessionDependencies): Tool<output<ReturnType<typeof historyInput>>> {
  dependenciesOf('sessionsHistoryTool', dependencies, 'sessions', 'timeoutMs');
  return Tool.define('sessions_history', {
    description: 'Show the last messages of a session, or the messages before a given one.',
    input: historyInput(),
    sideEffect: 'readonly',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    async execute({ session_key: key, limit = defaultMessages, before }, context): Promise<ToolResult> {
      const id = key ?? sessionOf(context.caller);
      const areMessages = (all: readonly SessionMessage[]) => Array.isArray(all) && all.every(isMessage);
      const found = await askForSession(
        dependencies,
        id,
        context,
        (directory, scope) => directory.history({ id, limit, before }, scope),
        areMessages,
      );
      const messages = found.slice(-limit).map((message) => ({ ...message, text: shortText(message) }));
      const lines = messages.map((message) => `[${message.id}] ${message.role}: ${message.text}`);
      return { output: lines.join('\n') || 'No messages', metadata: { session: id, messages } };
    },
  });
}

function isMessage(one: SessionMessage): boolean {
  return [one?.id, one?.role, one?.text].every((part) => typeof part === 'string');
}

function shortText({ role, text: whole }: SessionMessage): string {
  const start = role === 'tool' ? firstChars(whole, maxToolChars) : whole;
  return start === whole ? whole : `${start} [${whole.length - start.length} more characters]`;
}

const maxSessions = 50;

const listInput = lazily(() =>
  inputObject({
    limit: optional(integer(undefined, { minimum: 1, maximum: maxSessions })),
    active_minutes: optional(integer('Only sessions active in this time', { minimum: 1 })),
  }),
);

/** Lists the sessions that the caller may see. */
export function sessionsListTool(dependencies: SessionDependencies): Tool<output<ReturnType<typeof listInput>>> {
  const { sessions, timeoutMs, timers } = dependenciesOf('sessionsListTool', dependencies, 'sessions', 'timeoutMs');
  return Tool.define('sessions_list', {
    description: 'List your session and the sessions that you started, latest first.',
    input: listInput(),
    sideEffect: 'readonly',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    async execute({ limit = maxSessions, active_minutes: minutes }, context): Promise<ToolResult> {
      const activeWithinMs = minutes === undefined ? undefined : minutes * 60_000;
      const isUsable = (all: readonly SessionSummary[]) => Array.isArray(all) && all.every(isSummary);
      const listed = await askHost({ option: 'sessions', timeoutMs, timers, isUsable }, context, async (scope) =>
        (await sessions()).list({ limit, activeWithinMs }, scope),
      );
      const shown = listed.slice(0, limit);
      const own = sessionOf(context.caller);
      return { output: shown.map((one) => line(one, own)).join('\n') || 'No sessions', metadata: { sessions: shown } };
    },
  });
}

function isSummary(one: SessionSummary): boolean {
  return typeof one?.id === 'string' && typeof one.activeAt === 'string';
}

function line({ id, title, activeAt, parentId }: SessionSummary, own: string): string {
  const notes = [id === own ? 'yours' : '', parentId === undefined ? '' : `started by ${parentId}`].filter(Boolean);
  const about = title === undefined ? '' : ` ${title.replaceAll(/\s+/g, ' ')}`;
  return `${id}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${about}, active ${activeAt}`;
}

const defaultSeconds = 30;
const maxSeconds = 120;

const sendInput = (maxChars: number) =>
  inputObject({
    session_key: text(undefined, { minLength: 1 }),
    message: words(maxChars),
    timeout_seconds: optional(integer('How long to wait for an answer', { minimum: 0, maximum: maxSeconds })),
  });

/** The dependencies of sessions_send. */
export interface SessionsSendDependencies extends SessionDependencies {
  /** The limits of messages, from `limits.subagents`. */
  readonly limits: { readonly maxMessageChars: number };
}

/** Sends a message to a session and waits for an answer, by default for 30 seconds. */
export function sessionsSendTool(dependencies: SessionsSendDependencies): Tool<output<ReturnType<typeof sendInput>>> {
  dependenciesOf('sessionsSendTool', dependencies, 'sessions', 'timeoutMs', 'limits');
  return Tool.define('sessions_send', {
    description: `Send a message to a session that you started. Waits for an answer, ${defaultSeconds} seconds by default.`,
    input: sendInput(dependencies.limits.maxMessageChars),
    sideEffect: 'network',
    title: ({ session_key: id, message }) => `sessions_send to ${id}: ${message}`,
    async execute(
      { session_key: id, message, timeout_seconds: seconds = defaultSeconds },
      context,
    ): Promise<ToolResult> {
      if (id === sessionOf(context.caller))
        throw new ToolError('invalid_input', 'session_key: that is your own session. Name another one.');
      const { timeoutMs } = dependencies;
      const over = new AbortController();
      const late = waitFor(seconds * 1_000, over.signal, dependencies.timers).then(() => ({ isLate: true }));
      try {
        const { answer, isLate } = await askForSession<{ answer?: string | undefined; isLate?: boolean }>(
          { ...dependencies, timeoutMs: timeoutMs === 0 ? 0 : seconds * 1_000 + timeoutMs },
          id,
          context,
          (directory, scope) => Promise.race([directory.send({ id, message }, scope), late]),
          (sent) => typeof sent === 'object' && sent !== null && ['string', 'undefined'].includes(typeof sent.answer),
        );
        const none =
          isLate === true || seconds === 0 ? `No answer within ${seconds} seconds` : 'The session gives no answer now';
        const output = answer ?? `Sent. ${none}; sessions_history shows a later answer.`;
        return { output, metadata: { session: id, answered: answer !== undefined } };
      } finally {
        over.abort();
      }
    },
  });
}
