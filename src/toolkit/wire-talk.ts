import { AnnounceQueue } from '../agents/announce-queue.js';
import type { SubagentEnd } from '../agents/subagent-manager-options.js';
import type { ToolCallResult } from '../core/call.js';
import type { Caller, CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { AgentMessage } from '../core/subagents.js';
import { once } from '../core/support/once.js';
import type { OptionKind } from '../core/support/option-kinds.js';
import { indented } from '../core/text/lines.js';
import type { SessionDirectory } from '../ports/agents/sessions.js';
import type { TeamCoordinator } from '../ports/agents/teams.js';
import { askHost } from '../ports/ask-host.js';
import { directoryKind, teamsKind } from '../ports/host-kinds.js';
import type { Hosts } from '../ports/hosts.js';
import type { Scrub } from '../secrets/scrub-text-part.js';
import type { ToolkitOptions } from './toolkit-options.js';

/** What agents and sessions of a toolkit talk by, besides its options. */
export interface TalkParts {
  readonly limits: Limits;
  readonly scrub: Scrub;
}

/** What agents are told besides the results of their calls: ends of subagents, messages of teams. Sessions, too. */
export class WiredTalk {
  /** Undefined where there are no tools of teams. */
  readonly teams: (() => Promise<TeamCoordinator>) | undefined;
  /** Undefined where there are no tools of sessions. */
  readonly sessions: (() => Promise<SessionDirectory>) | undefined;
  readonly #hosts: Hosts;
  readonly #timeoutMs: number;
  /** Made with the first end that there is to tell. */
  #queue: AnnounceQueue | undefined;
  readonly #newQueue: () => AnnounceQueue;
  #isDisposed = false;
  readonly #scrub: Scrub;
  #toolkit: Toolkit | undefined;
  #teams: TeamCoordinator | undefined;
  #sessions: SessionDirectory | undefined;

  constructor(options: ToolkitOptions, { limits, scrub }: TalkParts) {
    this.#hosts = options.hosts ?? {};
    this.#timeoutMs = limits.resolver.timeoutMs;
    this.#scrub = scrub;
    this.#newQueue = () =>
      new AnnounceQueue({
        limits: limits.subagents,
        maxChars: limits.output.maxChars,
        timeoutMs: limits.call.hookTimeoutMs,
        onAnnounce: options.onAnnounce,
        timers: options.timers,
        scrub,
      });
    // Few need them, so nobody waits for them at import.
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

  /** Asks the host for what needs the toolkit. Throws a TypeError for what does not do. */
  connect(toolkit: Toolkit): void {
    const { teams, sessions } = this.#hosts;
    this.#toolkit = toolkit;
    if (this.teams !== undefined) this.#teams = hostOf('teams', teams, teamsKind, toolkit);
    if (this.sessions !== undefined) this.#sessions = hostOf('sessions', sessions, directoryKind, toolkit);
  }

  /** Has the parent of a background subagent be told of its end. */
  ended(end: SubagentEnd): void {
    if (this.#isDisposed) return;
    this.#queue ??= this.#newQueue();
    this.#queue.add(end);
  }

  /** Forgets what a subagent was to be told, which has ended. */
  gone({ sessionId, agentId }: Caller): void {
    if (agentId !== undefined) this.#queue?.endAgent(sessionId, agentId);
  }

  /** False where there is nothing to tell anybody with a result, and nothing to keep. */
  get isActive(): boolean {
    return this.#teams !== undefined || this.sessions !== undefined || this.#queue?.hasNews === true;
  }

  /** What an agent is to read with the next result that it gets. */
  async news(scope: CallScope): Promise<string | undefined> {
    const announced = this.#queue?.take(scope.caller);
    const messages = this.#teams === undefined ? [] : await this.#messagesFor(this.#teams, scope);
    return [...(announced === undefined ? [] : [announced]), ...messages].join('\n\n') || undefined;
  }

  /** Keeps the results of a turn in the session. What a directory cannot keep changes no result. */
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

/** A host, or what a function of the toolkit answers in its place. Throws a TypeError for what is none. */
export function hostOf<Host extends object>(
  option: keyof Hosts,
  host: Host | ((toolkit: Toolkit) => Host) | undefined,
  kind: OptionKind,
  toolkit: Toolkit,
): Host | undefined {
  const answer = typeof host === 'function' && !kind.holds(host) ? host(toolkit) : (host as Host | undefined);
  if (host === undefined || kind.holds(answer)) return answer;
  throw new TypeError(`createToolkit: hosts: ${option} must answer ${kind.takes}`);
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
