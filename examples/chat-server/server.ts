import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type Answers,
  createToolkit,
  type SuspendedRun,
  type ToolEvent,
  type Toolkit,
  type ToolRun,
  type TurnOptions,
} from 'toolwright';
import type { Model, Reply } from '../agent-loop/model.js';

/** What the server needs: the folder that all sessions work in, and a model for each of them. */
export interface ChatOptions {
  readonly root: string;
  readonly model: () => Model;
}

/** One conversation. Everything that belongs to it inside the toolkit goes by its id. */
interface Session {
  readonly id: string;
  readonly model: Model;
  /** What its turn was left with, until somebody answers; a server of several processes keeps it in its database. */
  waiting?: SuspendedRun;
  turn?: AbortController;
}

/** Where a conversation stands: the model has said something, or its calls have come to something. */
type Standing = { readonly reply: Reply } | { readonly run: ToolRun | SuspendedRun };

/**
 * Conversations over HTTP with one toolkit for all of them, since they share a root; `caller.sessionId` tells them
 * apart. No request stays open while a person thinks: a turn that needs one ends with its questions.
 *
 * - POST /sessions answers { id }
 * - POST /sessions/ID/messages TEXT streams JSON lines: events, and at last { answer }, { error } or { questions }
 * - POST /sessions/ID/answers { [question id]: 'allow-once' | 'allow-always' | 'deny' } goes on, and streams the same
 * - POST /sessions/ID/cancel ends the running turn
 * - DELETE /sessions/ID ends the session and all it started
 *
 * It has no login: a real server checks on each request whose session it is.
 */
export function createChatServer({ root, model }: ChatOptions): { server: Server; toolkit: Toolkit } {
  const sessions = new Map<string, Session>();
  const toolkit = createToolkit({ root, suspensionSecret: randomBytes(32) });

  async function talk(
    session: Session,
    response: ServerResponse,
    begin: (options: TurnOptions & { readonly signal: AbortSignal }) => Promise<Standing>,
  ): Promise<void> {
    const turn = new AbortController();
    session.turn = turn;
    const send = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
    // A browser that goes away ends its turn.
    response.on('close', () => turn.abort());
    const { signal } = turn;
    const options = { caller: { sessionId: session.id }, signal, onEvent: (event: ToolEvent) => send({ event }) };
    try {
      let standing = await begin(options);
      for (;;) {
        if ('reply' in standing) {
          // Somebody may have cancelled while the model was thinking.
          signal.throwIfAborted();
          const { text, calls, cutShort } = standing.reply;
          if (cutShort !== undefined) return send({ error: `The model stopped: ${cutShort}` });
          if (calls.length === 0) return send({ answer: text });
          send({ said: text });
          standing = { run: await toolkit.execute(calls, { ...options, approvals: 'suspend' }) };
        } else if (standing.run.status === 'suspended') {
          session.waiting = standing.run;
          return send({ questions: standing.run.questions });
        } else if (standing.run.interrupted) return send({ error: standing.run.results.at(-1)?.output });
        else standing = { reply: await session.model.answer(standing.run.results, signal) };
      }
    } catch (error) {
      send({ error: error instanceof Error ? error.message : String(error) });
    } finally {
      delete session.turn;
      response.end();
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const [, , id = '', action = ''] = (request.url ?? '').split('/');
    if (request.method === 'POST' && id === '') {
      const session: Session = { id: randomUUID(), model: model() };
      sessions.set(session.id, session);
      return json(response, 201, { id: session.id });
    }
    const session = sessions.get(id);
    if (session === undefined) return json(response, 404, { error: 'There is no such session.' });
    if (request.method === 'DELETE') {
      sessions.delete(id);
      const ended = toolkit.endSession(id);
      // The turn may be waiting for the model, of which the toolkit knows nothing.
      session.turn?.abort();
      return json(response, 200, { left: await ended });
    }
    const body = await textOf(request);
    if (action === 'cancel') {
      session.turn?.abort();
      return json(response, 200, {});
    }
    if (session.turn !== undefined) return json(response, 409, { error: 'This session is at work.' });
    const { waiting } = session;
    if (action === 'messages' && waiting === undefined)
      return await talk(session, response, async ({ signal }) => ({ reply: await session.model.ask(body, signal) }));
    if (action === 'messages') return json(response, 409, { error: 'This session waits for an answer.' });
    if (action !== 'answers' || waiting === undefined) return json(response, 404, { error: 'Nobody asked that.' });
    delete session.waiting;
    return await talk(session, response, async (options) => ({
      run: await toolkit.resume(waiting.suspension, JSON.parse(body) as Answers, options),
    }));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => json(response, 500, { error: String(error) }));
  });
  return { server, toolkit };
}

const maxBodyChars = 100_000;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > maxBodyChars) throw new Error('The message is too long.');
  }
  return text;
}

function json(response: ServerResponse, status: number, value: object): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
