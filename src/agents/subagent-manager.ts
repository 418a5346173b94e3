import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { didYouMean } from '../core/support/near-names.js';
import type { AgentMessage, SubagentProgress, SubagentRequest, SubagentSpawner } from '../host/agents/subagents.js';
import { assertRoom, assertTask, noSpawner } from './accept-subagent.js';
import { generalPurpose, Subagent } from './subagent.js';
import type { SubagentEnd } from './subagent-end.js';
import type { StartedSubagent, SubagentOutcome, SubagentStarter, SubagentTask, SubagentView } from './subagent-task.js';
import type { OpenWorktree } from './worktree.js';

/** What a background task of a subagent is given. */
export interface SubagentTaskRun {
  readonly signal: AbortSignal;
  write(text: string): void;
}

/** What a {@link SubagentManager} works with. */
export interface SubagentManagerOptions {
  /** Undefined where the host passed none. */
  readonly spawner: () => SubagentSpawner | undefined;
  readonly limits: Limits['subagents'];
  /** How long one that was stopped may clean up before it is given up. Milliseconds. */
  readonly graceMs: number;
  /** Where subagents in the background are tasks. */
  readonly tasks: {
    start(label: string, run: (task: SubagentTaskRun) => Promise<{ failed: boolean }>, owner: Caller): string;
    stop(id: string): Promise<unknown>;
  };
  /** What a caller is offered. */
  readonly definitions: (caller: Caller) => SubagentRequest['tools'];
  readonly openWorktree: OpenWorktree;
  /** Told of each end of one that ran in the background. */
  readonly onEnd?: ((end: SubagentEnd) => void) | undefined;
  /** Told of each end, before anybody else, and waited for: what it held is to be given up. */
  readonly onGone?: ((caller: Caller) => unknown) | undefined;
  /** Milliseconds on any steady clock; for tests. */
  readonly now?: (() => number) | undefined;
}

/**
 * Starts subagents by the spawner of the host and keeps their limits, which are checked in one step with the start and
 * counted here, whatever spawners and models do. Whoever ends takes along what it started, the deepest first.
 */
export class SubagentManager implements SubagentStarter {
  readonly #options: SubagentManagerOptions;
  readonly #now: () => number;
  /** All that are not archived, in the order of their starts. */
  readonly #known = new Map<string, Subagent>();
  readonly #running = new Set<Subagent>();
  readonly #totals = new Map<string, number>();
  #isDisposed = false;

  constructor(options: SubagentManagerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The kinds of subagents there are, each with what it is for. */
  get types(): Readonly<Record<string, string>> {
    return {
      [generalPurpose]: 'any task of several steps',
      ...this.#options.spawner()?.types,
    };
  }

  /**
   * Runs a subagent until it has ended, or `scope` aborts, whose caller is the parent. Rejects with a ToolError only
   * where it is refused: `limit_reached` with the name of the limit, `invalid_input`, `not_configured`.
   */
  async run(
    task: SubagentTask,
    { caller, signal }: CallScope,
    onProgress: (progress: SubagentProgress, agentId: string) => void = () => {},
  ): Promise<SubagentOutcome> {
    const child = this.#accept(task, caller);
    const onAbort = () => this.#stop(child, 'the call that started it was interrupted');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    child.done = this.#live(child, (progress) => onProgress(progress, child.id));
    try {
      return await child.done;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  start(task: SubagentTask, parent: Caller): StartedSubagent {
    const child = this.#accept(task, parent);
    try {
      child.taskId = this.#options.tasks.start(
        task.description,
        async ({ signal, write }) => {
          const onAbort = () => this.#stop(child, 'its task was stopped');
          signal.addEventListener('abort', onAbort, { once: true });
          child.done = this.#live(child, ({ text }) => text !== undefined && write(`${text}\n`));
          const { state, output } = await child.done;
          write(output);
          return { failed: state !== 'completed' };
        },
        parent,
      );
    } catch (thrown) {
      this.#withdraw(child);
      throw thrown;
    }
    return { id: child.id, taskId: child.taskId, done: child.done };
  }

  /** Those that `by` started, or all; oldest first. */
  list(by?: Caller): readonly SubagentView[] {
    this.#archive();
    return this.#of(by).map((child) => child.view(this.#now()));
  }

  view(id: string): SubagentView | undefined {
    return this.#known.get(id)?.view(this.#now());
  }

  /**
   * Ends one, all, or the latest of those that `by` started and that run, each with all that it started, and answers
   * their ids when they are gone. Rejects with `invalid_input` where there is none of that id.
   */
  async cancel(id: string, by?: Caller): Promise<readonly string[]> {
    const running = this.#of(by).filter((child) => this.#running.has(child));
    const named = id === 'all' ? running : id === 'last' ? running.slice(-1) : [this.#find(id, by)];
    const wanted = named.filter((child) => this.#running.has(child));
    for (const child of wanted) this.#stop(child, 'it was cancelled');
    await Promise.all(wanted.map(({ done }) => done));
    return wanted.map((child) => child.id);
  }

  /**
   * Ends what a running one is doing and has it go on with the message, with all that it knows. Rejects with
   * `invalid_input` for one that does not run.
   */
  async steer(id: string, message: string, by?: Caller): Promise<void> {
    const child = this.#find(id, by);
    if (child.isEnding || child.state !== 'running')
      throw new ToolError('invalid_input', `${id} is ${child.state}. Go on with it by Agent and resume: "${id}".`);
    for (const own of this.#childrenOf(child)) this.#stop(own, 'the agent that started it was steered');
    await child.steer(message);
  }

  deliver(id: string, message: AgentMessage): void {
    const { maxMessages, maxMessageChars } = this.#options.limits;
    const child = this.#find(id);
    if (child.isEnding) throw new ToolError('invalid_input', `${id} has ended and reads nothing any more.`);
    if (message.text.length > maxMessageChars)
      throw new ToolError('limit_reached', `A message has at most ${maxMessageChars} characters. Write a shorter one.`);
    if (child.mailbox.length >= maxMessages)
      throw new ToolError('limit_reached', `${maxMessages} messages wait for ${id} already. Wait until it reads them.`);
    child.mailbox.push(message);
  }

  /** The subagent that a caller is, and those above it, nearest first. */
  lineOf({ agentId, sessionId }: Caller): readonly Subagent[] {
    const child = agentId === undefined ? undefined : this.#known.get(agentId);
    return child?.caller.sessionId === sessionId ? [child, ...this.lineOf(child.parent)] : [];
  }

  /** False for a caller that is a subagent which has ended. */
  mayAct(caller: Caller): boolean {
    return this.lineOf(caller).every((agent) => this.#running.has(agent));
  }

  /** Ends and forgets the subagents of a session. */
  async endSession(sessionId: string): Promise<void> {
    await this.#endAll([...this.#running].filter(({ caller }) => caller.sessionId === sessionId));
    for (const child of this.#known.values()) if (child.caller.sessionId === sessionId) this.#forget(child);
    this.#totals.delete(sessionId);
  }

  /** Ends all, now and later. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#endAll([...this.#running]);
    for (const child of this.#known.values()) this.#forget(child);
  }

  /** The one step that checks everything and counts the subagent. */
  #accept(wanted: SubagentTask, parent: Caller): Subagent {
    this.#archive();
    const spawner = this.#options.spawner();
    if (spawner === undefined) throw noSpawner(wanted);
    if (this.#isDisposed || !this.mayAct(parent) || this.lineOf(parent)[0]?.isEnding)
      throw new ToolError('cancelled', 'The agent that asks for it has ended.');
    const before = wanted.resume === undefined ? undefined : this.#resumable(wanted.resume, parent);
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const task = { ...before?.task, ...given } as SubagentTask;
    const total = this.#totals.get(parent.sessionId) ?? 0;
    assertTask(task, { spawner, types: this.types, parent, running: this.#running }, this.#options.limits);
    assertRoom(parent, { running: this.#running, total }, this.#options.limits);
    this.#totals.set(parent.sessionId, total + 1);
    const child = new Subagent(task, parent, this.#now());
    child.worktree = before?.worktree;
    child.before = before;
    this.#known.delete(child.id);
    this.#known.set(child.id, child);
    this.#running.add(child);
    return child;
  }

  /** As if it had never been wanted. */
  #withdraw(child: Subagent): void {
    const { sessionId } = child.caller;
    this.#running.delete(child);
    this.#known.delete(child.id);
    if (child.before !== undefined) this.#known.set(child.id, child.before);
    this.#totals.set(sessionId, (this.#totals.get(sessionId) ?? 1) - 1);
  }

  async #live(child: Subagent, onProgress: (progress: SubagentProgress) => void): Promise<SubagentOutcome> {
    // Whoever starts it knows its id before anything happens.
    await undefined;
    const outcome = await this.#outcome(child, onProgress);
    const left = this.#childrenOf(child);
    for (const own of left) this.#stop(own, 'the agent that started it has ended');
    await Promise.all(left.map(({ done }) => done));
    const isKept = await child.worktree?.close().catch(() => true);
    const worktree = isKept === true ? child.worktree : undefined;
    child.worktree = worktree;
    try {
      await this.#options.onGone?.(child.caller);
    } catch {
      // It has ended, whatever becomes of what it held.
    }
    child.state = outcome.state;
    child.endedAt = this.#now();
    child.mailbox.length = 0;
    this.#running.delete(child);
    const durationMs = child.endedAt - child.startedAt;
    const { id: agentId, parent: caller, task, taskId } = child;
    const place = worktree === undefined ? '' : `\nWhat it changed is in ${worktree.path}`;
    const { state } = outcome;
    const output = outcome.output + place;
    if (taskId !== undefined) {
      const { description } = task;
      this.#options.onEnd?.({ agentId, parentId: caller.agentId, caller, description, state, output, durationMs });
    }
    return { ...outcome, output, durationMs, ...(worktree === undefined ? {} : { worktree: worktree.path }) };
  }

  async #outcome(child: Subagent, onProgress: (progress: SubagentProgress) => void) {
    const { id: agentId, task } = child;
    try {
      if (task.isolation === 'worktree' && child.worktree === undefined)
        child.worktree = await this.#options.openWorktree(agentId, { caller: child.parent, signal: child.signal });
      const { limits, graceMs, definitions, spawner } = this.#options;
      const { settleMs, maxTurns } = limits;
      const run = { maxTurns: task.maxTurns ?? maxTurns, settleMs, graceMs, onProgress };
      const host = spawner() as SubagentSpawner;
      const { output, usage = {} } = await child.run({ ...run, spawner: host, tools: definitions(child.caller) });
      return { agentId, state: 'completed' as const, output, usage };
    } catch (thrown) {
      child.isEnding = true;
      const error = child.stopped ?? ToolError.from(thrown);
      const state = child.stopped === undefined ? ('failed' as const) : ('cancelled' as const);
      return { agentId, state, output: ToolError.from(thrown).partialOutput ?? error.message, usage: {}, error };
    }
  }

  /** The deepest first, so that none is without the one that started it. */
  #stop(child: Subagent, why: string): void {
    if (child.stopped !== undefined || !this.#running.has(child)) return;
    child.isEnding = true;
    for (const own of this.#childrenOf(child)) this.#stop(own, 'the agent that started it has ended');
    child.stop(new ToolError('interrupted', `The subagent ${child.id} was cancelled: ${why}.`));
    if (child.taskId !== undefined) this.#options.tasks.stop(child.taskId).catch(() => {});
  }

  async #endAll(children: readonly Subagent[]): Promise<void> {
    for (const child of children) this.#stop(child, 'its session has ended');
    await Promise.all(children.map(({ done }) => done));
  }

  #childrenOf({ caller }: Subagent): readonly Subagent[] {
    return [...this.#running].filter((child) => child.isChildOf(caller));
  }

  #of(by: Caller | undefined): readonly Subagent[] {
    return [...this.#known.values()].filter((child) => by === undefined || child.isChildOf(by));
  }

  // Of those of others nobody hears, not even that they are there.
  #find(id: string, by?: Caller): Subagent {
    this.#archive();
    const own = this.#of(by);
    const found = own.find((child) => child.id === id);
    if (found !== undefined) return found;
    const near = didYouMean(
      id,
      own.map((child) => child.id),
    );
    throw new ToolError('invalid_input', `id: you started no subagent ${JSON.stringify(id)} of late.${near}`);
  }

  #resumable(id: string, parent: Caller): Subagent {
    const before = this.#find(id, parent);
    if (!this.#running.has(before)) return before;
    throw new ToolError('invalid_input', `resume: ${id} is still running. Wait for its end, or steer it.`);
  }

  #archive(): void {
    const oldest = this.#now() - this.#options.limits.archiveMs;
    for (const child of this.#known.values())
      if (child.endedAt !== undefined && child.endedAt <= oldest) this.#forget(child);
  }

  #forget(child: Subagent): void {
    this.#known.delete(child.id);
    this.#options.spawner()?.forget?.(child.id);
  }
}
