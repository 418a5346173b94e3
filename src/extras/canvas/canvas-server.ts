import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallScope } from '../../core/context.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { Listeners } from '../../core/support/listeners.js';
import { systemTimers, type Timers } from '../../core/support/timer.js';
import { type ConfinedPage, framePage, listPage, sessionPage } from './canvas-pages.js';
import type { CanvasContent, CanvasEvent, CanvasPlace, CanvasServer, CanvasSnapshot } from './canvas-port.js';
import { SessionCanvases } from './session-canvases.js';

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
/**
 * Limit of sessions. Above the limit, of the sessions without an open page, the session that has been idle longest is
 * removed.
 */
const maxSessions = 100;
const maxPagesOfSession = 10;
const maxEventBytes = 20_000;
/**
 * If a page reads so slowly that more bytes than this are unread, the connection of the page is closed. The page
 * reconnects.
 */
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
  return new LoopbackCanvases(server, timers);
}

class LoopbackCanvases implements CanvasServer {
  readonly url: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #timers: Timers;
  readonly #secret = randomBytes(32);
  readonly #token = randomBytes(16).toString('hex');
  /** Sessions by the token in the address of their page. */
  readonly #sessions = new Map<string, SessionCanvases>();
  readonly #listeners = new Listeners<CanvasEvent>();
  #disposal: Promise<void> | undefined;

  constructor(server: Server, timers: Timers) {
    this.#server = server;
    this.#timers = timers;
    this.#port = (server.address() as AddressInfo).port;
    this.url = this.#addressOf(this.#token);
    server.on('request', (request, response) => this.#answer(request, response));
  }

  urlOf(sessionId: string): string {
    return this.#place(this.#session(sessionId)).url;
  }

  show(canvas: CanvasContent, { caller }: CallScope): CanvasPlace {
    const session = this.#session(caller.sessionId);
    session.show(canvas);
    return this.#place(session);
  }

  update(change: Pick<CanvasContent, 'id' | 'data'>, { caller }: CallScope): CanvasPlace {
    const session = this.#session(caller.sessionId);
    session.update(change);
    return this.#place(session);
  }

  snapshot({ id }: { readonly id?: string | undefined }, { caller }: CallScope): CanvasSnapshot {
    return this.#session(caller.sessionId).snapshot(id);
  }

  clear({ id }: { readonly id?: string | undefined }, { caller }: CallScope): void {
    this.#session(caller.sessionId).clear(id);
  }

  subscribe(listener: (event: CanvasEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  endSession(sessionId: string): void {
    const session = this.#sessions.get(this.#tokenOf(sessionId));
    session?.clear();
    session?.snapshot();
    // An open page stays subscribed, in case a session with this id starts again.
    if (session?.pages === 0) this.#sessions.delete(this.#tokenOf(sessionId));
  }

  dispose(): Promise<void> {
    this.#disposal ??= (async () => {
      const closed = once(this.#server, 'close');
      this.#server.close();
      this.#server.closeAllConnections();
      await closed;
      this.#sessions.clear();
    })();
    return this.#disposal;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #tokenOf(sessionId: string): string {
    return createHmac('sha256', this.#secret).update(sessionId).digest('hex').slice(0, 32);
  }

  #addressOf(token: string): string {
    return `http://${host}:${this.#port}/${token}/`;
  }

  #place(session: SessionCanvases): CanvasPlace {
    return { url: this.#addressOf(this.#tokenOf(session.sessionId)), pages: session.pages };
  }

  #session(sessionId: string): SessionCanvases {
    const token = this.#tokenOf(sessionId);
    const session = this.#sessions.get(token) ?? new SessionCanvases(sessionId, this.#timers);
    this.#sessions.delete(token);
    this.#sessions.set(token, session);
    const unseen = [...this.#sessions].find(([key, { pages }]) => pages === 0 && key !== token);
    // A removed session could not update its open page any more.
    if (this.#sessions.size > maxSessions && unseen !== undefined) this.#sessions.delete(unseen[0]);
    return session;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#serve(request, response);
    if (refusal !== undefined) refuse(response, refusal);
  }

  /** Answers a request, or returns the reason for refusing it. */
  #serve(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    // Other host names may point to this machine by DNS rebinding.
    const origin = [host, 'localhost']
      .map((name) => `http://${name}:${this.#port}`)
      .find((one) => one === `http://${request.headers.host}`);
    if (origin === undefined) return [403, 'This Host is not served'];
    const [, token = '', what, id = ''] = (request.url ?? '').replace(/\?.*/, '').split('/');
    const session = this.#sessions.get(token);
    const isList = token === this.#token && what === '';
    if (session === undefined && !isList) return [404, 'Not found: open the address that the agent gave'];
    if (request.method === 'POST' && what === 'event' && session !== undefined) {
      if (request.headers.origin !== origin) return [403, 'This Origin is not served'];
      this.#take(session, request, response);
      return undefined;
    }
    if (request.method !== 'GET') return [405, 'Only GET is served here'];
    if (session === undefined) this.#showList(response);
    else if (what === '') send(response, sessionPage(`${origin}/${token}/frame/`, nonceOf()));
    else if (what === 'events') return this.#stream(session, response);
    else {
      const canvas = what === 'frame' ? session.get(id) : undefined;
      if (canvas === undefined) return [404, 'There is no such canvas'];
      // Outside the frame a canvas could navigate its window to another site.
      if (request.headers['sec-fetch-dest'] !== 'iframe') return [403, 'A canvas is shown in the page of its session'];
      send(response, framePage(canvas, origin));
    }
    return undefined;
  }

  /** Lists the sessions with canvases; redirects to the page if there is only one. */
  #showList(response: ServerResponse): void {
    const sessions = [...this.#sessions].filter(([, { isEmpty }]) => !isEmpty);
    const [[only] = []] = sessions;
    if (only !== undefined && sessions.length === 1)
      response.writeHead(302, { location: `/${only}/`, 'cache-control': 'no-store' }).end();
    else {
      const named = sessions.map(([token, { sessionId }]) => ({ name: sessionId, url: `/${token}/` }));
      send(response, listPage(named, nonceOf()));
    }
  }

  #stream(session: SessionCanvases, response: ServerResponse): Refusal | undefined {
    if (session.pages >= maxPagesOfSession) return [429, 'Too many pages of this session are open'];
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const leave = session.watch((news) => {
      if (response.writableLength > maxUnreadBytes) response.destroy();
      else response.write(`data: ${JSON.stringify(news)}\n\n`);
    });
    response.on('close', leave);
    return undefined;
  }

  #take(session: SessionCanvases, request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= maxEventBytes) parts.push(part);
    });
    request.on('end', () => {
      const sent = bytes > maxEventBytes ? undefined : eventIn(Buffer.concat(parts).toString());
      const event = sent && session.take(sent.id, sent.event);
      if (event === undefined) {
        refuse(response, [400, `No event of a canvas of at most ${maxEventBytes} bytes, or too many at once`]);
        return;
      }
      response.writeHead(204).end();
      this.#listeners.tell(event);
    });
  }
}

type Refusal = readonly [status: number, message: string];

function eventIn(body: string): { readonly id: string; readonly event: unknown } | undefined {
  try {
    const { id, event } = JSON.parse(body);
    return typeof id === 'string' && event !== undefined ? { id, event } : undefined;
  } catch {
    return undefined;
  }
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
