import { isDeepStrictEqual } from 'node:util';
import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { resolveLimits } from '../core/resolve-limits.js';
import { assertOptions } from '../core/support/check-values.js';
import { Listeners, tell } from '../core/support/listeners.js';
import { didYouMean } from '../core/support/near-names.js';
import type { Timers } from '../core/support/timers.js';
import type {
  McpAnswers,
  McpClient,
  McpResourceContent,
  McpResourcePage,
  McpServer,
  McpTool,
  McpToolAnswer,
  McpToolCall,
  McpUpdate,
} from '../ports/mcp-client.js';
import { assertServerConfig, type McpServerConfig } from './connection/server-config.js';
import { type McpFingerprints, memoryFingerprints } from './lists/fingerprint-stores.js';
import {
  type McpPrompt,
  type McpPromptText,
  readContents,
  readPromptText,
  readToolAnswer,
} from './lists/read-server-result.js';
import { ServerTools } from './lists/server-tools.js';
import { grantOf, passesFilter } from './lists/tool-filter.js';
import { backgroundTimers, type McpManagerOptions, type McpServerStatus, managerKinds } from './manager-options.js';
import { ServerConnections } from './open-server.js';
import { resourcePage, resourcePageOfAll } from './resource-pages.js';
import { SupervisedServer } from './supervised-server.js';

/**
 * The client of MCP servers. The manager starts and supervises the servers, and reconnects to a lost server after
 * increasing pauses; meanwhile the tools of that server stay listed. On disposal the manager ends all server processes.
 * Throws a TypeError for invalid options.
 */
export class McpManager implements McpClient {
  readonly #options: McpManagerOptions;
  readonly #limits: Limits['mcp'];
  readonly #timers: Timers;
  readonly #servers = new Map<string, SupervisedServer>();
  readonly #listeners = new Listeners<McpUpdate>();
  readonly #fingerprints: McpFingerprints;
  readonly #connections: ServerConnections;
  #disposal: Promise<void> | undefined;

  constructor(options: McpManagerOptions = {}) {
    assertOptions('McpManager', options, managerKinds);
    const { servers = {}, limits = {}, answers, timers, fingerprints, consent } = options;
    this.#options = options;
    this.#limits = resolveLimits({ mcp: 'mcp' in limits ? limits.mcp : limits }).mcp;
    this.#timers = timers ?? backgroundTimers;
    this.#fingerprints = fingerprints ?? memoryFingerprints();
    const onSecret = (server: string) =>
      this.#listeners.tell({ server, state: this.#servers.get(server)?.state ?? 'stopped' });
    this.#connections = new ServerConnections({
      limits: this.#limits,
      timers: this.#timers,
      consent,
      answers,
      onSecret,
    });
    for (const [name, config] of Object.entries(servers)) this.#put(name, config);
  }

  /** Starts all stopped servers. Resolves when each has connected or failed once; never rejects because of a server. */
  async connect(): Promise<void> {
    if (this.#disposal !== undefined) return;
    const down = [...this.#servers.values()].filter((one) => one.state === 'stopped');
    await Promise.all(down.map((one) => one.start()));
  }

  /**
   * Adds a server and starts it, as {@link connect} does. Throws a TypeError if another server already has this name.
   */
  async add(name: string, config: McpServerConfig): Promise<void> {
    await this.#put(name, config).start();
  }

  /**
   * Makes sure that a server with this name and config exists: adds the server, or replaces a server that has this name
   * but a different config. Resolves as {@link add} does.
   */
  async ensure(name: string, config: McpServerConfig): Promise<void> {
    const there = this.#servers.get(name);
    if (there === undefined) return await this.add(name, config);
    if (isDeepStrictEqual(there.config, config)) {
      const isNew = there.state === 'stopped' && this.#disposal === undefined;
      return await (isNew ? there.start() : there.attempted());
    }
    assertServerConfig(name, config);
    this.#forget(name);
    const next = this.#put(name, config);
    await there.stop();
    if (this.#servers.get(name) === next && this.#disposal === undefined) await next.start();
  }

  /** Stops a server and removes it. */
  async remove(name: string): Promise<void> {
    const server = this.#server(name);
    this.#forget(name);
    await server.stop();
  }

  /** Stops a server and starts it again; its count of attempts starts at 0. */
  async restart(name: string): Promise<void> {
    const server = this.#server(name);
    await server.stop('connecting');
    if (this.#servers.get(name) === server && this.#disposal === undefined) await server.start();
  }

  /** Enables a tool that was disabled because it changed. Throws `unknown_tool` if no changed tool has that name. */
  async approve(server: string, tool: string): Promise<void> {
    await this.#server(server).approve(tool);
  }

  /** Finishes a login with its authorisation code, and connects. */
  async finishAuth(name: string, code: string): Promise<void> {
    await this.#connections.finishAuth(this.#server(name).name, code);
    if (this.#server(name).state !== 'connected') await this.restart(name);
  }

  /** The prompts of one server or of all servers, as last listed. */
  prompts(server?: string): readonly McpPrompt[] {
    return this.#some(server).flatMap((one) => (one.isOffered ? one.prompts : []));
  }

  /** The messages of a prompt, with its arguments inserted. */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>> = {},
    { signal = new AbortController().signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<McpPromptText> {
    const params = { name, arguments: args };
    return readPromptText(await this.#server(server).request({ method: 'prompts/get', params, scope: { signal } }));
  }

  /** The status of each server. */
  status(): readonly McpServerStatus[] {
    return [...this.#servers.values()].map(({ name, state, error, attempts, offer, isOffered, roots }) => ({
      name,
      roots,
      state,
      error,
      attempts,
      tools: isOffered ? offer.tools.map((tool) => tool.name) : [],
      quarantined: offer.quarantined,
      diagnostics: offer.diagnostics,
    }));
  }

  servers(): readonly McpServer[] {
    return [...this.#servers.values()].map(({ name, state, instructions, error, config }) => ({
      name,
      state,
      instructions,
      error,
      isTrusted:
        config.trusted === true || (config.source === undefined && this.#options.trusted?.includes(name) === true),
    }));
  }

  tools(server?: string): readonly McpTool[] {
    return this.#some(server).flatMap((one) => (one.isOffered ? one.offer.tools : []));
  }

  async callTool({ server, tool, input, onProgress }: McpToolCall, scope: CallScope): Promise<McpToolAnswer> {
    const one = this.#server(server);
    if (!this.isGranted({ server, tool }, scope.caller)) {
      const message = `The tool ${JSON.stringify(tool)} of MCP server ${JSON.stringify(server)} is not granted to this agent.`;
      throw new ToolError('not_allowed', `${message} Use another tool.`);
    }
    const params = { name: tool, arguments: input };
    const { readOnlyHint, idempotentHint } = one.offer.tools.find(({ name }) => name === tool)?.annotations ?? {};
    const policy = {
      mayRepeat: readOnlyHint === true || idempotentHint === true,
      assert: () => one.offer.assertCallable(tool),
    };
    return readToolAnswer(await one.request({ method: 'tools/call', params, scope, onProgress }, policy));
  }

  async listResources(
    { server, cursor }: { readonly server?: string | undefined; readonly cursor?: string | undefined },
    scope: CallScope,
  ): Promise<McpResourcePage> {
    if (server !== undefined) return await resourcePage(this.#granted(server, scope.caller), cursor, scope);
    const isGranted = (name: string) => grantOf(this.#options.grantsFor, name, scope.caller) !== undefined;
    const granted = [...this.#servers.values()].filter(({ name }) => isGranted(name));
    return await resourcePageOfAll(granted, cursor, scope);
  }

  async readResource(
    { server, uri }: { readonly server: string; readonly uri: string },
    scope: CallScope,
  ): Promise<{ readonly contents: readonly McpResourceContent[] }> {
    const one = this.#granted(server, scope.caller);
    const result = await one.request({ method: 'resources/read', params: { uri }, scope });
    return { contents: readContents(result) };
  }

  subscribe(listener: (update: McpUpdate) => void): () => void {
    return this.#listeners.add(listener);
  }

  isGranted({ server, tool }: { readonly server: string; readonly tool: string }, caller: Caller): boolean {
    const grant = grantOf(this.#options.grantsFor, server, caller);
    return grant?.every((filter) => passesFilter(tool, filter)) === true;
  }

  #granted(name: string, caller: Caller): SupervisedServer {
    const server = this.#server(name);
    if (grantOf(this.#options.grantsFor, name, caller) !== undefined) return server;
    throw new ToolError(
      'not_allowed',
      `The MCP server ${JSON.stringify(name)} is not granted to this agent. Use another server.`,
    );
  }

  attach(answers: McpAnswers): () => void {
    const detach = this.#connections.attach(answers);
    for (const server of this.#servers.values()) server.renew();
    return detach;
  }

  withheld(server: string): McpServerStatus['quarantined'] {
    return this.#some(server).flatMap(({ offer }) => offer.quarantined);
  }

  secrets(): readonly string[] {
    return this.#connections.secrets;
  }

  /**
   * Stops all servers permanently. For each server program the manager closes stdin, then sends SIGTERM, then SIGKILL;
   * this takes at most six seconds.
   */
  dispose(): Promise<void> {
    this.#disposal ??= Promise.all([...this.#servers.values()].map((server) => server.stop())).then(() => {});
    return this.#disposal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  #put(name: string, config: McpServerConfig): SupervisedServer {
    assertServerConfig(name, config);
    if (this.#disposal !== undefined) throw new TypeError('McpManager: this manager was disposed; create a new one.');
    if (this.#servers.has(name))
      throw new TypeError(`McpManager: a server named ${JSON.stringify(name)} already exists; remove it first.`);
    const server = new SupervisedServer({
      name,
      config,
      limits: this.#limits,
      timers: this.#timers,
      offer: new ServerTools(name, this.#limits, config, this.#fingerprints),
      open: (listener, signal) => this.#connections.open(name, config, listener, signal),
      isOutdated: (connection) => this.#connections.isOutdated(connection, config),
      tell: (update) => {
        this.#listeners.tell(update);
        if (this.#options.onEvent !== undefined) tell(this.#options.onEvent, { type: 'mcp-update', ...update });
      },
    });
    this.#servers.set(name, server);
    return server;
  }

  #forget(name: string): void {
    this.#servers.delete(name);
    this.#connections.forgetLogin(name);
  }

  #some(name: string | undefined): readonly SupervisedServer[] {
    if (name === undefined) return [...this.#servers.values()];
    const server = this.#servers.get(name);
    return server === undefined ? [] : [server];
  }

  #server(name: string): SupervisedServer {
    const server = this.#servers.get(name);
    if (server !== undefined) return server;
    const near = didYouMean(name, this.#servers.keys());
    throw new ToolError('mcp_unavailable', `There is no MCP server ${JSON.stringify(name)}.${near}`);
  }
}
