import type { Gate } from './policy-gates.js';
import type { PolicySubject } from './policy-subject.js';

/** An entry that names the tool, and where it stands. */
interface Hit {
  readonly entry: string;
  readonly gate: Gate;
}

/** How a tool stands while it passes the lists of a policy, one after the other. */
export class PolicyJudgement {
  readonly #subject: PolicySubject;
  #leftOutBy: Gate | undefined;
  #deniedBy: Hit | undefined;
  #restoredBy: Hit | undefined;

  constructor(subject: PolicySubject) {
    this.#subject = subject;
  }

  /** A deny is never undone; what was left out is in again once it is given back. */
  get isOffered(): boolean {
    return this.#deniedBy === undefined && (this.#leftOutBy === undefined || this.#restoredBy !== undefined);
  }

  /** Lets the next list decide, and answers the entry of it that names the tool. */
  pass(gate: Gate): string | undefined {
    const entry = gate.list.match(this.#subject);
    if (gate.kind === 'allow') {
      if (entry === undefined) this.#leftOutBy ??= gate;
    } else if (entry !== undefined) {
      if (gate.kind === 'deny') this.#deniedBy ??= { entry, gate };
      else if (this.#leftOutBy !== undefined) this.#restoredBy ??= { entry, gate };
    }
    return entry;
  }

  /** The list that decided, in half a sentence for people. */
  explain(): string {
    if (this.#deniedBy !== undefined) return `denied by ${written(this.#deniedBy)}`;
    if (this.#leftOutBy === undefined) return 'kept by every list and denied by none';
    const leftOut = `left out by ${this.#leftOutBy.source}`;
    return this.#restoredBy === undefined ? leftOut : `${leftOut}, given back by ${written(this.#restoredBy)}`;
  }
}

function written({ entry, gate }: Hit): string {
  return `${entry} in ${gate.source}`;
}
