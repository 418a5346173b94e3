import type { Footprint } from '../../core/tool.js';
import { canMatter, everything, touchedBy } from './call-footprint.js';
import { editOf, isBack, type LastEdit, type SeenCall, type SeenEdit } from './edit-of-call.js';
import { type Forgivable, guess } from './unconfirmed-changes.js';

/** How often is too often. */
export interface LoopLimits {
  /** The same call with the same result, in one session, with nothing changed in between that can matter to it. */
  readonly maxSameCalls: number;
  /** Edits of one file that undo the one before. */
  readonly maxReverts: number;
  /** Failures of one tool in a row. */
  readonly maxFailures: number;
  /** Agents started within the window. */
  readonly maxSpawns: number;
  readonly spawnWindowMs: number;
}

/** How often something has happened, and how much of that still counts against it: a denial takes some back. */
interface Streak {
  times: number;
  strikes: number;
}

interface Repeat extends Streak, Forgivable {
  readonly result: string;
  readonly footprint: Footprint;
}

const maxRemembered = 1_000;
const noChange = 'Repeating it will not change that';

/**
 * What one agent of one session has been doing, as far as it shows whether it goes in circles. A denial is the pause
 * that was asked for: the next such call is let through, to show whether something has changed.
 */
export class SessionLoops {
  readonly #limits: LoopLimits;
  readonly #now: () => number;
  readonly #repeats = new Map<string, Repeat>();
  readonly #failures = new Map<string, Streak>();
  readonly #edits = new Map<string, LastEdit>();
  /** What calls that act have come to, each with its input. */
  readonly #outcomes = new Map<string, true>();
  #spawns: number[] = [];
  #owesSpawnNote = false;

  constructor(limits: LoopLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Why a call should not run; undefined when it may, and then an agent counts as started. */
  objection(call: SeenCall): string | undefined {
    return (
      this.#repeatObjection(call) ??
      this.#failureObjection(call) ??
      this.#revertObjection(call) ??
      this.#spawnObjection(call)
    );
  }

  /**
   * Takes note of a result, undefined for one that may well come again; answers what the model should hear, if
   * anything.
   */
  succeeded(call: SeenCall, result: string | undefined): string | undefined {
    this.#failures.delete(call.tool);
    if (result === undefined) return undefined;
    const { maxReverts } = this.#limits;
    const reverts = this.#noteEdit(call);
    this.#noteChange(call, result);
    const repeat = this.#noteRepeat(call, result);
    if (repeat.strikes === this.#noteAt)
      return `This call gave the same result ${repeat.times} times. ${noChange}; try another way.`;
    if (reverts === maxReverts)
      return 'These edits undo each other. Decide which state the file should have before you edit it again.';
    return this.#spawnNote(call);
  }

  /** Takes note of a failure; answers what the model should hear, if anything. */
  failed(call: SeenCall, message: string): string | undefined {
    const { tool } = call;
    const failures = this.#failures.get(tool) ?? { times: 0, strikes: 0 };
    this.#failures.set(tool, strike(failures));
    const repeat = this.#noteRepeat(call, message);
    if (repeat.strikes === this.#noteAt)
      return `This call failed in the same way ${repeat.times} times. ${noChange}; read the message and try another way.`;
    if (failures.strikes === this.#limits.maxFailures)
      return `${tool} failed ${inARow(failures)}. Stop and find out why before you use it again.`;
    return this.#spawnNote(call);
  }

  /** Nothing is the same before it has happened twice. */
  get #noteAt(): number {
    return Math.max(2, this.#limits.maxSameCalls);
  }

  #repeatObjection({ key }: SeenCall): string | undefined {
    const repeat = this.#repeats.get(key);
    if (repeat === undefined || repeat.isFresh || repeat.strikes <= this.#limits.maxSameCalls) return undefined;
    repeat.strikes = this.#noteAt - 1;
    return (
      `this very call gave the same result ${times(repeat)}, and nothing done in between has changed that; do ` +
      'something else'
    );
  }

  #failureObjection({ tool }: SeenCall): string | undefined {
    const failures = this.#failures.get(tool);
    const { maxFailures } = this.#limits;
    if (failures === undefined || failures.strikes <= maxFailures) return undefined;
    failures.strikes = maxFailures - 1;
    return `${tool} failed ${inARow(failures)}; look at what it said, use another tool first`;
  }

  #revertObjection(call: SeenCall): string | undefined {
    const edit = editOf(call);
    const last = edit === undefined ? undefined : this.#edits.get(edit.path);
    const { maxReverts } = this.#limits;
    if (last === undefined || this.#revertsOf(edit) <= maxReverts) return undefined;
    last.reverts = maxReverts - 1;
    return 'these edits undo each other; decide which state the file should have, or ask the user';
  }

  /** Those that are under way count, and those that fail: they cost as much. */
  #spawnObjection({ tool }: SeenCall): string | undefined {
    if (tool !== 'Agent') return undefined;
    const { maxSpawns, spawnWindowMs } = this.#limits;
    const now = this.#now();
    this.#spawns = this.#spawns.filter((at) => at > now - spawnWindowMs);
    if (this.#spawns.length > maxSpawns)
      return `more than ${maxSpawns} agents were started in a short time; do the work yourself`;
    this.#spawns.push(now);
    if (this.#spawns.length === maxSpawns) this.#owesSpawnNote = true;
    return undefined;
  }

  #spawnNote({ tool }: SeenCall): string | undefined {
    if (tool !== 'Agent' || !this.#owesSpawnNote) return undefined;
    this.#owesSpawnNote = false;
    return `${this.#limits.maxSpawns} agents were started in a short time. Go on without new ones.`;
  }

  /**
   * A call that acts has changed something unless it came to the same before: two calls that take turns change nothing.
   */
  #noteChange(call: SeenCall, result: string): void {
    const { writes } = touchedBy(call);
    if (writes === 'nothing') return;
    const outcome = `${call.key}${result}`;
    const isNew = !this.#outcomes.has(outcome);
    remember(this.#outcomes, outcome, true);
    if (!isNew) return;
    for (const repeat of this.#repeats.values()) {
      if (writes === 'everything') guess(repeat);
      else if (canMatter(writes, repeat.footprint)) repeat.isFresh = true;
    }
    const own = editOf(call)?.path;
    if (!canMatter(writes, everything)) return;
    for (const edit of this.#edits.values()) if (edit.path !== own) guess(edit);
  }

  #noteRepeat(call: SeenCall, result: string): Repeat {
    const known = this.#repeats.get(call.key);
    const hasSameResult = known?.result === result;
    // Another call in between does not break a circle, but a change that can matter does, that of its result included.
    const repeat =
      hasSameResult && !known.isFresh
        ? known
        : {
            result,
            footprint: touchedBy(call),
            times: 0,
            strikes: 0,
            isFresh: false,
            guesses: hasSameResult ? known.guesses : 0,
          };
    remember(this.#repeats, call.key, strike(repeat));
    return repeat;
  }

  #noteEdit(call: SeenCall): number {
    const edit = editOf(call);
    if (edit === undefined) return 0;
    const last = this.#edits.get(edit.path);
    if (last?.to === edit.to) return 0;
    const reverts = this.#revertsOf(edit);
    const guesses = isBack(edit, last) ? last.guesses : 0;
    remember(this.#edits, edit.path, {
      path: edit.path,
      from: edit.from ?? last?.to,
      to: edit.to,
      reverts,
      isFresh: false,
      guesses,
    });
    return reverts;
  }

  /** How many reverts there will be once this edit has run. */
  #revertsOf(edit: SeenEdit | undefined): number {
    const last = edit === undefined ? undefined : this.#edits.get(edit.path);
    return isBack(edit, last) && !last.isFresh ? last.reverts + 1 : 0;
  }
}

function strike<Counted extends Streak>(streak: Counted): Counted {
  streak.times += 1;
  streak.strikes += 1;
  return streak;
}

function times({ times: count }: Streak): string {
  return count === 1 ? 'once' : `${count} times`;
}

function inARow(streak: Streak): string {
  return streak.times === 1 ? 'once' : `${times(streak)} in a row`;
}

/** Puts an entry last, and forgets the one that has been there longest when there are too many. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > maxRemembered && oldest !== undefined) entries.delete(oldest);
}
