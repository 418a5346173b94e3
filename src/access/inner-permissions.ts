import { accessNumbers } from '../core/numbers.js';
import type { Permissions } from '../host/permissions.js';
import { isRulePermissions } from './is-rule-permissions.js';

/** A turn of a session, in which permissions are asked. */
export interface InnerTurn {
  readonly sessionId: string;
  /** Takes down that these permissions were asked; after the turn has ended it does nothing. */
  readonly introduce: (inner: Permissions) => void;
}

interface Session {
  /** Those that it asked, the latest last, each with the number of turns that still need it. */
  readonly known: Map<Permissions, number>;
  turns: number;
}

/**
 * Permissions that decide for others which only pass on `check`. What they say besides belongs to the session that
 * asked them. What a turn found or asked is known until it ends; of all else, a bounded number, the latest first.
 */
export class InnerPermissions {
  /** The session that began a turn longest ago comes first. */
  readonly #sessions = new Map<string, Session>();
  /** The turns that have not ended, with what they need. */
  readonly #turns = new Map<InnerTurn, Set<Permissions>>();

  begin(sessionId: string): InnerTurn {
    const session = this.#sessions.get(sessionId) ?? { known: new Map(), turns: 0 };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    session.turns++;
    const turn: InnerTurn = { sessionId, introduce: (inner) => hold(session, inner, this.#turns.get(turn)) };
    this.#turns.set(turn, new Set());
    for (const inner of [...session.known.keys()].slice(-accessNumbers.maxInnerPermissions)) turn.introduce(inner);
    return turn;
  }

  end(turn: InnerTurn): void {
    const needed = this.#turns.get(turn);
    const session = this.#sessions.get(turn.sessionId);
    if (needed === undefined || session === undefined) return;
    this.#turns.delete(turn);
    session.turns--;
    for (const inner of needed) session.known.set(inner, (session.known.get(inner) ?? 1) - 1);
    this.#forget();
  }

  isPlanning(sessionId: string): boolean {
    return this.#knownTo(sessionId).some(({ mode }) => mode === 'plan');
  }

  /** Goes back to mode default where the mode is plan. */
  endPlan(sessionId: string): void {
    for (const inner of this.#knownTo(sessionId))
      if (inner.mode === 'plan' && isRulePermissions(inner)) inner.setMode('default');
  }

  /** Forgets a session, and has its permissions forget it. */
  endSession(sessionId: string): void {
    for (const inner of this.#knownTo(sessionId)) inner.endSession?.(sessionId);
    this.#sessions.delete(sessionId);
  }

  /** Whether those of any session hide a path: the files are the same for all sessions. */
  hidesPath(path: string, root: string, from: 'everything' | 'searches'): boolean {
    for (const { known } of this.#sessions.values()) {
      for (const inner of known.keys()) if (inner.hidesPath?.(path, root, from) === true) return true;
    }
    return false;
  }

  #knownTo(sessionId: string): readonly Permissions[] {
    return [...(this.#sessions.get(sessionId)?.known.keys() ?? [])];
  }

  /** Drops what no turn needs, the oldest first, until as much is left as is kept. */
  #forget(): void {
    let tooMany = -accessNumbers.maxInnerPermissions;
    for (const { known } of this.#sessions.values()) tooMany += known.size;
    for (const [sessionId, { known, turns }] of this.#sessions) {
      for (const [inner, needing] of known) if (tooMany > 0 && needing === 0 && known.delete(inner)) tooMany--;
      if (known.size === 0 && turns === 0) this.#sessions.delete(sessionId);
    }
  }
}

/** Has a turn need permissions, which are the latest of its session then. */
function hold({ known }: Session, inner: Permissions, needed: Set<Permissions> | undefined): void {
  if (needed === undefined) return;
  const needing = (known.get(inner) ?? 0) + (needed.has(inner) ? 0 : 1);
  needed.add(inner);
  known.delete(inner);
  known.set(inner, needing);
}
