import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PlainCallResult, ToolCall } from '../../core/call.js';
import type { Caller } from '../../core/context.js';
import type { WaitingCall } from './turn-call.js';

/** The content of a suspension. */
export interface SuspendedTurn {
  readonly id: string;
  readonly caller: Caller;
  /** The root of the workspace, if there is one. */
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
export function seal(turn: SuspendedTurn, secret: string | Uint8Array): string {
  const content = `${form}.${deflateRawSync(JSON.stringify(turn)).toString('base64url')}`;
  return `${content}.${signature(content, secret).toString('base64url')}`;
}

/** The turn in a text made by {@link seal}. Throws a TypeError for any other text, and for an expired one. */
export function unseal(text: unknown, secret: string | Uint8Array, now: number): SuspendedTurn {
  const [, content = '', signed = ''] = /^(tws1\.[\w-]+)\.([\w-]+)$/.exec(typeof text === 'string' ? text : '') ?? [];
  const wanted = signature(content, secret);
  const given = Buffer.from(signed, 'base64url');
  // Base64url has several spellings of the same bytes; only the one that {@link seal} writes is accepted.
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted) || given.toString('base64url') !== signed)
    throw new TypeError('resume: this is no suspension of a toolkit with this suspensionSecret, or it was changed');
  const packed = Buffer.from(content.slice(form.length + 1), 'base64url');
  const turn = JSON.parse(inflateRawSync(packed).toString()) as SuspendedTurn;
  if (turn.expiresAt <= now)
    throw new TypeError(`resume: this suspension expired at ${new Date(turn.expiresAt).toISOString()}`);
  return turn;
}

function signature(content: string, secret: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(content).digest();
}
