import { SubagentManager } from '../agents/subagent-manager.js';
import type { SubagentManagerOptions } from '../agents/subagent-manager-options.js';
import type { OpenWorktree } from '../agents/worktree.js';
import type { Turns } from '../call/run/turns.js';
import type { Limits } from '../core/limits.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { ToolkitSubagents } from '../core/subagents.js';
import type { Timers } from '../core/support/timers.js';
import { isOffered } from '../permissions/policy/policy.js';
import type { SubagentSpawner } from '../ports/agents/subagents.js';
import type { ToolHooks } from '../ports/hooks.js';
import { spawnerKind } from '../ports/host-kinds.js';
import type { Hosts } from '../ports/hosts.js';
import type { Policy } from '../ports/policy.js';
import { answeredWithin } from '../sessions/tasks/wait.js';
import type { ToolkitOptions } from './toolkit-options.js';
import { defaultCaller } from './toolkit-turns.js';
import { hostOf, WiredTalk, type WiredTalkOptions } from './wire-talk.js';

/** What the subagents of a toolkit are wired to. */
export interface WiredAgentsOptions {
  readonly subagents: Hosts['subagents'];
  readonly limits: Limits;
  readonly tasks: SubagentManagerOptions['tasks'];
  readonly definitions: SubagentManagerOptions['definitions'];
  readonly openWorktree: OpenWorktree;
  readonly turns: () => Turns;
  /** The policy that holds: agents go as deep as it says. */
  readonly policy: () => Policy;
  readonly hooks: ToolHooks | undefined;
  readonly timers: Timers | undefined;
  readonly talk: Omit<WiredTalkOptions, 'mayAct'>;
}

/** The subagents of a toolkit, and of those that were opened from it. */
export class WiredAgents {
  readonly manager: SubagentManager;
  readonly talk: WiredTalk;
  readonly #options: WiredAgentsOptions;
  readonly #opened = new Set<Toolkit>();
  #spawner: SubagentSpawner | undefined;

  constructor(options: WiredAgentsOptions) {
    this.#options = options;
    const { limits, tasks, definitions, openWorktree, turns, hooks, talk, timers } = options;
    this.talk = new WiredTalk({ ...talk, mayAct: (caller) => this.manager.mayAct(caller) });
    this.manager = new SubagentManager({
      spawner: () => this.#spawner,
      limits: limits.subagents,
      maxDepth: () => (options.policy() as { maxDepth?: number }).maxDepth ?? limits.subagents.maxDepth,
      graceMs: limits.call.abortGraceMs,
      ...{ tasks, definitions, openWorktree, timers, onEnd: (end) => this.talk.ended(end) },
      onGone: async (caller) => {
        this.talk.gone(caller);
        await turns().endAgent(caller, 'the agent has ended');
        await answeredWithin(Promise.resolve(hooks?.onAgentEnd?.(caller)), limits.call.hookTimeoutMs, timers);
      },
    });
  }

  /** Asks the host for its spawner where that needs the toolkit. Throws a TypeError for what is none. */
  connect(toolkit: Toolkit): void {
    this.#spawner = hostOf('subagents', this.#options.subagents, spawnerKind, toolkit);
    this.talk.connect(toolkit);
  }

  /** Keeps a toolkit that was opened from this one, so that it ends with it. */
  keep(toolkit: Toolkit): Toolkit {
    this.#opened.add(toolkit);
    return toolkit;
  }

  /** Lets go of one that has ended by itself. */
  drop(toolkit: Toolkit): void {
    this.#opened.delete(toolkit);
  }

  /** A policy that offers nothing to those that have ended, whoever goes on in their name. */
  policy(inner: Policy): Policy {
    const { manager } = this;
    return {
      offers: (tool, caller) => manager.mayAct(caller) && isOffered(inner, tool, caller),
      explain: (tool, caller) => (manager.mayAct(caller) ? inner.explain(tool, caller) : 'this agent has ended'),
    };
  }

  /** For the program. */
  get view(): ToolkitSubagents {
    const { manager } = this;
    return {
      run: ({ ...task }, { caller = defaultCaller, signal = new AbortController().signal } = {}) =>
        manager.run(task, { caller, signal }),
      spawn: ({ ...task }, { caller = defaultCaller } = {}) => manager.start(task, caller),
      list: (by) => manager.list(by),
      cancel: (id, by) => manager.cancel(id, by),
      steer: (id, message, by) => manager.steer(id, message, by),
      send: (id, message) => manager.deliver(id, message),
    };
  }

  endSession(sessionId: string): Promise<void> {
    return this.manager.endSession(sessionId);
  }

  async dispose(): Promise<void> {
    await this.manager.dispose();
    await Promise.all([...this.#opened].map((toolkit) => toolkit.dispose()));
  }
}

/** The options of a toolkit over another folder, without what belongs to one of them alone. */
export function optionsIn(root: string, { hosts, files, ...options }: ToolkitOptions): ToolkitOptions {
  return {
    ...options,
    root,
    hosts: { ...hosts, mcpSampling: undefined, elicitation: undefined },
    files: { ...files, undoFolder: undefined },
  };
}
