import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ToolError } from '../../core/error.js';
import { assertOptions, having, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { systemTimers, type Timers } from '../../core/support/timer.js';
import type { HttpClient } from '../../ports/http-client.js';
import { ChildEnvironments } from '../../shell/run/child-environment.js';
import {
  connectionsOf,
  createHttpClient,
  type GuardedConnections,
  type HttpClientOptions,
} from '../../web/fetch/create-http-client.js';
import type { Browser, BrowserScope } from './browser-port.js';
import { ChromiumSession } from './chromium-session.js';
import { GuardedProxy } from './guarded-proxy.js';
import { actOn, captureOf, evaluated, snapshotOf } from './page-actions.js';
import { type LaunchOptions, loadPlaywright, type Program } from './playwright.js';

/** Options of {@link chromiumBrowser}. */
export interface ChromiumBrowserOptions {
  /**
   * Absolute path of the program. Default: Chromium or Chrome on the PATH, else the program that Playwright installed.
   */
  readonly executablePath?: string | undefined;
  /**
   * A client of {@link createHttpClient}, or its options: pages may reach what the client may reach. Pass `hosts.http`
   * to use the rules of WebFetch. The browser ignores robots.txt. Default: the public web.
   */
  readonly http?: HttpClient | HttpClientOptions | undefined;
  /** Whether Chromium uses its own sandbox, which fails as root. Default: true unless this process is root. */
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
const clientKind = having('a client', 'get', 'post');

const maxSessions = 4;
const idleMs = 600_000;
/** Limit of the bytes that a session receives during one action. Chromium takes minutes to lay out a longer text. */
const maxBytes = 32_000_000;

/** A session with the function that ends it. */
interface Held {
  readonly session: ChromiumSession;
  /** Ends the session; further calls have no effect. */
  end(): Promise<void>;
}

/**
 * Uses the Chromium of this machine through the optional package `playwright-core`. Each session has its own context,
 * which closes after ten minutes without a call; at most four are open, with ten tabs each. All requests of pages go
 * through a proxy that checks addresses as WebFetch does. Throws a TypeError for invalid options, also for an HTTP
 * client that is not from {@link createHttpClient}.
 */
export function chromiumBrowser(options: ChromiumBrowserOptions = {}): ChromiumBrowser {
  assertOptions('chromiumBrowser', options, optionKinds);
  const { http = {}, timers = systemTimers } = options;
  const client = clientKind.holds(http) ? (http as HttpClient) : createHttpClient(http as HttpClientOptions);
  const connections = connectionsOf(client);
  if (connections === undefined)
    throw new TypeError(
      'chromiumBrowser: http takes a client of createHttpClient, whose rules are known, or its options',
    );
  return new Chromium(options, connections, timers);
}

class Chromium implements ChromiumBrowser {
  readonly #options: ChromiumBrowserOptions;
  readonly #connections: GuardedConnections;
  readonly #timers: Timers;
  readonly #sessions = new Map<string, Promise<Held>>();
  readonly #idle = new Map<string, unknown>();
  readonly #ends = new Set<Promise<void>>();
  #program: Promise<Program> | undefined;

  constructor(options: ChromiumBrowserOptions, connections: GuardedConnections, timers: Timers) {
    this.#options = options;
    this.#connections = connections;
    this.#timers = timers;
  }

  open: Browser['open'] = async ({ url, tab }, scope) => {
    const { session } = await this.#held(scope, true);
    return await session.open(url, tab, scope);
  };

  snapshot: Browser['snapshot'] = async ({ tab }, scope) => {
    const { session } = await this.#held(scope);
    const [state, text] = await session.on(tab, 'The snapshot', scope, (page) => snapshotOf(page, scope));
    return { ...state, text };
  };

  act: Browser['act'] = async (request, scope) => {
    const { session } = await this.#held(scope);
    const [state] = await session.on(request.tab, `The action ${request.kind}`, scope, (page) =>
      actOn(session, page, request, scope),
    );
    return state;
  };

  capture: Browser['capture'] = async (request, scope) => {
    const { session } = await this.#held(scope);
    const [state, captured] = await session.on(request.tab, `The ${request.form}`, scope, (page) =>
      captureOf(session, page, request, scope),
    );
    return { ...state, ...captured };
  };

  evaluate: Browser['evaluate'] = async ({ expression, tab }, scope) => {
    const { session } = await this.#held(scope);
    const [state, text] = await session.on(tab, 'The expression', scope, (page) => evaluated(page, expression));
    return { ...state, text };
  };

  tabs: Browser['tabs'] = async ({ caller: { sessionId } }) =>
    (await (await this.#sessions.get(sessionId))?.session.tabs()) ?? [];

  close: Browser['close'] = async ({ tab }, scope) => {
    if (tab === undefined) return await this.endSession(scope.caller.sessionId);
    const { session } = await this.#held(scope);
    await session.closeTab(tab);
  };

  async endSession(sessionId: string): Promise<void> {
    const opening = this.#sessions.get(sessionId);
    this.#forget(sessionId);
    const ending = (async () => {
      await opening?.then(
        (held) => held.end(),
        () => {},
      );
      await this.#endUnused();
    })();
    this.#ends.add(ending);
    await ending.finally(() => this.#ends.delete(ending));
  }

  async dispose(): Promise<void> {
    const ends = [...this.#sessions.keys()].map((sessionId) => this.endSession(sessionId));
    await Promise.all([...ends, ...this.#ends]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** The session of a caller, created if `opens` is true. Restarts its idle timer. */
  async #held({ caller: { sessionId }, signal }: BrowserScope, opens = false): Promise<Held> {
    signal.throwIfAborted();
    let opening = this.#sessions.get(sessionId);
    if (opening === undefined) {
      if (!opens) throw new ToolError('no_match', 'No page is open. Open one first.');
      if (this.#sessions.size >= maxSessions)
        throw new ToolError(
          'limit_reached',
          `${maxSessions} sessions use the browser already. Try again later, or read the page with WebFetch.`,
        );
      opening = this.#start(sessionId);
      this.#sessions.set(sessionId, opening);
      opening.catch(() => {
        if (this.#sessions.get(sessionId) === opening) void this.endSession(sessionId).catch(() => {});
      });
    }
    this.#timers.clear(this.#idle.get(sessionId));
    this.#idle.set(
      sessionId,
      this.#timers.set(() => void this.endSession(sessionId).catch(() => {}), idleMs),
    );
    return await opening;
  }

  #forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#timers.clear(this.#idle.get(sessionId));
    this.#idle.delete(sessionId);
  }

  async #start(sessionId: string): Promise<Held> {
    // An earlier session may still be closing.
    await Promise.allSettled(this.#ends);
    const program = await (this.#program ??= this.#launch());
    let session: ChromiumSession | undefined;
    const proxy = await GuardedProxy.start({
      maxBytes,
      onRefused: (error) => session?.refused(error),
      connect: async (url, signal) => {
        if (session?.mayVisit(url) !== true)
          throw new ToolError('url_blocked', `A rule blocks requests to ${new URL(url).hostname}. Do without it.`);
        return await this.#connections.open(url, signal);
      },
    });
    try {
      const context = await program.newContext({
        acceptDownloads: true,
        serviceWorkers: 'block',
        proxy: { server: proxy.url, bypass: '<-loopback>' },
      });
      session = new ChromiumSession(context, proxy, this.#connections.hosts);
      context.on('close', () => void proxy.close());
      program.once('disconnected', () => this.#forget(sessionId));
      return {
        session,
        end: async () => {
          await context.close().catch(() => {});
          await proxy.close();
        },
      };
    } catch (thrown) {
      await proxy.close();
      throw thrown;
    }
  }

  async #launch(): Promise<Program> {
    const { chromium } = await loadPlaywright();
    const { executablePath = installedChromium(), sandbox = process.getuid?.() !== 0 } = this.#options;
    const launch: LaunchOptions = {
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
    };
    try {
      const program = await chromium.launch(launch);
      program.once('disconnected', () => {
        this.#program = undefined;
      });
      return program;
    } catch (cause) {
      this.#program = undefined;
      const message =
        'Chromium could not be started. Ask the user to install it, or to pass executablePath to chromiumBrowser.';
      throw new ToolError('not_configured', message, { cause });
    }
  }

  async #endUnused(): Promise<void> {
    if (this.#sessions.size > 0) return;
    const program = this.#program;
    this.#program = undefined;
    await (await program?.catch(() => undefined))?.close();
  }
}

const programNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The first Chromium or Chrome on the PATH. */
function installedChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return programNames
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
