import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AskAnswer, createPermissions, createToolkit, type PermissionRequest, type Toolkit } from 'toolwright';
import type { Model } from '../agent-loop/model.js';

/** What the server needs: the folder that all sessions work in, and a model for each of them. */
export interface ChatOptions {
  readonly root: string;
  readonly model: () => Model;
}

/** One conversation. Everything that belongs to it inside the toolkit goes by its id. */
interface Session {
  readonly id: string;
  readonly model: Model;
  /** Questions that wait for a person, by the id of their call. */
  readonly questions: Map<string, (answer: AskAnswer) => void>;
  turn?: AbortController;
  /** Sends a line to the browser that reads the running turn. */
  send?: (line: object) => void;
}

/**
 * Conversations over HTTP with one toolkit for all of them, since they share a root; `caller.sessionId` tells them
 * apart.
 *
 * POST   /sessions                     → { id } POST   /sessions/ID/messages TEXT    → a stream of JSON lines: events,
 * questions, at last { answer } or { error } POST   /sessions/ID/answers/CALL     the body is `allow-once`,
 * `allow-always` or `deny` POST   /sessions/ID/cancel           ends the running turn DELETE /sessions/ID
 *    ends the session and all it started
 *
 * It has no login: a real server checks on each request whose session it is.
 */
export function createChatServer({ root, model }: ChatOptions): { server: Server; toolkit: Toolkit } {
  const sessions = new Map<string, Session>();
  const permissions = createPermissions({
    root,
    onAsk: ({ callId, title, preview, warnings }: PermissionRequest, { caller, signal }) =>
      new Promise((answer) => {
        const session = sessions.get(caller.sessionId);
        if (session === undefined) return answer('deny');
        session.questions.set(callId, answer);
        signal.addEventListener('abort', () => session.questions.delete(callId), { once: true });
        session.send?.({ question: callId, title, preview, warnings });
      }),
  });
  const toolkit = createToolkit({ root, permissions });

  async function chat(session: Session, text: string, response: ServerResponse): Promise<void> {
    const turn = new AbortController();
    session.turn = turn;
    session.send = (line) => response.write(`${JSON.stringify(line)}\n`);
    // A browser that goes away ends its turn.
    response.on('close', () => turn.abort());
    try {
      let reply = await session.model.ask(text, turn.signal);
      while (reply.calls.length > 0) {
        // Somebody may have cancelled while the model was thinking.
        turn.signal.throwIfAborted();
        session.send({ said: reply.text });
        const { results, interrupted } = await toolkit.execute(reply.calls, {
          caller: { sessionId: session.id },
          signal: turn.signal,
          onEvent: (event) => session.send?.({ event }),
        });
        if (interrupted) return session.send({ error: results.at(-1)?.output });
        reply = await session.model.answer(results, turn.signal);
      }
      session.send({ answer: reply.text });
    } catch (error) {
      session.send?.({ error: error instanceof Error ? error.message : String(error) });
    } finally {
      delete session.turn;
      delete session.send;
      response.end();
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const [, , id = '', action = '', callId = ''] = (request.url ?? '').split('/');
    if (request.method === 'POST' && id === '') {
      const session: Session = { id: randomUUID(), model: model(), questions: new Map() };
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
    if (action === 'messages' && session.turn !== undefined)
      return json(response, 409, { error: 'This session is at work.' });
    if (action === 'messages') return await chat(session, body, response);
    if (action === 'cancel') {
      session.turn?.abort();
      return json(response, 200, {});
    }
    const answer = session.questions.get(callId);
    if (action !== 'answers' || answer === undefined) return json(response, 404, { error: 'Nobody asked that.' });
    session.questions.delete(callId);
    answer(body === 'allow-once' || body === 'allow-always' ? body : 'deny');
    return json(response, 200, {});
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
