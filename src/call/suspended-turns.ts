import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PlainCallResult, SuspendedRun, ToolCall } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { Answers } from '../core/permission-question.js';
import { readAnswer } from '../ports/parse-decision.js';
import type { SuspensionStore } from '../ports/suspension-store.js';
import { CallClaims } from './claim-call.js';
import { keptResult, revivedResult, type TurnCall, type TurnEnd, type WaitingCall } from './turn-call.js';

const day = 24 * 60 * 60 * 1_000;

/** Settings for suspending turns. */
interface SuspensionSettings {
  readonly secret: string | Uint8Array | undefined;
  /** How long a suspended turn can be resumed, in milliseconds. Default 24 hours. */
  readonly ttlMs: number | undefined;
  /** The root of the workspace. */
  readonly root: string;
  readonly store: SuspensionStore;
}

/** A suspended turn that is resumed. */
export interface OpenedTurn {
  readonly id: string;
  readonly caller: Caller;
  readonly calls: readonly TurnCall[];
  readonly claims: CallClaims;
  readonly expiresAt: number;
}

/** Converts turns with open questions to text that the host stores, and back. */
export class SuspendedTurns {
  readonly #settings: SuspensionSettings;

  /** Throws a TypeError for a store that drops turns before they expire. */
  constructor(settings: SuspensionSettings) {
    const { store, ttlMs = day } = settings;
    if (store.keepMs !== undefined && store.keepMs < ttlMs)
      throw new TypeError(`createToolkit: hosts.suspensions keeps turns for less than suspensionTtlMs, ${ttlMs} ms`);
    this.#settings = settings;
  }

  /** The suspension of a turn with open questions; pass `opened` if the turn was suspended before. */
  suspend(calls: TurnEnd['calls'], caller: Caller, opened?: Pick<OpenedTurn, 'id' | 'expiresAt'>): SuspendedRun {
    const { ttlMs = day, root } = this.#settings;
    // Suspending a turn again does not extend its expiry, because the store does not keep the outcomes of its calls for
    // longer.
    const { id, expiresAt } = opened ?? { id: `turn_${randomUUID()}`, expiresAt: Date.now() + ttlMs };
    const turn: SuspendedTurn = {
      id,
      caller,
      root,
      expiresAt,
      calls: calls.map(({ call, waiting, result }) => ({ call, waiting, result: result && keptResult(result) })),
    };
    return {
      status: 'suspended',
      results: calls.map(({ result }) => result),
      questions: calls.flatMap(({ waiting }) => waiting?.stage.question ?? []),
      suspension: seal(turn, this.secret('approvals')),
      interrupted: false,
    };
  }

  /**
   * The turn of a suspension. Throws a TypeError for an invalid suspension, and for an answer, a caller or a workspace
   * that does not belong to the turn.
   */
  open(suspension: string, answers: Answers, caller: Caller | undefined): OpenedTurn {
    const turn = unseal(suspension, this.secret('resume'), Date.now());
    if (caller !== undefined && !isDeepStrictEqual(JSON.parse(JSON.stringify(caller)), turn.caller))
      throw new TypeError('resume: the turn was suspended for another caller');
    if (turn.root !== this.#settings.root)
      throw new TypeError(`resume: the turn was suspended in another workspace, ${turn.root}`);
    const questions = turn.calls.flatMap(({ waiting }) => waiting?.stage.question ?? []);
    for (const [id, answer] of Object.entries(answers)) {
      const question = questions.find((one) => one.id === id);
      if (question === undefined) {
        const known = questions.map((one) => one.id).join(', ') || 'none';
        throw new TypeError(
          `resume: ${JSON.stringify(id)} is not a question of this suspension; its questions are ${known}`,
        );
      }
      readAnswer(answer, question.tool);
    }
    return {
      id: turn.id,
      caller: caller ?? turn.caller,
      calls: turn.calls.map(({ call, waiting, result }) => ({
        call,
        waiting,
        result: result && revivedResult(result),
      })),
      claims: new CallClaims(this.#settings.store, turn.id),
      expiresAt: turn.expiresAt,
    };
  }

  /** The secret that signs suspensions. Throws a TypeError if the toolkit has none. */
  secret(wanting: string): string | Uint8Array {
    const { secret } = this.#settings;
    if (secret !== undefined) return secret;
    throw new TypeError(`${wanting}: pass suspensionSecret to createToolkit, at least 32 characters or bytes`);
  }
}

/** The content of a suspension. */
interface SuspendedTurn {
  readonly id: string;
  readonly caller: Caller;
  /** The root of the workspace. */
  readonly root?: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly calls: readonly {
    readonly call: ToolCall;
    readonly waiting?: WaitingCall | undefined;
    readonly result?: PlainCallResult | undefined;
  }[];
}

const form = 'tws1';

/**
 * Signs a suspended turn, so that only an owner of the secret can make the text: `tws1.<content>.<HMAC-SHA256>`, in
 * base64url.
 */
function seal(turn: SuspendedTurn, secret: string | Uint8Array): string {
  const content = `${form}.${deflateRawSync(JSON.stringify(turn)).toString('base64url')}`;
  return `${content}.${signature(content, secret).toString('base64url')}`;
}

/** The turn in a text made by {@link seal}. Throws a TypeError for any other text, and for an expired suspension. */
function unseal(text: unknown, secret: string | Uint8Array, now: number): SuspendedTurn {
  const [, content = '', signed = ''] = /^(tws1\.[\w-]+)\.([\w-]+)$/.exec(typeof text === 'string' ? text : '') ?? [];
  const wanted = signature(content, secret);
  const given = Buffer.from(signed, 'base64url');
  // Base64url has several spellings of the same bytes; only the spelling that {@link seal} writes is accepted.
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted) || given.toString('base64url') !== signed)
    throw new TypeError('resume: this is not a suspension of a toolkit with this suspensionSecret, or it was changed');
  const packed = Buffer.from(content.slice(form.length + 1), 'base64url');
  const turn = JSON.parse(inflateRawSync(packed).toString()) as SuspendedTurn;
  if (turn.expiresAt <= now)
    throw new TypeError(`resume: this suspension expired at ${new Date(turn.expiresAt).toISOString()}`);
  return turn;
}

function signature(content: string, secret: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(content).digest();
}
