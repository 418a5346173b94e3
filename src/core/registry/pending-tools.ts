import type { Tool, ToolInitContext } from '../tool.js';
import { defaultReadyMs, type PendingTool } from './pending-tool.js';

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
   * The waiting turn, any object: one turn starts each tool at most once, and does not wait for a tool that has
   * exceeded its time.
   */
  readonly turn?: object;
  /** The working directory for init functions. Default: that of the registry. */
  readonly cwd?: string | undefined;
}

/**
 * The tools of one registry that are not made yet. A tool that is made goes to `place`, unless it was replaced or
 * removed meanwhile.
 */
export class PendingTools {
  readonly #tools = new Map<string, PendingTool>();
  readonly #place: (tool: Tool) => void;

  /** The working directory for init functions; undefined for that of the process. */
  readonly cwd: string | undefined;

  constructor(cwd: string | undefined, place: (tool: Tool) => void) {
    this.cwd = cwd;
    this.#place = place;
  }

  /** Whether one of the tools has not failed: it was not tried, is being made, or is made and not placed yet. */
  get isAnyHopeful(): boolean {
    for (const { failure } of this.#tools.values()) if (failure === undefined) return true;
    return false;
  }

  get(name: string): PendingTool | undefined {
    return this.#tools.get(name);
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  add(tool: PendingTool): void {
    this.#tools.set(tool.name, tool);
  }

  delete(name: string): void {
    this.#tools.delete(name);
  }

  /** Makes all tools and returns those that could not be made. Never rejects. */
  async ready(options: ReadyOptions): Promise<readonly UnreadyTool[]> {
    const { timeoutMs = defaultReadyMs, retry, turn, cwd = this.cwd } = options;
    const context = new InitContext(cwd);
    const isWanted = (tool: PendingTool) => {
      if (turn !== undefined && !tool.isFor(turn)) return false;
      return tool.failure === undefined || retry === undefined || retry.includes(tool.name);
    };
    const wanted = [...this.#tools.values()].filter(isWanted);
    await Promise.all(wanted.map((tool) => tool.ready(context, timeoutMs, () => this.#finish(tool), turn)));
    return [...this.#tools.values()].map(({ name, failure }) => ({
      name,
      reason: failure ?? 'it is still being made',
    }));
  }

  #finish(pending: PendingTool): void {
    const { name, tool } = pending;
    if (tool === undefined || this.#tools.get(name) !== pending) return;
    this.#tools.delete(name);
    this.#place(tool);
  }
}

class InitContext implements ToolInitContext {
  readonly #cwd: string | undefined;

  constructor(cwd: string | undefined) {
    this.#cwd = cwd;
  }

  // Lazy: `process.cwd()` throws where the folder was deleted, which must fail only the tool that reads it.
  get cwd(): string {
    return this.#cwd ?? process.cwd();
  }

  get workingDir(): string {
    return this.cwd;
  }
}
