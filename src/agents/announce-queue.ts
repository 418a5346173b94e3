import type { Caller, CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import { systemTimers, type Timers } from '../core/support/timer.js';
import { cutMiddle } from '../core/text/cut-text.js';
import { askHost } from '../ports/ask-host.js';
import type { SubagentEnd } from './subagent-manager-options.js';

/** The ended background subagents of one parent, in order of their end. */
export interface Announcement {
  /** The ended subagents. Their outputs are scrubbed, with a total length of at most `limits.output.maxChars`. */
  readonly ends: readonly SubagentEnd[];
  /** One text that describes these ends, for the parent's model. */
  readonly text: string;
}

/**
 * Receives an announcement. `scope.caller` is the parent, and `scope.signal` aborts when the parent ends or the time
 * limit is over. After an error the announcement is repeated, perhaps with further ends.
 */
export type AnnounceListener = (batch: Announcement, scope: CallScope) => unknown;

/** Options of an {@link AnnounceQueue}. */
export interface AnnounceQueueOptions {
  readonly limits: Pick<Limits['subagents'], 'announceMs' | 'maxAnnounceMs'>;
  /** The maximum number of characters of all outputs of one announcement. */
  readonly maxChars: number;
  /** Time limit of the listener in milliseconds. After that time, the listener counts as failed. */
  readonly timeoutMs: number;
  /** Without a listener, announcements wait for {@link AnnounceQueue.take}. */
  readonly onAnnounce?: AnnounceListener | undefined;
  readonly scrub?: ((text: string) => string) | undefined;
  readonly timers?: Timers | undefined;
}

interface PendingEnds {
  readonly caller: Caller;
  readonly ended: AbortController;
  ends: { readonly end: SubagentEnd; readonly at: number }[];
  timer: unknown;
  isAnnouncing: boolean;
  failures: number;
}

const maxBackoffMs = 60_000;

/**
 * Announces the ends of background subagents to their parents. Ends close together are one announcement. The next
 * announcement waits until the previous one was received, so that a parent gets announcements in order.
 */
export class AnnounceQueue {
  readonly #options: AnnounceQueueOptions;
  readonly #timers: Timers;
  readonly #pending = new Map<string, PendingEnds>();
  #isDisposed = false;

  constructor(options: AnnounceQueueOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  add(end: SubagentEnd): void {
    if (this.#isDisposed) return;
    const { scrub = (text: string) => text } = this.#options;
    const key = keyOf(end.caller);
    const ended = new AbortController();
    const fresh = { caller: end.caller, ended, ends: [], timer: undefined, isAnnouncing: false, failures: 0 };
    const pending: PendingEnds = this.#pending.get(key) ?? fresh;
    this.#pending.set(key, pending);
    const clean = { ...end, description: scrub(end.description), output: scrub(end.output) };
    pending.ends.push({ end: clean, at: this.#timers.now() });
    if (!pending.isAnnouncing && pending.failures === 0) this.#schedule(pending);
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Takes the pending announcement of a parent for its next result, if there is no `onAnnounce`. */
  take(caller: Caller): string | undefined {
    const pending = this.#options.onAnnounce === undefined ? this.#pending.get(keyOf(caller)) : undefined;
    if (pending === undefined) return undefined;
    this.#pending.delete(keyOf(caller));
    return this.#batch(pending).text;
  }

  endAgent(sessionId: string, agentId: string): void {
    this.#drop((caller) => caller.sessionId === sessionId && caller.agentId === agentId);
  }

  endSession(sessionId: string): void {
    this.#drop((caller) => caller.sessionId === sessionId);
  }

  /** Drops all announcements, including later ones. */
  dispose(): void {
    this.#isDisposed = true;
    this.#drop(() => true);
  }

  #drop(isOver: (caller: Caller) => boolean): void {
    for (const [key, pending] of this.#pending) {
      if (!isOver(pending.caller)) continue;
      this.#pending.delete(key);
      this.#timers.clear(pending.timer);
      pending.ended.abort();
    }
  }

  #schedule(pending: PendingEnds): void {
    const { onAnnounce, limits } = this.#options;
    const [first, last] = [pending.ends[0], pending.ends.at(-1)];
    if (onAnnounce === undefined || first === undefined || last === undefined) return;
    const dueAt = Math.min(last.at + limits.announceMs, first.at + limits.maxAnnounceMs);
    this.#wait(pending, onAnnounce, dueAt - this.#timers.now());
  }

  #wait(pending: PendingEnds, onAnnounce: AnnounceListener, delayMs: number): void {
    this.#timers.clear(pending.timer);
    pending.timer = this.#timers.set(() => void this.#announce(pending, onAnnounce), Math.max(0, delayMs));
  }

  async #announce(pending: PendingEnds, onAnnounce: AnnounceListener): Promise<void> {
    const count = pending.ends.length;
    pending.isAnnouncing = true;
    const isReceived = await this.#deliver(pending, onAnnounce);
    pending.isAnnouncing = false;
    if (pending.ended.signal.aborted) return;
    if (!isReceived) {
      const backoffMs = Math.min(maxBackoffMs, Math.max(1, this.#options.limits.announceMs) * 2 ** pending.failures);
      pending.failures++;
      return this.#wait(pending, onAnnounce, backoffMs);
    }
    pending.failures = 0;
    pending.ends = pending.ends.slice(count);
    if (pending.ends.length > 0) this.#schedule(pending);
    else this.#pending.delete(keyOf(pending.caller));
  }

  async #deliver({ caller, ended, ...pending }: PendingEnds, onAnnounce: AnnounceListener): Promise<boolean> {
    const request = { port: 'onAnnounce', timeoutMs: this.#options.timeoutMs, timers: this.#timers };
    const announced = askHost(request, { caller, signal: ended.signal }, (scope) =>
      onAnnounce(this.#batch(pending), scope),
    );
    return await announced.then(
      () => true,
      () => false,
    );
  }

  #batch({ ends }: Pick<PendingEnds, 'ends'>): Announcement {
    const share = Math.floor(this.#options.maxChars / ends.length);
    const bounded = ends.map(({ end }) => ({ ...end, output: shortened(end.output, share) }));
    return { ends: bounded, text: bounded.map(describeEnd).join('\n\n') };
  }
}

function keyOf({ sessionId, agentId }: Caller): string {
  return JSON.stringify([sessionId, agentId]);
}

const notice = (omitted: number) => `\n[${omitted} characters omitted; resume the agent to ask for them]\n`;

function shortened(output: string, maxChars: number): string {
  if (output.length <= maxChars) return output;
  const cut = cutMiddle(output, Math.max(0, maxChars - notice(output.length).length));
  return cut === undefined ? output : `${cut.head}${notice(cut.omitted)}${cut.tail}`;
}

function describeEnd({ agentId, description, state, durationMs, output }: SubagentEnd): string {
  const seconds = Math.max(1, Math.round(durationMs / 1_000));
  return `Subagent ${agentId} (${description}) ${state} after ${seconds} s:\n${output}`;
}
