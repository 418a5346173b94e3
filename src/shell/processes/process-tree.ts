import { waitFor } from '../../core/support/timer.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import type { Survivor } from '../../ports/shell.js';
import { marksIn } from './child-environment.js';
import { deliver, type Machine, machine } from './machine.js';
import type { ProcessEntry } from './process-table.js';

/** How a command can be recognised in the process table. */
export interface TreeIdentity {
  /** Process id of the shell; it leads a group and a session of its own. */
  readonly pid: number;
  /** Owner and number in the environment marker. */
  readonly owner: string;
  readonly run: number;
  /** Where its output goes. */
  readonly outputFiles: readonly string[];
  /** The host and its ancestors: an orphan becomes a child of one of them. */
  readonly ancestors: ReadonlySet<number>;
  /** Takes secrets out of command lines. */
  readonly scrub: (text: string) => string;
}

/** How long to wait for what. Milliseconds. */
export interface TreeLimits {
  /** From TERM to KILL. */
  readonly killGraceMs: number;
  /** After the shell has exited, for children that are just ending. */
  readonly drainMs: number;
  /** After KILL, for the kernel to take the processes away. */
  readonly reapMs: number;
}

/** What a tree lives on; replaced in tests. */
export interface TreePlatform {
  readonly timers?: Timers | undefined;
  readonly machine?: Machine | undefined;
}

const firstPollMs = 1;
const pollGrowth = 1.5;
const maxPollMs = 25;
const briefRunMs = 1_000;
/** Without a pause, where what was found is incomplete: on a busy machine it may be for long. */
const maxLooks = 5;
/** Taking note of what runs may use one in so many parts of the time. */
const noticeShare = 100;
/** Until the next look where the last one found nothing new, and at the most. */
const quietNoticeMs = 500;

/**
 * A shell with everything it started: its group and session, what it left by `setsid`, and the children of all these.
 */
export class ProcessTree {
  readonly #identity: TreeIdentity;
  readonly #limits: TreeLimits;
  readonly #timers: Timers;
  readonly #machine: Machine;
  readonly #known = new Map<number, ProcessEntry>();
  /** What the last look listed that did not live any more when it was read, and whether some of that was new. */
  #gone: ReadonlySet<number> = new Set();
  #isIncomplete = false;
  /** Set when the last look met an orphan that cannot be told from ours before its program is in place. */
  #isUnclear = false;
  readonly #startedAt: number;
  #noticeAt = 0;
  #hasExited = false;

  constructor(identity: TreeIdentity, limits: TreeLimits, platform: TreePlatform = {}) {
    this.#identity = identity;
    this.#limits = limits;
    this.#timers = platform.timers ?? systemTimers;
    this.#machine = platform.machine ?? machine;
    this.#startedAt = this.#timers.now();
  }

  /**
   * Takes note of the children, their children and so on that there are now, so that one of them is still known when it
   * has left its parents, its environment and its output behind. However often it is called, it costs a hundredth of
   * the time, or two looks a second where these take longer.
   */
  notice(): void {
    const begin = this.#timers.now();
    if (begin < this.#noticeAt || this.#hasExited) return;
    for (const entry of this.#known.values()) if (!this.#isAlive(entry)) this.#known.delete(entry.pid);
    const before = this.#known.size;
    const open = [this.#identity.pid, ...this.#known.keys()];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const pid of this.#machine.childrenOf(at)) {
        const entry = this.#known.has(pid) ? undefined : this.#machine.readProcess(pid);
        if (entry === undefined) continue;
        this.#known.set(pid, entry);
        open.push(pid);
      }
    }
    const end = this.#timers.now();
    this.#noticeAt =
      end + (this.#known.size === before ? quietNoticeMs : Math.min((end - begin) * noticeShare, quietNoticeMs));
  }

  /** After the shell has exited: gives children that are just ending a moment, then says what stays. */
  async settle(): Promise<readonly Survivor[]> {
    // Nothing was started anywhere since the shell was.
    const isAlone = this.#machine.lastProcessId() === this.#identity.pid;
    const { drainMs, reapMs } = this.#limits;
    const begin = this.#timers.now();
    let survivors: readonly Survivor[] = [];
    for (let delay = firstPollMs; !isAlone; delay = Math.min(delay * pollGrowth, maxPollMs)) {
      const waitedMs = this.#timers.now() - begin;
      if (waitedMs >= drainMs || !this.#hasLivingGroup()) {
        survivors = this.survivors();
        if (survivors.length > 0 || !this.#isUnclear || waitedMs >= reapMs) break;
      }
      await waitFor(delay, undefined, this.#timers);
    }
    this.#hasExited = true;
    return survivors;
  }

  /** Ends everything: TERM, the grace, KILL. Answers what could not be ended, once the rest is gone. */
  async end(): Promise<readonly Survivor[]> {
    const { killGraceMs, reapMs } = this.#limits;
    this.#signal('SIGTERM');
    if (await this.#goneWithin(killGraceMs, 'SIGTERM')) return [];
    this.#signal('SIGKILL');
    if (await this.#goneWithin(reapMs, 'SIGKILL')) return [];
    const survivors = this.survivors();
    this.#hasExited = true;
    return survivors;
  }

  /** Sends a signal to everything that lives, or to one process of it. False where there is no such process. */
  signal(signal: NodeJS.Signals, pid?: number): boolean {
    if (pid === undefined || this.#machine.lastProcessId() === undefined) this.#signal(signal);
    else if (this.#members(this.#candidates()).some((entry) => entry.pid === pid)) deliver(this.#machine, pid, signal);
    else return false;
    return true;
  }

  /** Sends KILL to the group and to what is known besides, without looking around. */
  kill(): void {
    if (!this.#hasExited) this.#machine.sendSignal(-this.#identity.pid, 'SIGKILL');
    for (const entry of this.#known.values()) if (this.#isAlive(entry)) this.#machine.sendSignal(entry.pid, 'SIGKILL');
  }

  /** True when nothing lives any more. While something known does, that alone is looked at. */
  isGone(): boolean {
    for (const [pid, entry] of this.#known) {
      if (this.#isAlive(entry)) return false;
      this.#known.delete(pid);
    }
    return this.survivors().length === 0 && !this.#isUnclear;
  }

  /** What lives now. */
  survivors(): readonly Survivor[] {
    const { pid: group, scrub } = this.#identity;
    if (this.#machine.lastProcessId() === undefined)
      return this.#machine.groupExists(group) ? [{ pid: group, command: `process group ${group}` }] : [];
    return this.#lookAgain().map(({ pid }) => ({ pid, command: this.#machine.commandOf(pid, scrub) }));
  }

  async #goneWithin(limitMs: number, signal: NodeJS.Signals): Promise<boolean> {
    const deadline = this.#timers.now() + limitMs;
    for (let delay = firstPollMs; ; delay = Math.min(delay * pollGrowth, maxPollMs)) {
      if (!this.#isAnyKnownAlive()) {
        const late = this.#lookAgain();
        if (late.length === 0 && !this.#isUnclear) return true;
        for (const entry of late) deliver(this.#machine, entry.pid, signal);
      }
      if (this.#timers.now() >= deadline) return false;
      await waitFor(Math.min(delay, Math.max(1, deadline - this.#timers.now())), undefined, this.#timers);
      if (signal === 'SIGKILL') this.#signal(signal);
    }
  }

  #isAnyKnownAlive(): boolean {
    return (
      (this.#isGroupOurs() && this.#hasLivingGroup()) || [...this.#known.values()].some((entry) => this.#isAlive(entry))
    );
  }

  // Once the shell is reaped and its group empty, the number of the group may belong to somebody else.
  #isGroupOurs(): boolean {
    if (!this.#hasExited || this.#machine.lastProcessId() === undefined) return true;
    return [...this.#known.values()].some((entry) => entry.group === this.#identity.pid && this.#isAlive(entry));
  }

  // A group of zombies that nobody reaps exists for ever, so existence alone is no proof of life.
  #hasLivingGroup(): boolean {
    const { pid: group } = this.#identity;
    const candidates = this.#machine.groupExists(group) ? this.#candidates() : [];
    return candidates === undefined || this.#read(candidates).some((entry) => entry.group === group);
  }

  #signal(signal: NodeJS.Signals): void {
    // Looked for first: a child that left the group hangs on its parent, and is lost from sight when that ends.
    const members = this.#members(this.#candidates());
    if (this.#isGroupOurs()) deliver(this.#machine, -this.#identity.pid, signal);
    for (const { pid, group } of members) if (group !== this.#identity.pid) deliver(this.#machine, pid, signal);
  }

  /** What lives; looked for again where nothing was found, for it may have escaped. */
  #lookAgain(): readonly ProcessEntry[] {
    for (let round = 1; ; round++) {
      this.#isUnclear = false;
      const found = this.#members(this.#candidates());
      if (found.length > 0 || round === maxLooks || !(this.#isIncomplete || this.#isUnclear)) return found;
    }
  }

  // What was listed and is gone when it is read may have started a child in between, which stands in the next list.
  #read(candidates: readonly number[]): ProcessEntry[] {
    const entries = new Map(candidates.map((pid) => [pid, this.#machine.readProcess(pid)]));
    entries.delete(process.pid);
    const gone = candidates.filter((pid) => entries.has(pid) && entries.get(pid) === undefined);
    this.#isIncomplete = gone.some((pid) => !this.#gone.has(pid));
    this.#gone = new Set(gone);
    return [...entries.values()].flatMap((entry) => entry ?? []);
  }

  /**
   * Living processes among `candidates` that belong here; remembered, so that they are recognised by start time later.
   */
  #members(candidates: readonly number[] = []): ProcessEntry[] {
    const entries = this.#read(candidates);
    const isGroupOurs = this.#isGroupOurs();
    const members = new Map(
      entries.filter((entry) => this.#owns(entry, isGroupOurs)).map((entry) => [entry.pid, entry]),
    );
    for (let found = members.size > 0; found; ) {
      found = false;
      for (const entry of entries) {
        if (members.has(entry.pid) || !members.has(entry.parent)) continue;
        members.set(entry.pid, entry);
        found = true;
      }
    }
    for (const [pid, entry] of members) this.#known.set(pid, entry);
    return [...members.values()];
  }

  #owns(entry: ProcessEntry, isGroupOurs: boolean): boolean {
    const { pid, owner, run, outputFiles, ancestors } = this.#identity;
    if (isGroupOurs && (entry.group === pid || entry.session === pid)) return true;
    if (this.#known.get(entry.pid)?.start === entry.start) return true;
    // Whoever has a parent outside belongs to that; what has one inside is found by it.
    if (!ancestors.has(entry.parent)) return false;
    const environment = this.#machine.environmentOf(entry.pid);
    if (marksIn(environment ?? '').some((mark) => mark.owner === owner && mark.run === run)) return true;
    if (this.#machine.outputsOf(entry.pid).some((file) => outputFiles.includes(file))) return true;
    // What this process started itself is no orphan, and is its own affair unless it is the one that takes orphans over.
    this.#isUnclear ||= environment === undefined && (entry.parent !== process.pid || process.pid === 1);
    return false;
  }

  // Ids are given out in ascending order, so what a brief command started stands behind its shell, unless the count
  // began anew. Undefined where there is no table.
  #candidates(): readonly number[] | undefined {
    const { pid } = this.#identity;
    const last = this.#machine.lastProcessId();
    if (last === undefined) return undefined;
    const isBrief = this.#timers.now() - this.#startedAt < briefRunMs;
    if (!isBrief || last < pid) return this.#machine.processIds();
    return last === pid ? [pid] : this.#machine.processIds().filter((id) => id >= pid);
  }

  #isAlive(entry: ProcessEntry): boolean {
    return this.#machine.readProcess(entry.pid)?.start === entry.start;
  }
}
