import { agentKey, type Caller, type CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import { cutMiddle, headOf } from '../core/text/cut.js';
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
 * limit is over. After an error, the announcement is repeated together with any later ends.
 */
export type AnnounceListener = (batch: Announcement, scope: CallScope) => unknown;

export interface AnnounceQueueOptions {
  readonly limits: Pick<Limits['subagents'], 'announceMs' | 'maxAnnounceMs'>;
  /** The maximum number of characters of all outputs of one announcement. */
  readonly maxChars: number;
  /** Time limit of the listener in milliseconds. After that time, the listener counts as failed. */
  readonly timeoutMs: number;
  /** Without a listener, announcements wait for `take`. */
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
 * Announces the ends of background subagents to their parents. Ends within a short time share one announcement. The
 * next announcement waits until the previous one was received, so that a parent gets announcements in order.
 */
export function announceQueue(options: AnnounceQueueOptions) {
  const { limits, maxChars, timeoutMs, onAnnounce, scrub = (text: string) => text, timers = systemTimers } = options;
  const all = new Map<string, PendingEnds>();
  let isDisposed = false;

  function add(end: SubagentEnd): void {
    if (isDisposed) return;
    const key = agentKey(end.caller);
    const ended = new AbortController();
    const fresh = { caller: end.caller, ended, ends: [], timer: undefined, isAnnouncing: false, failures: 0 };
    const pending: PendingEnds = all.get(key) ?? fresh;
    all.set(key, pending);
    const clean = { ...end, description: scrub(end.description), output: scrub(end.output) };
    pending.ends.push({ end: clean, at: timers.now() });
    if (!pending.isAnnouncing && pending.failures === 0) schedule(pending);
  }

  /** Removes the pending announcement of a parent and returns its text. Returns undefined if `onAnnounce` is given. */
  function take(caller: Caller): string | undefined {
    const pending = onAnnounce === undefined ? all.get(agentKey(caller)) : undefined;
    if (pending === undefined) return undefined;
    all.delete(agentKey(caller));
    return batch(pending).text;
  }

  function endAgent(sessionId: string, agentId: string): void {
    drop((caller) => caller.sessionId === sessionId && caller.agentId === agentId);
  }

  function endSession(sessionId: string): void {
    drop((caller) => caller.sessionId === sessionId);
  }

  /** Drops all announcements, including later ones. */
  function dispose(): void {
    isDisposed = true;
    drop(() => true);
  }

  function drop(isOver: (caller: Caller) => boolean): void {
    for (const [key, pending] of all) {
      if (!isOver(pending.caller)) continue;
      all.delete(key);
      timers.clear(pending.timer);
      pending.ended.abort();
    }
  }

  function schedule(pending: PendingEnds): void {
    const [first, last] = [pending.ends[0], pending.ends.at(-1)];
    if (onAnnounce === undefined || first === undefined || last === undefined) return;
    const dueAt = Math.min(last.at + limits.announceMs, first.at + limits.maxAnnounceMs);
    wait(pending, onAnnounce, dueAt - timers.now());
  }

  function wait(pending: PendingEnds, onAnnounce: AnnounceListener, delayMs: number): void {
    timers.clear(pending.timer);
    pending.timer = timers.set(() => void announce(pending, onAnnounce), Math.max(0, delayMs));
  }

  async function announce(pending: PendingEnds, onAnnounce: AnnounceListener): Promise<void> {
    const count = pending.ends.length;
    pending.isAnnouncing = true;
    const isReceived = await deliver(pending, onAnnounce);
    pending.isAnnouncing = false;
    if (pending.ended.signal.aborted) return;
    if (!isReceived) {
      const backoffMs = Math.min(maxBackoffMs, Math.max(1, limits.announceMs) * 2 ** pending.failures);
      pending.failures++;
      return wait(pending, onAnnounce, backoffMs);
    }
    pending.failures = 0;
    pending.ends = pending.ends.slice(count);
    if (pending.ends.length > 0) schedule(pending);
    else all.delete(agentKey(pending.caller));
  }

  async function deliver({ caller, ended, ...pending }: PendingEnds, onAnnounce: AnnounceListener): Promise<boolean> {
    const request = { port: 'onAnnounce', timeoutMs, timers };
    const announced = askHost(request, { caller, signal: ended.signal }, (scope) => onAnnounce(batch(pending), scope));
    return await announced.then(
      () => true,
      () => false,
    );
  }

  function batch({ ends }: Pick<PendingEnds, 'ends'>): Announcement {
    const share = Math.floor(maxChars / ends.length);
    const bounded = ends.map(({ end }) => ({ ...end, output: shortened(end.output, share) }));
    return { ends: bounded, text: bounded.map(describeEnd).join('\n\n') };
  }

  return {
    get hasPending() {
      return all.size > 0;
    },
    ...{ add, take, endAgent, endSession, dispose },
  };
}

const notice = (omitted: number) => `\n[${omitted} characters omitted; resume the agent to ask for them]\n`;

function shortened(output: string, maxChars: number): string {
  if (output.length <= maxChars) return output;
  const room = maxChars - notice(output.length).length;
  const cut = room > 0 ? cutMiddle(output, room) : undefined;
  return cut === undefined ? headOf(output, maxChars) : `${cut.head}${notice(cut.omitted)}${cut.tail}`;
}

function describeEnd({ agentId, description, state, durationMs, output }: SubagentEnd): string {
  const seconds = Math.max(1, Math.round(durationMs / 1_000));
  return `Subagent ${agentId} (${description}) ${state} after ${seconds} s:\n${output}`;
}
