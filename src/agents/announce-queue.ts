import type { Caller, CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import { cutMiddle } from '../core/text/cut-middle.js';
import type { SubagentEnd } from './subagent-end.js';

/** The ended background subagents of one parent, in order of their end. */
export interface Announcement {
  /** Their outputs are scrubbed and together at most `limits.output.maxChars` long. */
  readonly ends: readonly SubagentEnd[];
  /** The same as text for the model of the parent. */
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
  /** Characters of the outputs of one announcement. */
  readonly maxChars: number;
  /** Time limit of the listener in milliseconds; past it the listener has failed. */
  readonly timeoutMs: number;
  /** Without a listener, announcements wait for {@link AnnounceQueue.take}. */
  readonly onAnnounce?: AnnounceListener | undefined;
  readonly scrub?: ((text: string) => string) | undefined;
  readonly timers?: Timers | undefined;
}

/** The pending announcements of one parent. */
interface News {
  readonly caller: Caller;
  readonly ended: AbortController;
  ends: { readonly end: SubagentEnd; readonly at: number }[];
  timer: unknown;
  isTelling: boolean;
  failures: number;
}

const maxBackoffMs = 60_000;

/**
 * Announces the ends of background subagents to their parents. Ends close together are one announcement. The next one
 * waits until the last was received, so that a parent gets them in order.
 */
export class AnnounceQueue {
  readonly #options: AnnounceQueueOptions;
  readonly #timers: Timers;
  readonly #news = new Map<string, News>();
  #isDisposed = false;

  constructor(options: AnnounceQueueOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  /** Queues the end of a subagent for its parent. */
  add(end: SubagentEnd): void {
    if (this.#isDisposed) return;
    const { scrub = (text: string) => text } = this.#options;
    const key = keyOf(end.caller);
    const ended = new AbortController();
    const fresh = { caller: end.caller, ended, ends: [], timer: undefined, isTelling: false, failures: 0 };
    const news: News = this.#news.get(key) ?? fresh;
    this.#news.set(key, news);
    const clean = { ...end, description: scrub(end.description), output: scrub(end.output) };
    news.ends.push({ end: clean, at: this.#timers.now() });
    if (!news.isTelling && news.failures === 0) this.#schedule(news);
  }

  /** Whether announcements are pending. */
  get hasNews(): boolean {
    return this.#news.size > 0;
  }

  /**
   * Takes the pending announcement of a parent, for its next result; undefined without one, and if there is a listener.
   */
  take(caller: Caller): string | undefined {
    const news = this.#options.onAnnounce === undefined ? this.#news.get(keyOf(caller)) : undefined;
    if (news === undefined) return undefined;
    this.#news.delete(keyOf(caller));
    return this.#batch(news).text;
  }

  /** Drops the announcements to an ended subagent. */
  endAgent(sessionId: string, agentId: string): void {
    this.#drop((caller) => caller.sessionId === sessionId && caller.agentId === agentId);
  }

  /** Drops the announcements of a session. */
  endSession(sessionId: string): void {
    this.#drop((caller) => caller.sessionId === sessionId);
  }

  /** Drops all announcements, including later ones. */
  dispose(): void {
    this.#isDisposed = true;
    this.#drop(() => true);
  }

  #drop(isOver: (caller: Caller) => boolean): void {
    for (const [key, news] of this.#news) {
      if (!isOver(news.caller)) continue;
      this.#news.delete(key);
      this.#timers.clear(news.timer);
      news.ended.abort();
    }
  }

  #schedule(news: News): void {
    const { onAnnounce, limits } = this.#options;
    const [first, last] = [news.ends[0], news.ends.at(-1)];
    if (onAnnounce === undefined || first === undefined || last === undefined) return;
    const dueAt = Math.min(last.at + limits.announceMs, first.at + limits.maxAnnounceMs);
    this.#wait(news, onAnnounce, dueAt - this.#timers.now());
  }

  #wait(news: News, onAnnounce: AnnounceListener, delayMs: number): void {
    this.#timers.clear(news.timer);
    news.timer = this.#timers.set(() => void this.#tell(news, onAnnounce), Math.max(0, delayMs));
  }

  async #tell(news: News, onAnnounce: AnnounceListener): Promise<void> {
    const count = news.ends.length;
    news.isTelling = true;
    const isTaken = await this.#isTaken(news, onAnnounce);
    news.isTelling = false;
    if (news.ended.signal.aborted) return;
    if (!isTaken) {
      const backoffMs = Math.min(maxBackoffMs, Math.max(1, this.#options.limits.announceMs) * 2 ** news.failures);
      news.failures++;
      return this.#wait(news, onAnnounce, backoffMs);
    }
    news.failures = 0;
    news.ends = news.ends.slice(count);
    if (news.ends.length > 0) this.#schedule(news);
    else this.#news.delete(keyOf(news.caller));
  }

  async #isTaken(news: News, onAnnounce: AnnounceListener): Promise<boolean> {
    const late = new AbortController();
    const signal = AbortSignal.any([news.ended.signal, late.signal]);
    const stopped = new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)));
    const timer = this.#timers.set(() => late.abort(), this.#options.timeoutMs);
    try {
      const told = (async () => await onAnnounce(this.#batch(news), { caller: news.caller, signal }))();
      return await Promise.race([stopped, told.then(() => true)]);
    } catch {
      return false;
    } finally {
      this.#timers.clear(timer);
    }
  }

  #batch({ ends }: News): Announcement {
    const share = Math.floor(this.#options.maxChars / ends.length);
    const bounded = ends.map(({ end }) => ({ ...end, output: shortened(end.output, share) }));
    return { ends: bounded, text: bounded.map(inWords).join('\n\n') };
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

function inWords({ agentId, description, state, durationMs, output }: SubagentEnd): string {
  const seconds = Math.max(1, Math.round(durationMs / 1_000));
  return `Subagent ${agentId} (${description}) ${state} after ${seconds} s:\n${output}`;
}
