import { announceQueue } from '../agents/announcement-queue.js';
import type { SubagentEnd } from '../agents/subagent-manager-options.js';
import type { ToolCallResult } from '../core/call.js';
import type { Caller, CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { AgentMessage } from '../core/subagent.js';
import type { OptionKind } from '../core/support/check-values.js';
import { once } from '../core/support/once.js';
import { indented } from '../core/text/lines-and-sizes.js';
import type { Scrub } from '../core/text/scrub-excerpt.js';
import type { SessionDirectory } from '../ports/agents/sessions.js';
import type { TeamCoordinator } from '../ports/agents/teams.js';
import { askHost } from '../ports/ask-host.js';
import { directoryKind, teamsKind } from '../ports/check-hosts.js';
import type { Hosts } from '../ports/hosts.js';
import type { ToolkitOptions } from './options.js';

export interface NotificationParts {
  readonly limits: Limits;
  readonly scrub: Scrub;
}

/**
 * Notifications for agents: results of subagents and messages of teams. Also records the results of turns in the
 * session directory.
 */
export class AgentNotifications {
  /** Undefined if the team tools are off. */
  readonly teams: (() => Promise<TeamCoordinator>) | undefined;
  /** Undefined if the session tools are off. */
  readonly sessions: (() => Promise<SessionDirectory>) | undefined;
  readonly #hosts: Hosts;
  readonly #timeoutMs: number;
  /** Created for the first result of a subagent. */
  #queue: ReturnType<typeof announceQueue> | undefined;
  readonly #newQueue: () => ReturnType<typeof announceQueue>;
  #isDisposed = false;
  readonly #scrub: Scrub;
  #toolkit: Toolkit | undefined;
  #teams: TeamCoordinator | undefined;
  #sessions: SessionDirectory | undefined;

  constructor(options: ToolkitOptions, { limits, scrub }: NotificationParts) {
    this.#hosts = options.hosts ?? {};
    this.#timeoutMs = limits.resolver.timeoutMs;
    this.#scrub = scrub;
    this.#newQueue = () =>
      announceQueue({
        limits: limits.subagents,
        maxChars: limits.output.maxChars,
        timeoutMs: limits.call.hookTimeoutMs,
        onAnnounce: options.onAnnounce,
        timers: options.timers,
        scrub,
      });
    // Loaded on demand, because few programs use them.
    const loadTeams = once(async () => {
      const { inProcessTeams } = await import('../agents/in-process-teams.js');
      const ofTeams = { ...limits.subagents, maxChars: limits.output.maxChars };
      return inProcessTeams((this.#toolkit as Toolkit).subagents, ofTeams);
    });
    const loadSessions = once(async () => {
      const { inProcessSessions } = await import('../agents/in-process-sessions.js');
      return inProcessSessions(this.#toolkit as Toolkit);
    });
    if (hasTeams(options.features)) this.teams = async () => (this.#teams ??= await loadTeams());
    if (options.features?.sessions === true) this.sessions = async () => (this.#sessions ??= await loadSessions());
  }

  /**
   * Takes the hosts from the options. If a host is a factory function, calls it with the toolkit. Throws a TypeError
   * for an invalid host.
   */
  connect(toolkit: Toolkit): void {
    const { teams, sessions } = this.#hosts;
    this.#toolkit = toolkit;
    if (this.teams !== undefined) this.#teams = hostOf('teams', teams, teamsKind, toolkit);
    if (this.sessions !== undefined) this.#sessions = hostOf('sessions', sessions, directoryKind, toolkit);
  }

  /** Notifies the parent agent that a background subagent has ended. */
  ended(end: SubagentEnd): void {
    if (this.#isDisposed) return;
    this.#queue ??= this.#newQueue();
    this.#queue.add(end);
  }

  /** Deletes the notifications for an ended subagent. */
  gone({ sessionId, agentId }: Caller): void {
    if (agentId !== undefined) this.#queue?.endAgent(sessionId, agentId);
  }

  /** Whether there may be notifications to append or results to record. */
  get isActive(): boolean {
    return this.#teams !== undefined || this.sessions !== undefined || this.#queue?.hasPending === true;
  }

  /** The notifications to append to an agent's next result. */
  async take(scope: CallScope): Promise<string | undefined> {
    const announced = this.#queue?.take(scope.caller);
    const messages = this.#teams === undefined ? [] : await this.#messagesFor(this.#teams, scope);
    return [...(announced === undefined ? [] : [announced]), ...messages].join('\n\n') || undefined;
  }

  /** Records the results of a turn in the session directory. Errors of the directory are ignored. */
  async record(results: readonly ToolCallResult[], scope: CallScope): Promise<void> {
    const { sessions } = this;
    if (sessions === undefined) return;
    const record = async (inner: CallScope) => await (await sessions()).record?.(results, inner);
    await askHost({ option: 'sessions', timeoutMs: this.#timeoutMs }, scope, record).catch(() => {});
  }

  endSession(sessionId: string): void {
    this.#queue?.endSession(sessionId);
    this.#teams?.endSession?.(sessionId);
    this.#sessions?.endSession?.(sessionId);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#queue?.dispose();
  }

  async #messagesFor(teams: TeamCoordinator, scope: CallScope): Promise<readonly string[]> {
    const isUsable = (all: readonly AgentMessage[]) => Array.isArray(all);
    const ask = (inner: CallScope) => teams.receive('lead', inner);
    const messages = await askHost({ option: 'teams', timeoutMs: this.#timeoutMs, isUsable }, scope, ask).catch(
      () => [],
    );
    return messages.map((message) => this.#scrub(inWords(message)));
  }
}

/** The host, or the result of its factory. Throws a TypeError for an invalid host. */
export function hostOf<Host extends object>(
  option: keyof Hosts,
  host: Host | ((toolkit: Toolkit) => Host) | undefined,
  kind: OptionKind,
  toolkit: Toolkit,
): Host | undefined {
  const answer = typeof host === 'function' && !kind.holds(host) ? host(toolkit) : (host as Host | undefined);
  if (host === undefined || kind.holds(answer)) return answer;
  throw new TypeError(`createToolkit: hosts: ${option} must be or return ${kind.takes}`);
}

function inWords({ from, type, requestId, approve, text }: AgentMessage): string {
  const decision = approve === undefined ? [] : [approve ? 'approved' : 'refused'];
  const notes = [...(type === 'message' ? [] : [type]), ...(requestId === undefined ? [] : [requestId]), ...decision];
  return `Message from ${from}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}: ${indented(text).trimStart()}`;
}

function hasTeams(features: ToolkitOptions['features']): boolean {
  const { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: wanted = '' } = process.env;
  return features?.teams ?? !['', '0', 'false'].includes(wanted.trim().toLowerCase());
}
