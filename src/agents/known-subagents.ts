import type { Caller } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { didYouMean } from '../core/support/near-names.js';
import type { Subagent } from './subagent.js';

/** The known subagents: running ones, and ended ones that are not archived. */
export class KnownSubagents {
  readonly running = new Set<Subagent>();
  /** The known subagents by id, in order of start. */
  readonly #known = new Map<string, Subagent>();
  /** Archived subagents whose spawner has not settled yet; their calls are refused. */
  readonly #late = new Map<string, Subagent>();
  readonly #totals = new Map<string, number>();
  readonly #onForget: (id: string) => void;

  constructor(onForget: (id: string) => void) {
    this.#onForget = onForget;
  }

  totalOf(sessionId: string): number {
    return this.#totals.get(sessionId) ?? 0;
  }

  /** Adds a running subagent, in place of the subagent that it resumes. */
  add(child: Subagent): void {
    this.#known.delete(child.id);
    this.#known.set(child.id, child);
    this.running.add(child);
    this.#count(child, 1);
  }

  withdraw(child: Subagent): void {
    this.running.delete(child);
    this.#known.delete(child.id);
    if (child.before !== undefined) this.#known.set(child.id, child.before);
    this.#count(child, -1);
  }

  get(id: string): Subagent | undefined {
    return this.#known.get(id);
  }

  startedBy(by?: Caller): readonly Subagent[] {
    return [...this.#known.values()].filter((child) => by === undefined || child.isChildOf(by));
  }

  runningBelow({ caller }: Subagent): readonly Subagent[] {
    return [...this.running].filter((child) => child.isChildOf(caller));
  }

  /**
   * Throws the same `invalid_input` for an unknown id and for a subagent of another agent, so that ids cannot be
   * probed.
   */
  find(id: string, by?: Caller): Subagent {
    const own = this.startedBy(by);
    const found = own.find((child) => child.id === id);
    if (found !== undefined) return found;
    const ids = own.map((child) => child.id);
    throw new ToolError(
      'invalid_input',
      `You have no subagent ${JSON.stringify(id)}; it may be archived.${didYouMean(id, ids)}`,
    );
  }

  /** The subagent of a caller and its ancestors, nearest first. */
  lineOf({ agentId, sessionId }: Caller): readonly Subagent[] {
    const child = agentId === undefined ? undefined : (this.#known.get(agentId) ?? this.#late.get(agentId));
    return child?.caller.sessionId === sessionId ? [child, ...this.lineOf(child.parent)] : [];
  }

  /** Archives the subagents that ended at or before `oldest`. */
  archive(oldest: number): void {
    this.#forget(({ endedAt }) => endedAt !== undefined && endedAt <= oldest);
  }

  /** Archives the ended subagents of one session, or of all sessions. */
  clear(sessionId?: string): void {
    this.#forget(({ caller }) => sessionId === undefined || caller.sessionId === sessionId);
    if (sessionId === undefined) this.#totals.clear();
    else this.#totals.delete(sessionId);
  }

  #forget(isOver: (child: Subagent) => boolean): void {
    for (const child of [...this.#known.values()].filter((one) => isOver(one) && !this.running.has(one))) {
      this.#known.delete(child.id);
      this.#late.set(child.id, child);
      void child.settled.then(() => this.#late.delete(child.id));
      this.#onForget(child.id);
    }
  }

  #count({ caller: { sessionId } }: Subagent, by: number): void {
    this.#totals.set(sessionId, this.totalOf(sessionId) + by);
  }
}
