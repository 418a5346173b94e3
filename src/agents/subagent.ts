import { randomBytes } from 'node:crypto';
import type { Caller } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type {
  AgentMessage,
  SubagentOutcome,
  SubagentState,
  SubagentTask,
  SubagentUsage,
  SubagentView,
} from '../core/subagent.js';
import { isRecord } from '../core/support/check-values.js';
import { atLatest, type Timers, unlessAborted, waitFor } from '../core/support/timers.js';
import type { SubagentProgress, SubagentRequest, SubagentResult, SubagentSpawner } from '../ports/agents/subagents.js';
import type { Worktree } from './worktree.js';

export const generalPurpose = 'general-purpose';

/** The dependencies and limits of a run of a subagent. */
export interface SubagentRun {
  readonly spawner: SubagentSpawner;
  readonly tools: SubagentRequest['tools'];
  readonly maxTurns: number;
  /** Time for a stopped subagent to clean up before its run is abandoned, in milliseconds. */
  readonly graceMs: number;
  readonly settleMs: number;
  readonly timers: Timers;
  onProgress(progress: SubagentProgress): void;
}

/** A subagent with its identity, state and runs; steering ends the current run and starts another. */
export class Subagent {
  readonly id: string;
  readonly task: SubagentTask;
  /** The caller of the parent's calls. */
  readonly parent: Caller;
  /** The caller of the subagent's own calls. */
  readonly caller: Caller & { readonly depth: number };
  readonly startedAt: number;
  readonly mailbox: AgentMessage[] = [];
  state: SubagentState = 'spawning';
  turns = 0;
  endedAt: number | undefined;
  taskId: string | undefined;
  worktree: Worktree | undefined;
  before: Subagent | undefined;
  stopped: ToolError | undefined;
  /** True once the subagent must not start further work. */
  isEnding = false;
  done: Promise<SubagentOutcome> = new Promise(() => {});
  /** Resolves when all runs of the spawner have settled. */
  settled: Promise<unknown> = Promise.resolve();
  #control = new AbortController();
  #isPausing = false;
  readonly #steers: { readonly message: string; readonly settle: (error?: ToolError) => void }[] = [];

  constructor(task: SubagentTask, parent: Caller, startedAt: number) {
    const { messageId: _, agentId: parentId, ...inherited } = parent;
    this.id = task.resume ?? `agent_${randomBytes(4).toString('hex')}`;
    this.task = task;
    this.parent = parent;
    const own = { agentId: this.id, depth: (parent.depth ?? 0) + 1 };
    this.caller = Object.freeze({ ...inherited, ...own, ...(parentId === undefined ? {} : { parentId }) });
    this.startedAt = startedAt;
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  isChildOf({ sessionId, agentId }: Caller): boolean {
    return this.parent.sessionId === sessionId && this.parent.agentId === agentId;
  }

  view(now: number): SubagentView {
    const { id: agentId, task, caller, state, turns, startedAt, endedAt, taskId } = this;
    const { description, type = generalPurpose, name, teamName } = task;
    const { sessionId, parentId, depth } = caller;
    const who = { agentId, parentId, sessionId, description, type, name, teamName };
    const endedMs = endedAt === undefined ? undefined : now - endedAt;
    return { ...who, state, depth, turns, durationMs: (endedAt ?? now) - startedAt, endedMs, taskId };
  }

  stop(reason: ToolError): void {
    this.stopped ??= reason;
    this.isEnding = true;
    this.#control.abort(this.stopped);
  }

  /** Ends the run and begins another with the message. Rejects if the subagent ends first. */
  steer(message: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#steers.push({ message, settle: (error) => (error === undefined ? resolve() : reject(error)) });
      if (!this.#isPausing)
        this.#control.abort(new ToolError('interrupted', 'The subagent continues with a new message.'));
    });
  }

  /** Runs the subagent until it is done. Rejects with a ToolError if it fails or is stopped. */
  async run(run: SubagentRun): Promise<SubagentResult> {
    let { resume } = this.task;
    let message = resume === undefined ? undefined : this.task.prompt;
    try {
      for (;;) {
        const ended = await this.#attempt(run, { resume, message }).then(
          (result) => ({ result, thrown: undefined }),
          (thrown: unknown) => ({ result: undefined, thrown }),
        );
        if (this.stopped !== undefined) throw withPartial(this.stopped, ended.result);
        if (this.#steers.length === 0) {
          if (ended.result === undefined) throw ToolError.from(ended.thrown);
          return ended.result;
        }
        this.#control = new AbortController();
        this.#isPausing = true;
        await waitFor(run.settleMs, this.signal, run.timers);
        this.#isPausing = false;
        const steers = this.#steers.splice(0);
        resume = this.id;
        message = steers.map((steer) => steer.message).join('\n\n');
        for (const { settle } of steers) settle(this.stopped);
      }
    } finally {
      this.isEnding = true;
      for (const { settle } of this.#steers.splice(0)) settle(new ToolError('cancelled', `${this.id} has ended.`));
    }
  }

  async #attempt(run: SubagentRun, again: Pick<SubagentRequest, 'resume' | 'message'>): Promise<SubagentResult> {
    const { id, caller, signal, mailbox, worktree } = this;
    const { description, prompt, type = generalPurpose, model, name, teamName, mode } = this.task;
    const { spawner, tools, maxTurns } = run;
    let isOver = false;
    signal.throwIfAborted();
    this.state = 'running';
    const request: SubagentRequest = {
      ...{ id, description, prompt, type, model, maxTurns, name, teamName, mode, tools, ...again },
      cwd: worktree?.cwd,
      report: (progress) => {
        if (isOver || !isRecord(progress)) return;
        const { text, turn } = progress;
        if (Number.isInteger(turn)) this.turns = Number(turn);
        if (this.turns > maxTurns) this.stop(tooManyTurns(maxTurns));
        run.onProgress({ turn: this.turns, ...(typeof text === 'string' ? { text } : {}) });
      },
      inbox: () => (isOver ? [] : mailbox.splice(0)),
    };
    try {
      const spawned = (async () => await spawner.spawn(request, { caller, signal }))();
      this.settled = Promise.allSettled([this.settled, spawned]);
      return readResult(await withinGrace(spawned, this, run));
    } finally {
      isOver = true;
    }
  }
}

/** Waits for `work`. Once the signal aborts, waits no longer than the grace period. */
async function withinGrace<Value>(work: Promise<Value>, subagent: Subagent, run: SubagentRun): Promise<Value> {
  return await unlessAborted(work, subagent.signal, async () => {
    await atLatest(work, subagent.stopped === undefined ? run.settleMs : run.graceMs, run.timers);
    // If the work has settled by now, its outcome is used.
    return await Promise.race([work, Promise.reject(new ToolError('interrupted', 'It did not stop in time.'))]);
  });
}

const counts = ['inputTokens', 'outputTokens', 'toolCalls', 'turns'] as const satisfies (keyof SubagentUsage)[];

function readResult(result: unknown): SubagentResult {
  if (!isRecord(result) || typeof result.output !== 'string')
    throw new ToolError('execution_failed', 'hosts.subagents gave no usable answer. Do the work yourself.');
  const given: Readonly<Record<string, unknown>> = isRecord(result.usage) ? result.usage : {};
  const usage = counts.flatMap((name) => {
    const count = given[name];
    return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? [[name, count] as const] : [];
  });
  return { output: result.output, usage: Object.fromEntries(usage) };
}

function withPartial(error: ToolError, result: SubagentResult | undefined): ToolError {
  return result === undefined ? error : error.with(error.message, { partialOutput: result.output });
}

function tooManyTurns(maxTurns: number): ToolError {
  return new ToolError(
    'limit_reached',
    `The subagent did not finish within ${maxTurns} rounds (limits.subagents.maxTurns).`,
  );
}
