import { SubagentManager } from '../agents/subagent-manager.js';
import type { SubagentManagerOptions } from '../agents/subagent-manager-options.js';
import type { OpenWorktree } from '../agents/worktree.js';
import type { Turns } from '../call/in-flight.js';
import { defaultCaller } from '../core/context.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { ToolkitSubagents } from '../core/subagent.js';
import { answeredWithin } from '../core/support/timers.js';
import type { SubagentSpawner } from '../ports/agents/subagents.js';
import { spawnerKind } from '../ports/check-hosts.js';
import type { Hosts } from '../ports/hosts.js';
import { isOffered, type Policy } from '../ports/policy.js';
import { AgentNotifications, hostOf, type NotificationParts } from './agent-notifications.js';
import type { ToolkitOptions } from './options.js';

export interface AgentParts extends NotificationParts {
  readonly tasks: SubagentManagerOptions['tasks'];
  readonly turns: Turns;
  readonly isEnding: (sessionId: string) => boolean;
  /** The effective policy; it limits the depth of agents. */
  readonly policy: Policy | undefined;
  readonly openWorktree: OpenWorktree;
}

/** The subagents of a toolkit and of the toolkits opened from it. */
export class WiredAgents {
  readonly manager: SubagentManager;
  readonly notifications: AgentNotifications;
  readonly #host: Hosts['subagents'];
  readonly #opened = new Set<Toolkit>();
  #toolkit: Toolkit | undefined;
  #spawner: SubagentSpawner | undefined;

  constructor(options: ToolkitOptions, parts: AgentParts) {
    const { hosts, hooks, timers } = options;
    const { limits, tasks, turns, isEnding, policy, openWorktree } = parts;
    const { maxDepth = limits.subagents.maxDepth } = (policy ?? {}) as { readonly maxDepth?: number };
    this.#host = hosts?.subagents;
    this.notifications = new AgentNotifications(options, parts);
    this.manager = new SubagentManager({
      // Set by `connect`, once the toolkit exists.
      spawner: () => this.#spawner,
      limits: limits.subagents,
      maxDepth: () => maxDepth,
      graceMs: limits.call.abortGraceMs,
      ...{ tasks, openWorktree, timers },
      definitions: (caller, signal) => (this.#toolkit as Toolkit).definitionsFor(caller, signal),
      onEnd: (end) => {
        // Agents of a session that is being ended get no more notifications.
        const { caller } = end;
        if (!isEnding(caller.sessionId) && this.manager.mayAct(caller)) this.notifications.ended(end);
      },
      onGone: async (caller) => {
        this.notifications.gone(caller);
        await turns.endAgent(caller, 'the agent has ended');
        await answeredWithin(Promise.resolve(hooks?.onAgentEnd?.(caller)), limits.call.hookTimeoutMs, timers);
      },
    });
  }

  /**
   * Takes the spawner from the options. If it is a factory function, calls it with the toolkit. Throws a TypeError for
   * an invalid spawner.
   */
  connect(toolkit: Toolkit): void {
    this.#toolkit = toolkit;
    this.#spawner = hostOf('subagents', this.#host, spawnerKind, toolkit);
    this.notifications.connect(toolkit);
  }

  /** Registers a toolkit that this toolkit has opened, so that it is disposed with this toolkit. */
  keep(toolkit: Toolkit): Toolkit {
    this.#opened.add(toolkit);
    return toolkit;
  }

  /** Removes an opened toolkit that was disposed. */
  drop(toolkit: Toolkit): void {
    this.#opened.delete(toolkit);
  }

  /** A policy that offers no tools to ended agents. */
  policy(inner: Policy): Policy {
    const { manager } = this;
    return {
      offers: (tool, caller) => manager.mayAct(caller) && isOffered(inner, tool, caller),
      explain: (tool, caller) => (manager.mayAct(caller) ? inner.explain(tool, caller) : 'this agent has ended'),
    };
  }

  /** The interface for programs. */
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

/** The options for a toolkit in another folder, without options that only one toolkit may use. */
export function optionsIn(root: string, { hosts, files, ...options }: ToolkitOptions): ToolkitOptions {
  return {
    ...options,
    root,
    hosts: { ...hosts, mcpSampling: undefined, elicitation: undefined },
    files: { ...files, undoFolder: undefined },
  };
}
