/** How often is too often. */
export interface LoopLimits {
  /** The same call with the same result, in one session, with nothing changed in between. */
  readonly maxSameCalls: number;
  /** Edits of one file that undo the one before. */
  readonly maxSwings: number;
  /** Failures of one tool in a row. */
  readonly maxFailures: number;
  /** Agents started within the window. */
  readonly maxSpawns: number;
  readonly spawnWindowMs: number;
}

interface Repeat {
  readonly result: string;
  count: number;
}

const maxRepeats = 1_000;

/** What one agent of one session has been doing, as far as it shows whether it goes in circles. */
export class SessionLoops {
  readonly #limits: LoopLimits;
  readonly #now: () => number;
  readonly #repeats = new Map<string, Repeat>();
  readonly #failures = new Map<string, number>();
  readonly #edits = new Map<string, { readonly from: string; readonly to: string; readonly swings: number }>();
  #spawns: number[] = [];

  constructor(limits: LoopLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Why a call should not run; undefined when it may. */
  objection(tool: string, key: string, input: unknown): string | undefined {
    const { maxSameCalls, maxSwings, maxFailures, maxSpawns } = this.#limits;
    if ((this.#repeats.get(key)?.count ?? 0) > maxSameCalls)
      return `this very call gave the same result ${maxSameCalls} times; do something else`;
    if ((this.#failures.get(tool) ?? 0) > maxFailures) return this.#afterFailures(tool);
    if (this.#swingsOf(input) > maxSwings) return 'these edits undo each other; decide which state the file should have, or ask the user';
    if (tool === 'Agent' && this.#spawnsNow() > maxSpawns)
      return `more than ${maxSpawns} agents were started in a short time; do the work yourself`;
    return undefined;
  }

  /** Takes note of a result; answers what the model should be told, if anything. */
  succeeded(tool: string, key: string, input: unknown, result: string): string | undefined {
    this.#failures.delete(tool);
    const swung = this.#noteEdit(input);
    if (tool === 'Agent') this.#spawns.push(this.#now());
    const repeated = this.#noteRepeat(key, result);
    const { maxSameCalls, maxSwings, maxSpawns } = this.#limits;
    if (repeated === maxSameCalls)
      return `This is the same result for the ${maxSameCalls}th time. Repeating the call will not change it; try another way.`;
    if (swung === maxSwings) return 'These edits undo each other. Decide which state the file should have before you edit it again.';
    if (tool === 'Agent' && this.#spawnsNow() === maxSpawns)
      return `${maxSpawns} agents were started in a short time. Go on without new ones.`;
    return undefined;
  }

  /** Takes note of a failure; answers what the model should be told, if anything. */
  failed(tool: string, key: string, message: string): string | undefined {
    const failures = (this.#failures.get(tool) ?? 0) + 1;
    this.#failures.set(tool, failures);
    const repeated = this.#noteRepeat(key, message);
    const { maxSameCalls, maxFailures } = this.#limits;
    if (repeated === maxSameCalls)
      return `This is the same failure for the ${maxSameCalls}th time. Repeating the call will not change it; read the message and try another way.`;
    if (failures === maxFailures) return `${tool} failed ${failures} times in a row. Stop and find out why before you use it again.`;
    return undefined;
  }

  #afterFailures(tool: string): string {
    // The refusal is the pause that was asked for; the next call is let through to show whether something has changed.
    this.#failures.set(tool, this.#limits.maxFailures - 1);
    return `${tool} failed over and over; look at what it said, use another tool first`;
  }

  #noteRepeat(key: string, result: string): number {
    const known = this.#repeats.get(key);
    const repeat = known?.result === result ? known : { result, count: 0 };
    repeat.count += 1;
    // Another call in between does not break a circle, but any change of its result does.
    this.#repeats.delete(key);
    this.#repeats.set(key, repeat);
    const [oldest] = this.#repeats.keys();
    if (this.#repeats.size > maxRepeats && oldest !== undefined) this.#repeats.delete(oldest);
    return repeat.count;
  }

  #noteEdit(input: unknown): number {
    const edit = editOf(input);
    if (edit === undefined) return 0;
    const swings = this.#swingsOf(input);
    this.#edits.set(edit.path, { from: edit.from, to: edit.to, swings });
    return swings;
  }

  /** How many swings there will be once this edit has run. */
  #swingsOf(input: unknown): number {
    const edit = editOf(input);
    const last = edit === undefined ? undefined : this.#edits.get(edit.path);
    return edit !== undefined && last !== undefined && last.from === edit.to && last.to === edit.from ? last.swings + 1 : 0;
  }

  #spawnsNow(): number {
    const start = this.#now() - this.#limits.spawnWindowMs;
    this.#spawns = this.#spawns.filter((at) => at > start);
    return this.#spawns.length;
  }
}

function editOf(input: unknown): { readonly path: string; readonly from: string; readonly to: string } | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { file_path: path, old_string: from, new_string: to } = input as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && typeof from === 'string' && typeof to === 'string' ? { path, from, to } : undefined;
}
