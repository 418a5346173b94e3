import type { ToolEventListener } from '../core/event.js';
import type { LimitOverrides } from '../core/limits.js';
import { having, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { startTimer, systemTimers, type Timers } from '../core/support/timers.js';
import type { McpAnswers, McpServer } from '../ports/mcp-client.js';
import type { McpServerConfig } from './connection/server-config.js';
import type { McpFingerprints } from './lists/fingerprint-stores.js';
import type { GrantsFor } from './lists/tool-filter.js';
import type { McpConsent } from './server-consent.js';

/** Options of a manager. */
export interface McpManagerOptions {
  /** The servers by name. Default none; {@link McpManager.add} adds servers. */
  readonly servers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Asked before a server from a config file starts. Default: such servers do not start. */
  readonly consent?: McpConsent | undefined;
  /** Names of servers whose tool annotations may lower the risk of their tools. Default none. */
  readonly trusted?: readonly string[] | undefined;
  /**
   * The tools that a caller may use, by server; a server without an entry is not granted. Called for each listing and
   * each call. Default: all tools.
   */
  readonly grantsFor?: GrantsFor | undefined;
  /** Keeps fingerprints of tools, to detect changed tools. Default: in memory. */
  readonly fingerprints?: McpFingerprints | undefined;
  /**
   * Handlers for requests of servers, from the first connection on. They take precedence over the handlers that a
   * toolkit attaches. Default none.
   */
  readonly answers?: McpAnswers | undefined;
  /** The limits of the group `mcp`, by themselves or as `{ mcp: … }`. Default: the limits of `defaultLimits`. */
  readonly limits?: LimitOverrides['mcp'] | { readonly mcp: LimitOverrides['mcp'] } | undefined;
  /** Receives each change of state or tools. Default none. */
  readonly onEvent?: ToolEventListener | undefined;
  /**
   * Clock, timers and random numbers. Default: clock and random numbers of the system, and timers that do not keep the
   * process alive.
   */
  readonly timers?: Timers | undefined;
}

/** The full status of a server. */
export interface McpServerStatus extends Omit<McpServer, 'instructions' | 'isTrusted'> {
  /** The names of its offered tools. */
  readonly tools: readonly string[];
  /**
   * The tools of the server that are withheld from agents, with the reason for each; `*` stands for the whole tool
   * list.
   */
  readonly quarantined: readonly { readonly tool: string; readonly reason: string }[];
  /**
   * The tools whose input schemas this client loosens before it checks inputs, with one note for each change. The
   * server validates its inputs itself.
   */
  readonly diagnostics: readonly { readonly tool: string; readonly notes: readonly string[] }[];
  /** The roots that the client reports to the server; empty while the server is not connected. */
  readonly roots: readonly string[];
  /** The number of consecutive attempts to reconnect. */
  readonly attempts: number;
}

/** The expected type of each field of {@link McpManagerOptions}. */
export const managerKinds: OptionKinds<McpManagerOptions> = {
  servers: kindOf.record,
  consent: kindOf.callback,
  trusted: kindOf.texts,
  grantsFor: kindOf.callback,
  fingerprints: having('a store of fingerprints', 'get', 'set'),
  answers: kindOf.record,
  limits: kindOf.record,
  onEvent: kindOf.callback,
  timers: kindOf.record,
};

/** Timers of the system that do not keep the process alive. */
export const backgroundTimers: Timers = {
  ...systemTimers,
  set: (callback, delayMs) => startTimer(callback, delayMs).unref(),
};
