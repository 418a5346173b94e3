import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { AgentMessage, StartedSubagent, SubagentOutcome, SubagentTask, SubagentView } from '../core/subagent.js';
import { assertNeeded } from '../core/support/check-values.js';
import { onAbort, systemTimers, type Timers } from '../core/support/timers.js';
import type { SubagentProgress, SubagentSpawner } from '../ports/agents/subagents.js';
import { assertRoom, assertTask, noSpawner } from './check-subagent-start.js';
import { KnownSubagents } from './known-subagents.js';
import { generalPurpose, Subagent } from './subagent.js';
import type { SubagentManagerOptions } from './subagent-manager-options.js';

/**
 * Starts subagents with the spawner of the host and enforces their limits. Each start checks the limits and counts the
 * subagent in one synchronous step. When a subagent ends, its own subagents end before it, the deepest first.
 */
export class SubagentManager {
  readonly #options: SubagentManagerOptions;
  readonly #timers: Timers;
  readonly #known: KnownSubagents;
  #isDisposed = false;

  constructor(options: SubagentManagerOptions) {
    const needs = ['spawner', 'limits', 'maxDepth', 'graceMs', 'tasks', 'definitions', 'openWorktree'];
    assertNeeded('SubagentManager', options, ...needs);
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#known = new KnownSubagents((id) => {
      // An error of the spawner does not stop the archiving.
      (async () => options.spawner()?.forget?.(id))().catch(() => {});
    });
  }

  /** The types of subagents, each with its purpose. */
  get types(): Readonly<Record<string, string>> {
    return {
      [generalPurpose]: 'any task of several steps',
      ...this.#options.spawner()?.types,
    };
  }

  /**
   * Runs a subagent until it ends or `scope.signal` aborts; `scope.caller` is its parent. Rejects with a ToolError only
   * if the subagent is refused: `limit_reached` with the name of the limit, `invalid_input`, `not_configured`.
   */
  async run(
    task: SubagentTask,
    { caller, signal }: CallScope,
    onProgress: (progress: SubagentProgress, agentId: string) => void = () => {},
  ): Promise<SubagentOutcome> {
    const child = this.#accept(task, caller);
    const unlisten = onAbort(signal, () => this.#stop(child, 'the call that started it was interrupted'));
    child.done = this.#live(child, (progress) => onProgress(progress, child.id));
    try {
      return await child.done;
    } finally {
      unlisten();
    }
  }

  start(task: SubagentTask, parent: Caller): StartedSubagent {
    const child = this.#accept(task, parent);
    try {
      child.taskId = this.#options.tasks.start(
        task.description,
        async ({ signal, write, withdraw }) => {
          const onAbort = () => this.#stop(child, 'its task was stopped');
          signal.addEventListener('abort', onAbort, { once: true });
          child.done = this.#live(child, ({ text }) => text !== undefined && write(`${text}\n`));
          const { state, output } = await child.done;
          // The subagent was cancelled before it began.
          if (child.state === 'spawning') withdraw();
          write(output);
          return { failed: state !== 'completed' };
        },
        parent,
      );
    } catch (thrown) {
      this.#known.withdraw(child);
      throw thrown;
    }
    return { id: child.id, taskId: child.taskId, done: child.done };
  }

  /** The subagents that `by` started, or all; oldest first. */
  list(by?: Caller): readonly SubagentView[] {
    this.#archive();
    return this.#known.startedBy(by).map((child) => child.view(this.#timers.now()));
  }

  view(id: string): SubagentView | undefined {
    return this.#known.get(id)?.view(this.#timers.now());
  }

  /**
   * Cancels a running subagent that `by` started, with all subagents below it. `id` may be `all`, or `last` for the
   * latest. When the named subagents have ended, resolves with their ids. Rejects with `invalid_input` for an unknown
   * id.
   */
  async cancel(id: string, by?: Caller): Promise<readonly string[]> {
    const running = this.#known.startedBy(by).filter((child) => this.#known.running.has(child));
    const named = id === 'all' ? running : id === 'last' ? running.slice(-1) : [this.#known.find(id, by)];
    const wanted = named.filter((child) => this.#known.running.has(child));
    await this.#endAll(wanted, 'its cancellation was requested');
    return wanted.map((child) => child.id);
  }

  /**
   * Interrupts a running subagent, which continues with the message. Rejects with `invalid_input` for a subagent that
   * is not running.
   */
  async steer(id: string, message: string, by?: Caller): Promise<void> {
    const child = this.#known.find(id, by);
    if (child.isEnding || child.state !== 'running')
      throw new ToolError('invalid_input', `${id} is ${child.state}. Resume it: call Agent with resume: "${id}".`);
    for (const own of this.#known.runningBelow(child)) this.#stop(own, 'the agent that started it was steered');
    await child.steer(message);
  }

  deliver(id: string, message: AgentMessage): void {
    const { maxMessages, maxMessageChars } = this.#options.limits;
    const child = this.#known.find(id);
    if (child.isEnding) throw new ToolError('invalid_input', `${id} has ended and cannot read messages.`);
    if (message.text.length > maxMessageChars)
      throw new ToolError('limit_reached', `A message has at most ${maxMessageChars} characters. Write a shorter one.`);
    if (child.mailbox.length >= maxMessages)
      throw new ToolError('limit_reached', `${maxMessages} messages wait for ${id} already. Wait until it reads them.`);
    child.mailbox.push(message);
  }

  /** The subagent of a caller and its ancestors, nearest first. */
  lineOf(caller: Caller): readonly Subagent[] {
    return this.#known.lineOf(caller);
  }

  /** Whether a caller is allowed to make calls: false for an ended or ending subagent and its descendants. */
  mayAct(caller: Caller): boolean {
    return this.lineOf(caller).every(({ isEnding }) => !isEnding);
  }

  /** Ends and archives the subagents of a session. */
  async endSession(sessionId: string): Promise<void> {
    const running = [...this.#known.running].filter(({ caller }) => caller.sessionId === sessionId);
    await this.#endAll(running, 'its session has ended');
    this.#known.clear(sessionId);
  }

  /** Ends all subagents and refuses later ones. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#endAll([...this.#known.running], 'its toolkit was disposed');
    this.#known.clear();
  }

  #accept(wanted: SubagentTask, parent: Caller): Subagent {
    this.#archive();
    const spawner = this.#options.spawner();
    if (spawner === undefined) throw noSpawner(wanted);
    if (this.#isDisposed || !this.mayAct(parent))
      throw new ToolError('cancelled', 'The subagent was not started, because its parent has ended.');
    const before = wanted.resume === undefined ? undefined : this.#resumable(wanted.resume, parent);
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const task = { ...before?.task, ...given } as SubagentTask;
    const { limits } = this.#options;
    const { running } = this.#known;
    const total = this.#known.totalOf(parent.sessionId);
    assertTask(task, { spawner, types: this.types, parent, running }, limits);
    assertRoom(parent, { running, total }, { ...limits, maxDepth: this.#options.maxDepth() });
    const child = new Subagent(task, parent, this.#timers.now());
    child.worktree = before?.worktree;
    child.before = before;
    this.#known.add(child);
    return child;
  }

  async #live(child: Subagent, onProgress: (progress: SubagentProgress) => void): Promise<SubagentOutcome> {
    // The parent gets the id before the subagent runs.
    await Promise.resolve();
    const { id: agentId, parent: caller, task, stopped: error } = child;
    if (error !== undefined) {
      this.#known.withdraw(child);
      return { agentId, state: 'cancelled', output: error.message, usage: {}, durationMs: 0, error };
    }
    child.before = undefined;
    const outcome = await this.#outcome(child, onProgress);
    await this.#endAll(this.#known.runningBelow(child), 'the agent that started it has ended');
    const { onEnd, onGone } = this.#options;
    const isKept = await child.worktree?.close().catch(() => true);
    const worktree = isKept === true ? child.worktree : undefined;
    child.worktree = worktree;
    // An error of onGone does not change the outcome.
    await Promise.resolve(child.caller)
      .then(onGone)
      .catch(() => {});
    child.state = outcome.state;
    child.endedAt = this.#timers.now();
    child.mailbox.length = 0;
    this.#known.running.delete(child);
    const durationMs = child.endedAt - child.startedAt;
    const output = outcome.output + (worktree === undefined ? '' : `\nIts changes are in ${worktree.path}`);
    if (child.taskId !== undefined) {
      const { state } = outcome;
      const { description } = task;
      onEnd?.({ agentId, parentId: caller.agentId, caller, description, state, output, durationMs });
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
      const run = { maxTurns: task.maxTurns ?? maxTurns, settleMs, graceMs, timers: this.#timers, onProgress };
      const host = spawner() as SubagentSpawner;
      const tools = await definitions(child.caller, child.signal);
      const { output, usage = {} } = await child.run({ ...run, spawner: host, tools });
      return { agentId, state: 'completed' as const, output, usage: { turns: child.turns, ...usage } };
    } catch (thrown) {
      child.isEnding = true;
      const usage = { turns: child.turns };
      const error = child.stopped ?? ToolError.from(thrown);
      const state = child.stopped?.code === 'interrupted' ? ('cancelled' as const) : ('failed' as const);
      return { agentId, state, output: ToolError.from(thrown).partialOutput ?? error.message, usage, error };
    }
  }

  /** Stops a subagent after its descendants, so that none runs without its parent. */
  #stop(child: Subagent, why: string): void {
    if (child.stopped !== undefined || !this.#known.running.has(child)) return;
    child.isEnding = true;
    for (const own of this.#known.runningBelow(child)) this.#stop(own, 'the agent that started it has ended');
    child.stop(new ToolError('interrupted', `The subagent ${child.id} was cancelled: ${why}.`));
    if (child.taskId !== undefined) this.#options.tasks.stop(child.taskId).catch(() => {});
  }

  async #endAll(children: readonly Subagent[], why: string): Promise<void> {
    for (const child of children) this.#stop(child, why);
    await Promise.all(children.map(({ done }) => done));
  }

  #resumable(id: string, parent: Caller): Subagent {
    const before = this.#known.find(id, parent);
    if (!this.#known.running.has(before)) return before;
    throw new ToolError('invalid_input', `resume: ${id} is still running. Wait for its end, or steer it.`);
  }

  #archive(): void {
    this.#known.archive(this.#timers.now() - this.#options.limits.archiveMs);
  }
}
