import { systemTimers, type Timers, waitFor } from '../../core/support/timers.js';
import type { Survivor } from '../../ports/shell.js';
import { markersIn } from './child-environment.js';
import type { ProcessEntry } from './process-table.js';
import * as machine from './process-table.js';

/** Access to processes and signals; replaced in tests. */
export type Machine = typeof machine;

/** Identifies a command in the process table. */
export interface TreeIdentity {
  /** Process id of the shell, which leads its own group and session. */
  readonly pid: number;
  /** Owner and run number in the environment marker of the processes. */
  readonly owner: string;
  readonly run: number;
  /** Paths of the output files of the command. */
  readonly outputFiles: readonly string[];
  /** The host process and its ancestors. One of these processes adopts orphans. */
  readonly ancestors: ReadonlySet<number>;
  /** Removes secrets from command lines. */
  readonly scrub: (text: string) => string;
}

/** Time limits in milliseconds. */
export interface TreeLimits {
  /** Time between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** Longest wait, after the shell has exited, for children that are ending. */
  readonly drainMs: number;
  /** Time for the kernel to remove processes after SIGKILL. */
  readonly reapMs: number;
}

/** System access of a tree; replaced in tests. */
export interface TreePlatform {
  readonly timers?: Timers | undefined;
  readonly machine?: Machine | undefined;
}

const firstPollMs = 1;
const pollGrowth = 1.5;
const maxPollMs = 25;
const briefRunMs = 1_000;
/** Maximum number of scans in a row. The limit is needed because on a busy machine every scan may be incomplete. */
const maxScans = 5;
/** The pause after a scan, as a multiple of its duration. */
const noticePauseFactor = 100;
/** The longest pause, also used after a scan without new processes. */
const idleNoticeMs = 500;

/**
 * A shell with all its processes: its group and session, processes that left both with `setsid`, and all their
 * children.
 */
export class ProcessTree {
  readonly #identity: TreeIdentity;
  readonly #limits: TreeLimits;
  readonly #timers: Timers;
  readonly #machine: Machine;
  readonly #known = new Map<number, ProcessEntry>();
  /** Processes of the last scan that had ended before they were read. */
  #gone: ReadonlySet<number> = new Set();
  /** Whether `#gone` contains a process that was not in the `#gone` of the previous scan. */
  #isIncomplete = false;
  /** Whether the last scan found an orphan without a readable environment: the orphan was calling exec or ending. */
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
   * Records all current descendants, so that a process is still known after it was reparented and has replaced its
   * environment and output. Throttled: if the scan found a new process, the pause is 100 times as long as the scan, at
   * most 500 ms; else 500 ms.
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
      end + (this.#known.size === before ? idleNoticeMs : Math.min((end - begin) * noticePauseFactor, idleNoticeMs));
  }

  /** After the shell has exited: waits briefly for children that are ending, then returns the survivors. */
  async settle(): Promise<readonly Survivor[]> {
    // If the shell is the newest process of the machine, it has started no other process.
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

  /**
   * Ends all processes: SIGTERM, the grace period, SIGKILL. Returns the processes that still run after the time limits.
   */
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

  /**
   * Sends a signal to all running processes, or to the process `pid`. False if `pid` is not a running process of the
   * tree. Without a process table, the signal always goes to the whole group.
   */
  signal(signal: NodeJS.Signals, pid?: number): boolean {
    if (pid === undefined || this.#machine.lastProcessId() === undefined) this.#signal(signal);
    else if (this.#members(this.#candidates()).some((entry) => entry.pid === pid)) deliver(this.#machine, pid, signal);
    else return false;
    return true;
  }

  /** Sends SIGKILL to the group and all known processes, without a scan. */
  kill(): void {
    if (!this.#hasExited) this.#machine.sendSignal(-this.#identity.pid, 'SIGKILL');
    for (const entry of this.#known.values()) if (this.#isAlive(entry)) this.#machine.sendSignal(entry.pid, 'SIGKILL');
  }

  /** Whether all processes have ended. While a known process runs, only known processes are checked. */
  isGone(): boolean {
    for (const [pid, entry] of this.#known) {
      if (this.#isAlive(entry)) return false;
      this.#known.delete(pid);
    }
    return this.survivors().length === 0 && !this.#isUnclear;
  }

  /** The running processes. */
  survivors(): readonly Survivor[] {
    const { pid: group, scrub } = this.#identity;
    if (this.#machine.lastProcessId() === undefined)
      return this.#machine.groupExists(group) ? [{ pid: group, command: `process group ${group}` }] : [];
    return this.#scan().map(({ pid }) => ({ pid, command: this.#machine.commandOf(pid, scrub) }));
  }

  async #goneWithin(limitMs: number, signal: NodeJS.Signals): Promise<boolean> {
    const deadline = this.#timers.now() + limitMs;
    for (let delay = firstPollMs; ; delay = Math.min(delay * pollGrowth, maxPollMs)) {
      if (!this.#isAnyKnownAlive()) {
        const late = this.#scan();
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

  // Once the shell is reaped and its group is empty, the id of the group may be reused.
  #isGroupOurs(): boolean {
    if (!this.#hasExited || this.#machine.lastProcessId() === undefined) return true;
    return [...this.#known.values()].some((entry) => entry.group === this.#identity.pid && this.#isAlive(entry));
  }

  // A group of unreaped zombies exists for ever, so existence does not mean that a process runs.
  #hasLivingGroup(): boolean {
    const { pid: group } = this.#identity;
    const candidates = this.#machine.groupExists(group) ? this.#candidates() : [];
    return candidates === undefined || this.#read(candidates).some((entry) => entry.group === group);
  }

  #signal(signal: NodeJS.Signals): void {
    // The scan comes first, because a child that left the group is found through its parent and is lost when the parent
    // ends.
    const members = this.#members(this.#candidates());
    if (this.#isGroupOurs()) deliver(this.#machine, -this.#identity.pid, signal);
    for (const { pid, group } of members) if (group !== this.#identity.pid) deliver(this.#machine, pid, signal);
  }

  /** The running processes. Repeats an incomplete scan that found no process, because the scan may have missed one. */
  #scan(): readonly ProcessEntry[] {
    for (let round = 1; ; round++) {
      this.#isUnclear = false;
      const found = this.#members(this.#candidates());
      if (found.length > 0 || round === maxScans || !(this.#isIncomplete || this.#isUnclear)) return found;
    }
  }

  // A process that ended before it was read may have started a child that is not among the candidates. Such a scan is
  // incomplete.
  #read(candidates: readonly number[]): ProcessEntry[] {
    const entries = new Map(candidates.map((pid) => [pid, this.#machine.readProcess(pid)]));
    entries.delete(process.pid);
    const gone = candidates.filter((pid) => entries.has(pid) && entries.get(pid) === undefined);
    this.#isIncomplete = gone.some((pid) => !this.#gone.has(pid));
    this.#gone = new Set(gone);
    return [...entries.values()].flatMap((entry) => entry ?? []);
  }

  /**
   * Running processes among `candidates` that belong to the tree. Records them with their start times, so that later
   * scans recognise them.
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
    // Only a child of an ancestor can be an orphan. Any other process is found through its parent or does not belong.
    if (!ancestors.has(entry.parent)) return false;
    const environment = this.#machine.environmentOf(entry.pid);
    if (markersIn(environment ?? '').some((mark) => mark.owner === owner && mark.run === run)) return true;
    if (this.#machine.outputsOf(entry.pid).some((file) => outputFiles.includes(file))) return true;
    // A child of this process is not an orphan of the command, unless this process adopts orphans.
    this.#isUnclear ||= environment === undefined && (entry.parent !== process.pid || process.pid === 1);
    return false;
  }

  // Process ids ascend, so the processes of a short command have higher ids than its shell, unless the counter wrapped
  // around. Undefined without a process table.
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

/** Sends a signal to a process that may be stopped. */
function deliver({ sendSignal }: Machine, pid: number, signal: NodeJS.Signals): void {
  sendSignal(pid, signal);
  // A stopped process handles no SIGTERM before SIGCONT.
  if (signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
}
