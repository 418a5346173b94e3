import type { Tool, ToolInitContext } from '../tool.js';
import { defaultReadyMs, type PendingTool } from './pending-tool.js';

/** A tool that could not be made, and why. */
export interface UnreadyTool {
  readonly name: string;
  readonly reason: string;
}

/** How tools that are made on first use are waited for. */
export interface ReadyOptions {
  /** Default `limits.resolver.timeoutMs`; 0 = no limit. */
  readonly timeoutMs?: number;
  /** The tools that are tried again where they failed before, by name. Default all of them. */
  readonly retry?: readonly string[];
  /**
   * Who waits, where that is one of several in a row: for the same object no tool is tried twice, and none is waited
   * for that is late already.
   */
  readonly turn?: object;
  /** What init functions get as their working directory. Default: that of the registry. */
  readonly cwd?: string | undefined;
}

/**
 * The tools of one registry that are made on first use and are not made yet. Each that is made is handed to `place`,
 * unless it was replaced or removed meanwhile.
 */
export class PendingTools {
  readonly #tools = new Map<string, PendingTool>();
  readonly #place: (tool: Tool) => void;

  /** What init functions get as their working directory; undefined for that of the process. */
  readonly cwd: string | undefined;

  constructor(cwd: string | undefined, place: (tool: Tool) => void) {
    this.cwd = cwd;
    this.#place = place;
  }

  /**
   * True while making them has not failed for one of them: it was not tried, is under way, or is done and not placed
   * yet.
   */
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

  /** Makes all of them and answers those that could not be made. Never rejects. */
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

  // Of the process only when asked: where its folder was deleted, asking throws, and that must fail no other tool.
  get cwd(): string {
    return this.#cwd ?? process.cwd();
  }

  get workingDir(): string {
    return this.cwd;
  }
}
