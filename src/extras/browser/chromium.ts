import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ToolError } from '../../core/error.js';
import { assertOptions, ifPossible, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { hostKinds } from '../../ports/check-hosts.js';
import type { HttpClient } from '../../ports/http-client.js';
import { ChildEnvironments } from '../../shell/run/child-environment.js';
import {
  connectionsOf,
  createHttpClient,
  type GuardedConnections,
  type HttpClientOptions,
} from '../../web/fetch/create-http-client.js';
import type { Browser, BrowserScope } from './browser.js';
import { ChromiumSession } from './chromium-session.js';
import { guardedProxy } from './guarded-proxy.js';
import { actOn, captureOf, evaluated, snapshotOf } from './page-actions.js';
import { loadPlaywright, type Page, type Program } from './playwright.js';

/** Options of {@link chromiumBrowser}. */
export interface ChromiumBrowserOptions {
  /** Absolute path of the program. Default: Chromium or Chrome on the PATH, or else the Chromium of Playwright. */
  readonly executablePath?: string | undefined;
  /**
   * A client of {@link createHttpClient}, or its options. Pages may reach the same addresses as the client: pass
   * `hosts.http` to use the rules of WebFetch. The browser ignores robots.txt. Default: the public web.
   */
  readonly http?: HttpClient | HttpClientOptions | undefined;
  /** Whether Chromium uses its own sandbox, which does not work for root. Default: true unless this process is root. */
  readonly sandbox?: boolean | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** A Chromium that starts with the first page and ends with the last session. */
export interface ChromiumBrowser extends Browser, AsyncDisposable {
  /** Ends all sessions. A later call starts Chromium again. */
  dispose(): Promise<void>;
}

const optionKinds: OptionKinds<ChromiumBrowserOptions> = {
  executablePath: kindOf.absolutePath,
  http: kindOf.record,
  sandbox: kindOf.flag,
  timers: timersKind,
};

const maxSessions = 4;
const idleMs = 600_000;
/** Limit of the bytes that a session receives during one action. Chromium needs minutes to lay out more text. */
const maxBytes = 32_000_000;

/**
 * Uses the Chromium of this machine through the optional package `playwright-core`. Each session has its own context,
 * which closes after ten minutes without a call; at most four are open, with ten tabs each. All requests of pages go
 * through a proxy that checks addresses as WebFetch does. Throws a TypeError for invalid options, also for an HTTP
 * client that is not from {@link createHttpClient}.
 */
export function chromiumBrowser(options: ChromiumBrowserOptions = {}): ChromiumBrowser {
  assertOptions('chromiumBrowser', options, optionKinds);
  const { http = {}, timers = systemTimers } = options;
  const client = hostKinds.http.holds(http) ? (http as HttpClient) : createHttpClient(http as HttpClientOptions);
  const connections = connectionsOf(client);
  const takes = 'http takes a client of createHttpClient or its options; other clients have no known address rules';
  if (connections === undefined) throw new TypeError(`chromiumBrowser: ${takes}`);
  const sessions = new Map<string, Promise<ChromiumSession>>();
  const idle = new Map<string, unknown>();
  const ends = new Set<Promise<void>>();
  let program: Promise<Program> | undefined;

  const forget = (sessionId: string): void => {
    sessions.delete(sessionId);
    timers.clear(idle.get(sessionId));
    idle.delete(sessionId);
  };

  const endUnused = async (): Promise<void> => {
    if (sessions.size > 0) return;
    const unused = program;
    program = undefined;
    await (await unused?.catch(() => undefined))?.close();
  };

  const endSession = async (sessionId: string): Promise<void> => {
    const opening = sessions.get(sessionId);
    forget(sessionId);
    const ending = (async () => {
      await (await opening?.catch(() => undefined))?.close();
      await endUnused();
    })();
    ends.add(ending);
    await ending.finally(() => ends.delete(ending));
  };

  const launched = async (): Promise<Program> => {
    const lost = () => {
      program = undefined;
    };
    try {
      return (await launch(options)).once('disconnected', lost);
    } catch (thrown) {
      lost();
      throw thrown;
    }
  };

  const start = async (onClosed: () => void): Promise<ChromiumSession> => {
    // An earlier session may still be closing.
    await Promise.allSettled(ends);
    return await startSession(await (program ??= launched()), connections, onClosed);
  };

  /** The session of a caller, created if `opens` is true. Restarts its idle timer. */
  const sessionOf = async (
    { caller: { sessionId }, signal }: BrowserScope,
    opens = false,
  ): Promise<ChromiumSession> => {
    signal.throwIfAborted();
    const end = () => void endSession(sessionId).catch(() => {});
    let opening = sessions.get(sessionId);
    if (opening === undefined) {
      if (!opens) throw new ToolError('no_match', 'No page is open. Open one first.');
      const next = 'Try again later, or read the page with WebFetch.';
      if (sessions.size >= maxSessions)
        throw new ToolError('limit_reached', `${maxSessions} sessions use the browser already. ${next}`);
      const isCurrent = () => sessions.get(sessionId) === own;
      const own = start(() => isCurrent() && forget(sessionId));
      sessions.set(sessionId, own);
      own.catch(() => isCurrent() && end());
      opening = own;
    }
    timers.clear(idle.get(sessionId));
    idle.set(sessionId, timers.set(end, idleMs));
    return await opening;
  };

  const on = async <Answer extends object | void>(
    { tab }: { readonly tab?: string | undefined },
    what: string,
    scope: BrowserScope,
    act: (page: Page, session: ChromiumSession) => Promise<Answer>,
  ) => (await sessionOf(scope)).on(tab, what, scope, act);

  const dispose = async (): Promise<void> => {
    const ending = [...sessions.keys()].map(endSession);
    await Promise.all([...ending, ...ends]);
  };

  return {
    open: async ({ url, tab }, scope) => (await sessionOf(scope, true)).open(url, tab, scope),
    snapshot: (request, scope) => on(request, 'The snapshot', scope, (page) => snapshotOf(page, scope)),
    act: (request, scope) =>
      on(request, `The action ${request.kind}`, scope, (page, session) => actOn(session, page, request, scope)),
    capture: (request, scope) =>
      on(request, `The ${request.form}`, scope, (page, session) => captureOf(session, page, request, scope)),
    evaluate: (request, scope) => on(request, 'The expression', scope, (page) => evaluated(page, request.expression)),
    tabs: async ({ caller: { sessionId } }) => (await (await sessions.get(sessionId))?.tabs()) ?? [],
    async close({ tab }, scope) {
      if (tab === undefined) await endSession(scope.caller.sessionId);
      else await (await sessionOf(scope)).closeTab(tab);
    },
    endSession,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Starts a session that reaches the network only through a proxy. A crash of Chromium also calls `onClosed`. */
async function startSession(
  program: Program,
  connections: GuardedConnections,
  onClosed: () => void,
): Promise<ChromiumSession> {
  let session: ChromiumSession | undefined;
  const proxy = await guardedProxy({
    maxBytes,
    onRefused: (error) => session?.refused(error),
    connect: async (url, signal) => {
      if (session?.mayVisit(url) !== true)
        throw new ToolError('url_blocked', `A rule blocks requests to ${new URL(url).hostname}. Do without it.`);
      return await connections.open(url, signal);
    },
  });
  try {
    const context = await program.newContext({
      acceptDownloads: true,
      serviceWorkers: 'block',
      proxy: { server: proxy.url, bypass: '<-loopback>' },
    });
    session = new ChromiumSession(context, proxy, connections.hosts);
    context.on('close', () => {
      onClosed();
      void proxy.close();
    });
    return session;
  } catch (thrown) {
    await proxy.close();
    throw thrown;
  }
}

async function launch(options: ChromiumBrowserOptions): Promise<Program> {
  const { chromium } = await loadPlaywright();
  const { executablePath = installedChromium(), sandbox = process.getuid?.() !== 0 } = options;
  try {
    return await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      chromiumSandbox: sandbox,
      env: { ...new ChildEnvironments().make(process.env).env },
      // The host program handles signals; Chromium ends when its pipe closes.
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      args: [
        '--disable-quic',
        '--webrtc-ip-handling-policy=disable_non_proxied_udp',
        '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
        // Otherwise Chromium sends descriptions of forms to a server.
        '--autofill-server-url=about:blank',
        // Only the proxy resolves host names.
        '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      ],
    });
  } catch (cause) {
    const next = 'Ask the user to install it, or to pass executablePath to chromiumBrowser.';
    throw new ToolError('not_configured', `Chromium could not be started. ${next}`, { cause });
  }
}

const programNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The first Chromium or Chrome on the PATH. */
function installedChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return programNames
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => ifPossible(() => accessSync(path, constants.X_OK) === undefined));
}
