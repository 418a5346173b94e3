import { assertTool } from './assert-tool.js';
import { ToolError } from './error.js';
import { defaultLimits } from './limits.js';
import type { DeferredTool, Tool, ToolInitContext } from './tool.js';

/**
 * A deferred tool on its way: started at most once at a time, however many wait for it. Until it is there, {@link standIn} holds
 * its place: a tool that refuses every input with `execution_failed` and says what is wrong, before anybody is asked for permission.
 */
export class PendingTool {
  readonly standIn: Tool;
  readonly #deferred: DeferredTool;
  #running: Promise<void> | undefined;
  #tool: Tool | undefined;
  #failure: string | undefined;

  constructor(deferred: DeferredTool) {
    this.#deferred = deferred;
    this.standIn = standInFor(deferred.name, () => this.#failure);
  }

  get name(): string {
    return this.#deferred.name;
  }

  /** The finished tool, once there is one. */
  get tool(): Tool | undefined {
    return this.#tool;
  }

  /** Why the last try gave no tool; undefined before it, while it runs, and once there is a tool. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * Makes the tool, or joins the try that is under way. Never rejects. When it takes longer than `timeoutMs`, it counts as failed;
   * should it finish after all, `settled` is called then as it would have been before.
   */
  async ready(context: ToolInitContext, timeoutMs: number, settled: () => void): Promise<void> {
    if (this.#tool !== undefined) return settled();
    this.#running ??= this.#run(context).finally(() => {
      this.#running = undefined;
    });
    if (await isDoneWithin(this.#running.then(settled), timeoutMs)) return;
    this.#failure ??= `its init took longer than ${timeoutMs} ms`;
  }

  async #run(context: ToolInitContext): Promise<void> {
    this.#failure = undefined;
    try {
      const tool = await this.#deferred.init(context);
      assertTool(tool);
      if (tool.name !== this.#deferred.name) throw new TypeError('its init gave a tool of another name');
      this.#tool = tool;
      this.#failure = undefined;
    } catch (thrown) {
      this.#failure = ToolError.from(thrown).message;
    }
  }
}

/** How long `registry.ready()` waits for one tool when nothing else is said, in milliseconds. */
export const defaultReadyMs = defaultLimits.resolver.timeoutMs;

// Later than this, setTimeout would fire at once.
const longestTimerMs = 2_147_483_647;

async function isDoneWithin(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  if (timeoutMs === 0 || timeoutMs > longestTimerMs) return await work.then(() => true);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function standInFor(name: string, failure: () => string | undefined): Tool {
  const refuse = (): never => {
    const reason = failure() ?? 'it is still being made ready';
    throw new ToolError('execution_failed', `${name} is not ready: ${reason}. Use another tool, or try again later.`);
  };
  return Object.freeze({
    name,
    description: '',
    input: { json: Object.freeze({ type: 'object' }), parse: refuse },
    sideEffect: 'spawns',
    permissions: Object.freeze({ required: Object.freeze(['execute' as const]), optional: Object.freeze([]) }),
    groups: Object.freeze([]),
    timeoutMs: undefined,
    maxOutputChars: undefined,
    idempotent: false,
    literalFields: Object.freeze([]),
    titleOf: () => name,
    previewOf: () => undefined,
    targetsOf: () => [],
    footprintOf: () => ({ reads: 'everything', writes: 'everything' }),
    riskOf: () => 'critical',
    verdictOf: () => undefined,
    execute: async () => refuse(),
  } satisfies Tool);
}
