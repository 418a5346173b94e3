import type { Caller, CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import { cutMiddle } from '../core/text/cut-middle.js';
import type { SubagentEnd } from './subagent-end.js';

/** Background subagents of one parent that have ended, in that order. */
export interface Announcement {
  /** Their outputs are scrubbed, and within `limits.output.maxChars` together. */
  readonly ends: readonly SubagentEnd[];
  /** The same in words for the model of the parent. */
  readonly text: string;
}

/**
 * Takes an announcement; `scope.caller` is the parent, and `scope.signal` aborts when that has ended or it takes too
 * long. What throws or rejects is told again, perhaps with more.
 */
export type AnnounceListener = (batch: Announcement, scope: CallScope) => unknown;

/** What an {@link AnnounceQueue} works with. */
export interface AnnounceQueueOptions {
  readonly limits: Pick<Limits['subagents'], 'announceMs' | 'maxAnnounceMs'>;
  /** Characters of the outputs of one announcement. */
  readonly maxChars: number;
  /** How long the listener may take; then it has failed. Milliseconds. */
  readonly timeoutMs: number;
  /** Without one, announcements wait to be taken. */
  readonly onAnnounce?: AnnounceListener | undefined;
  readonly scrub?: ((text: string) => string) | undefined;
  readonly timers?: Timers | undefined;
}

/** What one parent is still to be told. */
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
 * Tells parents of the ends of their background subagents. Those that come close together are one announcement; the
 * next waits until the last was taken, so that a parent hears of them in order.
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

  /** Has the parent of a subagent be told of its end. */
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

  /** Whether anybody is still to be told something. */
  get hasNews(): boolean {
    return this.#news.size > 0;
  }

  /** What nobody took yet, for the next result of a parent; undefined where there is a listener, or no news. */
  take(caller: Caller): string | undefined {
    const news = this.#options.onAnnounce === undefined ? this.#news.get(keyOf(caller)) : undefined;
    if (news === undefined) return undefined;
    this.#news.delete(keyOf(caller));
    return this.#batch(news).text;
  }

  /** Forgets what a subagent was to be told, since it has ended. */
  endAgent(sessionId: string, agentId: string): void {
    this.#drop((caller) => caller.sessionId === sessionId && caller.agentId === agentId);
  }

  /** Forgets what the agents of a session were to be told. */
  endSession(sessionId: string): void {
    this.#drop((caller) => caller.sessionId === sessionId);
  }

  /** Forgets everything, now and later. */
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
