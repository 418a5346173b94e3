import { ToolError } from '../error.js';
import { defaultLimits } from '../limits.js';
import { startTimer } from '../support/timer.js';
import type { Tool, ToolInitContext } from '../tool.js';
import { assertTool } from './assert-tool.js';

/** A tool that says how it is made. */
export type DeferredTool = Tool & Required<Pick<Tool, 'init'>>;

/** True for a tool that still has to be made. */
export function isDeferred(tool: Tool): tool is DeferredTool {
  return typeof tool.init === 'function';
}

/**
 * A tool on its way: started at most once at a time, however many wait for it. Until it is there, {@link standIn} holds
 * its place: it refuses every input with `execution_failed` and says what is wrong, before anybody is asked for
 * permission.
 */
export class PendingTool {
  readonly standIn: Tool;
  readonly deferred: DeferredTool;
  #running: Promise<void> | undefined;
  #tool: Tool | undefined;
  #failure: string | undefined;
  #isLate = false;
  readonly #turns = new WeakSet<object>();

  constructor(deferred: DeferredTool) {
    this.deferred = deferred;
    const refuse = () => this.#refuse();
    this.standIn = Object.freeze({
      ...deferred,
      input: { json: deferred.input.json, parse: refuse },
      execute: async () => refuse(),
    });
  }

  get name(): string {
    return this.deferred.name;
  }

  /** The finished tool, once there is one. */
  get tool(): Tool | undefined {
    return this.#tool;
  }

  /**
   * Why the last try gave no tool; undefined before the first has ended, and once there is a tool. While another try
   * runs it stays.
   */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * Whether a turn, which may be any object of its own, is to wait for it: not for a try that is late already, and for
   * one try alone.
   */
  isFor(turn: object): boolean {
    return !this.#isLate && !this.#turns.has(turn);
  }

  /**
   * Makes the tool, or joins the try that is under way. Never rejects. When it takes longer than `timeoutMs`, it counts
   * as failed; should it finish after all, `settled` is called then as it would have been before. `turn` is who waits,
   * see {@link isFor}.
   */
  async ready(context: ToolInitContext, timeoutMs: number, settled: () => void, turn?: object): Promise<void> {
    if (this.#tool !== undefined) return settled();
    if (turn !== undefined) this.#turns.add(turn);
    this.#running ??= this.#run(context).finally(() => {
      this.#running = undefined;
      this.#isLate = false;
    });
    if (await isDoneWithin(this.#running.then(settled), timeoutMs)) return;
    if (this.#running === undefined) return;
    this.#isLate = true;
    this.#failure = `its init took longer than ${timeoutMs} ms`;
  }

  #refuse(): never {
    // A call in a later turn begins anew what has failed; what is under way is not waited for twice.
    const isRunning = this.#running !== undefined;
    const reason = this.#failure ?? (isRunning ? 'it is still being made' : 'it was not made yet');
    const next = isRunning ? 'a later turn' : 'your next turn, which tries to make it';
    throw new ToolError(
      'execution_failed',
      `${this.name} is not ready: ${reason}. Use another tool, or call it again in ${next}.`,
    );
  }

  async #run(context: ToolInitContext): Promise<void> {
    try {
      const tool = await this.deferred.init(context);
      assertTool(tool);
      if (tool.name !== this.name) throw new TypeError('its init gave a tool of another name');
      this.#tool = tool;
      this.#failure = undefined;
    } catch (thrown) {
      this.#failure = ToolError.from(thrown).message;
    }
  }
}

/** How long `registry.ready()` waits for one tool when nothing else is said, in milliseconds. */
export const defaultReadyMs = defaultLimits.resolver.timeoutMs;

async function isDoneWithin(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  if (timeoutMs === 0 || timeoutMs === Number.POSITIVE_INFINITY) return await work.then(() => true);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = startTimer(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
