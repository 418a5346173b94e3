import type { ToolEventListener } from '../core/event.js';
import type { LimitOverrides } from '../core/limits.js';
import { having, kindOf, type OptionKinds } from '../core/support/option-kinds.js';
import { startTimer } from '../core/support/timer.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import type { McpAnswers, McpServer } from '../ports/mcp-client.js';
import type { GrantsFor } from './caller-grants.js';
import type { McpServerConfig } from './connection/server-config.js';
import type { McpFingerprints } from './lists/fingerprints.js';
import type { McpConsent } from './server-consent.js';

/** What a manager is made from. */
export interface McpManagerOptions {
  /** The servers by name. Default: none, and {@link McpManager.add} adds some. */
  readonly servers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Asked before a server that was read from a file starts. Default: none of those starts. */
  readonly consent?: McpConsent | undefined;
  /** Names of servers whose hints may lower the risk of their tools. Default: none. */
  readonly trusted?: readonly string[] | undefined;
  /**
   * What a caller may use, by server; a server that is not named is not granted at all. Asked for each listing and each
   * call. Default: everything.
   */
  readonly grantsFor?: GrantsFor | undefined;
  /** Where it is kept what tools were when they were first offered. Default: in memory. */
  readonly fingerprints?: McpFingerprints | undefined;
  /** What servers may ask for, besides what a toolkit attaches; this is there from the first connection on. Default none. */
  readonly answers?: McpAnswers | undefined;
  /** The limits of the group `mcp`, by themselves or as `{ mcp: … }`. Default: those of `defaultLimits`. */
  readonly limits?: LimitOverrides['mcp'] | { readonly mcp: LimitOverrides['mcp'] } | undefined;
  /** Hears of each change. Default: nobody. */
  readonly onEvent?: ToolEventListener | undefined;
  /** Time and chance. Default: those of the system, with timers that do not keep the process alive. */
  readonly timers?: Timers | undefined;
}

/** Where a server stands, in full. */
export interface McpServerStatus extends Omit<McpServer, 'instructions' | 'isTrusted'> {
  /** The names of what it offers. */
  readonly tools: readonly string[];
  /** What is withheld, and why; `*` stands for its list as a whole. */
  readonly quarantined: readonly { readonly tool: string; readonly reason: string }[];
  /** The tools whose input schemas are read in another way or in part, a line for each place; their servers check the rest. */
  readonly diagnostics: readonly { readonly tool: string; readonly notes: readonly string[] }[];
  /** The folders that it is told as its roots while it is connected. */
  readonly roots: readonly string[];
  /** How often in a row it was tried to bring it up again. */
  readonly attempts: number;
}

/** The kinds of {@link McpManagerOptions}. */
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

/** Those of the system, which do not keep the process alive. */
export const backgroundTimers: Timers = {
  ...systemTimers,
  set: (callback, delayMs) => startTimer(callback, delayMs).unref(),
};
