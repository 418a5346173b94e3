import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assertOptions, ifPossible, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { Listeners } from '../../core/support/listeners.js';
import { lazily } from '../../core/support/once.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import type { CanvasEvent, CanvasPlace, CanvasServer } from './canvas.js';
import { type ConfinedPage, framePage, listPage, sessionPage } from './pages.js';
import { type SessionCanvases, sessionCanvases } from './session-canvases.js';

/** Options of {@link canvasServer}. */
export interface CanvasServerOptions {
  /** A port on 127.0.0.1; 0 means a free port. Default 0. */
  readonly port?: number | undefined;
  /** A clock, for tests. */
  readonly timers?: Timers | undefined;
}

const optionKinds: OptionKinds<CanvasServerOptions> = {
  port: kindOf.port,
  timers: timersKind,
};

const host = '127.0.0.1';
const headersMs = 5_000;
const maxConnections = 200;
/** Above this limit, the session that was idle longest and has no open page is removed. */
const maxSessions = 100;
const maxPagesOfSession = 10;
const maxEventBytes = 20_000;
/** A page that leaves more bytes unread is disconnected. It reconnects. */
const maxUnreadBytes = 2_000_000;

/**
 * Shows canvases on 127.0.0.1 to browsers of this machine that know the token in the address. Resolves when the server
 * listens; rejects if the port is not available. Throws a TypeError for invalid options.
 */
export async function canvasServer(options: CanvasServerOptions = {}): Promise<CanvasServer> {
  assertOptions('canvasServer', options, optionKinds);
  const { port = 0, timers = systemTimers } = options;
  const server = createServer({ headersTimeout: headersMs, requestTimeout: headersMs });
  server.maxConnections = maxConnections;
  server.listen(port, host);
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  const secret = randomBytes(32);
  const listToken = randomBytes(16).toString('hex');
  /** Sessions by the token in the address of their page. */
  const sessions = new Map<string, SessionCanvases>();
  const listeners = new Listeners<CanvasEvent>();

  const tokenOf = (sessionId: string) => createHmac('sha256', secret).update(sessionId).digest('hex').slice(0, 32);
  const addressOf = (token: string) => `http://${host}:${taken}/${token}/`;
  const placeOf = ({ sessionId, pages }: SessionCanvases): CanvasPlace => ({
    url: addressOf(tokenOf(sessionId)),
    pages,
  });
  const sessionOf = (sessionId: string): SessionCanvases => {
    const token = tokenOf(sessionId);
    const session = sessions.get(token) ?? sessionCanvases(sessionId, timers);
    sessions.delete(token);
    sessions.set(token, session);
    const unseen = [...sessions].find(([key, { pages }]) => pages === 0 && key !== token);
    // A session with an open page is kept, because a removed session would send no more updates.
    if (sessions.size > maxSessions && unseen !== undefined) sessions.delete(unseen[0]);
    return session;
  };

  const changed = (sessionId: string, change: (session: SessionCanvases) => void): CanvasPlace => {
    const session = sessionOf(sessionId);
    change(session);
    return placeOf(session);
  };

  /** Lists the sessions with canvases. Redirects to the page of the session if there is only one. */
  const showList = (response: ServerResponse): void => {
    const shown = [...sessions].filter(([, { isEmpty }]) => !isEmpty);
    const [[only] = []] = shown;
    if (only !== undefined && shown.length === 1)
      response.writeHead(302, { location: `/${only}/`, 'cache-control': 'no-store' }).end();
    else {
      const named = shown.map(([token, { sessionId }]) => ({ name: sessionId, url: `/${token}/` }));
      send(response, listPage(named, nonceOf()));
    }
  };

  const takeEvent = async (session: SessionCanvases, request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of request as AsyncIterable<Buffer>)
      if ((bytes += part.length) <= maxEventBytes) parts.push(part);
    const sent = bytes > maxEventBytes ? undefined : eventIn(Buffer.concat(parts).toString());
    const event = sent && session.take(sent.id, sent.event);
    if (event === undefined)
      return refuse(response, [400, `Not an event of a canvas, over ${maxEventBytes} bytes, or too many events`]);
    response.writeHead(204).end();
    listeners.tell(event);
  };

  /** Answers a request, or returns the reason for refusing it. */
  const serve = (request: IncomingMessage, response: ServerResponse): Refusal | undefined => {
    // Other host names may point to this machine by DNS rebinding.
    const origin = [host, 'localhost']
      .map((name) => new URL(`http://${name}:${taken}`))
      // `URL` and clients leave out the default port.
      .find((one) => one.host === request.headers.host)?.origin;
    if (origin === undefined) return [403, 'This Host is not served'];
    const [, token = '', what, id = ''] = (request.url ?? '').replace(/\?.*/, '').split('/');
    const session = sessions.get(token);
    const isList = token === listToken && what === '';
    if (session === undefined && !isList) return [404, 'Not found: open the address that the agent gave'];
    if (request.method === 'POST' && what === 'event' && session !== undefined) {
      if (request.headers.origin !== origin) return [403, 'This Origin is not served'];
      takeEvent(session, request, response).catch(() => request.destroy());
      return undefined;
    }
    if (request.method !== 'GET') return [405, 'Only GET is served here'];
    if (session === undefined) showList(response);
    else if (what === '') send(response, sessionPage(`${origin}/${token}/frame/`, nonceOf()));
    else if (what === 'events') return stream(session, response);
    else {
      const canvas = what === 'frame' ? session.get(id) : undefined;
      if (canvas === undefined) return [404, 'There is no such canvas'];
      // Opened outside its frame, a canvas could navigate the window to another site.
      if (request.headers['sec-fetch-dest'] !== 'iframe') return [403, 'A canvas is shown in the page of its session'];
      send(response, framePage(canvas, origin));
    }
    return undefined;
  };

  server.on('request', (request, response) => {
    const refusal = serve(request, response);
    if (refusal !== undefined) refuse(response, refusal);
  });
  const dispose = lazily(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    sessions.clear();
  });
  return {
    url: addressOf(listToken),
    urlOf: (sessionId) => placeOf(sessionOf(sessionId)).url,
    show: (canvas, { caller }) => changed(caller.sessionId, (session) => session.show(canvas)),
    update: (change, { caller }) => changed(caller.sessionId, (session) => session.update(change)),
    snapshot: ({ id }, { caller }) => sessionOf(caller.sessionId).snapshot(id),
    clear: ({ id }, { caller }) => sessionOf(caller.sessionId).clear(id),
    subscribe: (listener) => listeners.add(listener),
    endSession(sessionId) {
      const session = sessions.get(tokenOf(sessionId));
      session?.clear();
      session?.snapshot();
      // An open page stays subscribed, in case a session with this id starts again.
      if (session?.pages === 0) sessions.delete(tokenOf(sessionId));
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Sends the updates of a session to a page until the page is closed. */
function stream(session: SessionCanvases, response: ServerResponse): Refusal | undefined {
  if (session.pages >= maxPagesOfSession) return [429, 'Too many pages of this session are open'];
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const leave = session.watch((news) => {
    if (response.writableLength > maxUnreadBytes) response.destroy();
    else response.write(`data: ${JSON.stringify(news)}\n\n`);
  });
  response.on('close', leave);
  return undefined;
}

type Refusal = readonly [status: number, message: string];

function eventIn(body: string): { readonly id: string; readonly event: unknown } | undefined {
  const { id, event } = Object(ifPossible(() => JSON.parse(body)));
  return typeof id === 'string' && event !== undefined ? { id, event } : undefined;
}

function nonceOf(): string {
  return randomBytes(16).toString('base64');
}

function send(response: ServerResponse, { body, headers }: ConfinedPage): void {
  response.writeHead(200, headers).end(body);
}

function refuse(response: ServerResponse, [status, message]: Refusal): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(`${message}\n`);
}
