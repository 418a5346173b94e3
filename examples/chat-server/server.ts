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

/** The parts of the server: the folder of all sessions, and a model for each session. */
export interface ChatOptions {
  readonly root: string;
  readonly model: () => Model;
}

/** One conversation. Its id is the session id in the toolkit. */
interface Session {
  readonly id: string;
  readonly model: Model;
  /** The suspended turn, until somebody answers. A server with several processes stores it in its database. */
  waiting?: SuspendedRun;
  turn?: AbortController;
}

/** The next step of a conversation: an answer of the model, or the outcome of its calls. */
type Standing = { readonly reply: Reply } | { readonly run: ToolRun | SuspendedRun };

/**
 * Conversations over HTTP. They share a root and so a toolkit; `caller.sessionId` separates them. No request stays open
 * while a person thinks: a turn with questions ends, and returns them.
 *
 * - POST /sessions answers { id }
 * - POST /sessions/ID/messages TEXT streams JSON lines: events, and finally { answer }, { error } or { questions }
 * - POST /sessions/ID/answers { [question id]: 'allow-once' | 'allow-always' | 'deny' } continues, and streams the same
 * - POST /sessions/ID/cancel ends the running turn
 * - DELETE /sessions/ID ends the session and everything it started
 *
 * It has no login. A real server checks with each request who owns the session.
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
    // If the browser disconnects, its turn ends.
    response.on('close', () => turn.abort());
    const { signal } = turn;
    const options = { caller: { sessionId: session.id }, signal, onEvent: (event: ToolEvent) => send({ event }) };
    try {
      let standing = await begin(options);
      for (;;) {
        if ('reply' in standing) {
          // The turn may have been cancelled while the model was answering.
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
      // The turn may be waiting for the model, which the toolkit cannot cancel.
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
