import { ToolError } from '../error.js';
import { defaultLimits } from '../limits.js';
import { stopWatch } from '../support/timers.js';
import type { Tool } from '../tool.js';
import type { ToolInitContext } from '../tool-definition.js';
import { assertTool } from './assert-tool.js';

/** A tool that could not be made, with the reason. */
export interface UnreadyTool {
  readonly name: string;
  readonly reason: string;
}

/** How `ready()` waits for tools that are made on first use. */
export interface ReadyOptions {
  /** Default `limits.resolver.timeoutMs`; 0 = no limit. */
  readonly timeoutMs?: number;
  /** The names of failed tools that are tried again. Default: all failed tools. */
  readonly retry?: readonly string[];
  /**
   * Any object that identifies the waiting turn. A turn tries to make each tool at most once, and does not wait for a
   * tool that has exceeded its time.
   */
  readonly turn?: object;
  /** The working directory for init functions. Default: the working directory of the registry. */
  readonly cwd?: string | undefined;
}

/**
 * The tools of one registry that are not made yet. A finished tool is passed to `place`, unless it was replaced or
 * removed meanwhile.
 */
export class PendingTools extends Map<string, PendingTool> {
  /** The working directory for init functions; undefined for the working directory of the process. */
  readonly cwd: string | undefined;
  readonly #place: (tool: Tool) => void;
  /** Maps each stand-in and each finished tool to the registered tool. */
  #deferredOf = new WeakMap<Tool, DeferredTool>();

  constructor(cwd: string | undefined, place: (tool: Tool) => void) {
    super();
    this.cwd = cwd;
    this.#place = place;
  }

  /**
   * Empties the list for a clone of `original`; {@link originOf} also finds the origins of the tools that the clone
   * takes over.
   */
  startClone(original: PendingTools): void {
    this.clear();
    this.#deferredOf = original.#deferredOf;
  }

  override set(name: string, pending: PendingTool): this {
    this.#deferredOf.set(pending.standIn, pending.deferred);
    return super.set(name, pending);
  }

  /** The registered tool behind a stand-in or a finished tool. Any other tool is returned unchanged. */
  originOf(tool: Tool | undefined): Tool | undefined {
    return tool && (this.#deferredOf.get(tool) ?? tool);
  }

  /**
   * Whether any pending tool has not failed. Such a tool was not tried yet, is being made, or is made but not placed
   * yet.
   */
  get isAnyPending(): boolean {
    for (const { failure } of this.values()) if (failure === undefined) return true;
    return false;
  }

  /** Makes all tools and returns the tools that could not be made. Never rejects. */
  async ready(options: ReadyOptions): Promise<readonly UnreadyTool[]> {
    const { timeoutMs = defaultLimits.resolver.timeoutMs, retry, turn, cwd = this.cwd } = options;
    // Getters, because `process.cwd()` throws if the folder was deleted. Only tools that read the property fail then.
    const context: ToolInitContext = {
      get cwd() {
        return cwd ?? process.cwd();
      },
      get workingDir() {
        return cwd ?? process.cwd();
      },
    };
    const isWanted = (tool: PendingTool) => {
      if (turn !== undefined && !tool.isFor(turn)) return false;
      return tool.failure === undefined || retry === undefined || retry.includes(tool.name);
    };
    const wanted = [...this.values()].filter(isWanted);
    await Promise.all(wanted.map((tool) => tool.ready(context, timeoutMs, () => this.#finish(tool), turn)));
    return [...this.values()].map(({ name, failure }) => ({
      name,
      reason: failure ?? 'it is still being made',
    }));
  }

  #finish(pending: PendingTool): void {
    const { name, tool } = pending;
    if (tool === undefined || this.get(name) !== pending) return;
    this.delete(name);
    this.#deferredOf.set(tool, pending.deferred);
    this.#place(tool);
  }
}

export type DeferredTool = Tool & Required<Pick<Tool, 'init'>>;

export function isDeferred(tool: Tool): tool is DeferredTool {
  return typeof tool.init === 'function';
}

/**
 * A tool whose init function has not succeeded yet. The function runs at most once at a time, however many callers
 * wait. Until the function succeeds, the registry contains {@link standIn}, which refuses every input with
 * `execution_failed` and the reason, before a permission question.
 */
export class PendingTool {
  readonly standIn: Tool;
  readonly deferred: DeferredTool;
  /** The finished tool; undefined until it is made. */
  tool: Tool | undefined;
  /**
   * The reason why the last try failed, even while another try runs; undefined before the first try has ended and after
   * a success.
   */
  failure: string | undefined;
  #running: Promise<void> | undefined;
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

  /**
   * Whether a turn, identified by any object, should wait for the tool. A turn waits for one try, and never for a try
   * that has exceeded its time.
   */
  isFor(turn: object): boolean {
    return !this.#isLate && !this.#turns.has(turn);
  }

  /**
   * Makes the tool, or joins a running try. Never rejects. A try that exceeds `timeoutMs` counts as failed. `settled`
   * is called when the try ends, even after that time. `turn` identifies the waiting turn, see {@link isFor}.
   */
  async ready(context: ToolInitContext, timeoutMs: number, settled: () => void, turn?: object): Promise<void> {
    if (this.tool !== undefined) return settled();
    if (turn !== undefined) this.#turns.add(turn);
    this.#running ??= this.#run(context).finally(() => {
      this.#running = undefined;
      this.#isLate = false;
    });
    const watch = stopWatch([], timeoutMs);
    const end = await Promise.race([this.#running.then(settled), watch.stopped]).finally(() => watch.clear());
    if (end !== 'timeout' || this.#running === undefined) return;
    this.#isLate = true;
    this.failure = `its init took longer than ${timeoutMs} ms`;
  }

  #refuse(): never {
    // A later turn starts a failed try again, but does not wait for a running try that has exceeded its time.
    const isRunning = this.#running !== undefined;
    const reason = this.failure ?? (isRunning ? 'it is still being made' : 'it was not made yet');
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
      if (tool.name !== this.name) throw new TypeError('its init returned a tool of another name');
      this.tool = tool;
      this.failure = undefined;
    } catch (thrown) {
      this.failure = ToolError.from(thrown).message;
    }
  }
}
