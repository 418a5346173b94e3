import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ToolError } from '../../core/error.js';
import { assertOptions, kindOf, type OptionKinds } from '../../core/support/check-values.js';

/** Encrypts texts for storage. */
export interface SecretBox {
  /** `context` names the place of the text, such as `custom_tools/ID/env`; only the same context decrypts it. */
  seal(text: string, context: string): string;
  /** Decrypts a text. Throws `storage_failed` for a changed text, another context, or a missing key. */
  open(sealed: string, context: string): string;
}

/** The keys of {@link aesGcmBox}. */
export interface AesGcmBoxOptions {
  /** Keys of 32 bytes, by id. The ids are stored in clear: letters, digits, `_`, `-`. */
  readonly keys: Readonly<Record<string, Uint8Array>>;
  /** The id of the key that encrypts. The other keys only decrypt, until their texts are encrypted again. */
  readonly current: string;
}

const optionKinds: OptionKinds<AesGcmBoxOptions> = {
  keys: {
    takes: 'an object of keys by id: each key a Uint8Array of 32 bytes, each id of letters, digits, _ and -',
    holds: (value) =>
      kindOf.record.holds(value) &&
      Object.entries(value as object).every(([id, key]) => /^[\w-]+$/.test(id) && isKey(key)),
  },
  current: kindOf.text,
};

const isKey = (key: unknown) => key instanceof Uint8Array && key.length === 32;

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts with AES-256-GCM: a random 96-bit IV for each text, and the context as associated data. The form of sealed
 * texts is `key id.base64url`. To change the key: add a key, make the new key `current`, and store each text again with
 * `box.seal(box.open(sealed, context), context)`. Throws a TypeError for keys of another size, and if `current` is not
 * the id of a key.
 */
export function aesGcmBox(options: AesGcmBoxOptions): SecretBox {
  assertOptions('aesGcmBox', options, optionKinds, 'keys', 'current');
  const { current } = options;
  // A copy, since the caller may wipe its keys.
  const keys = new Map(Object.entries(options.keys).map(([id, key]) => [id, Uint8Array.from(key)]));
  const sealing = keys.get(current);
  const ids = [...keys.keys()].join(', ');
  if (sealing === undefined)
    throw new TypeError(`aesGcmBox: current must be an id in keys (${ids}), not ${JSON.stringify(current)}`);
  return {
    seal(text, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${current}.${sealed.toString('base64url')}`;
    },
    open(sealed, context) {
      const [id = '', encoded = ''] = sealed.split(/\.(.*)/s);
      const key = keys.get(id);
      if (key === undefined) throw cannotOpen(context, `its key ${JSON.stringify(id.slice(0, 64))} is missing`);
      const bytes = Buffer.from(encoded, 'base64url');
      // The decoder ignores unused bits and unknown characters, so several texts would decode to the same bytes.
      if (bytes.toString('base64url') !== encoded) throw cannotOpen(context, 'it was changed');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes));
        return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw cannotOpen(context, 'it was changed, or sealed with another context');
      }
    },
  };
}

function cannotOpen(context: string, reason: string): ToolError {
  return new ToolError('storage_failed', `The secret of ${context} cannot be decrypted: ${reason}. Store it again.`);
}

/**
 * A secret of a store. Only the same context decrypts it. `what` begins an error message, for example `The env of a
 * tool is secret`.
 */
export interface StoredSecret {
  readonly box: SecretBox | undefined;
  readonly context: string;
  readonly what: string;
}

/** Encrypts a value as JSON; returns undefined for a value without fields. Throws `not_configured` without a box. */
export function sealed(value: object | null | undefined, secret: StoredSecret): string | undefined {
  if (Object.keys(value ?? {}).length === 0) return undefined;
  return boxOf(secret).seal(JSON.stringify(value), secret.context);
}

/** Decrypts a result of {@link sealed}; `problem` is the reason if decryption fails. */
export function opened(text: unknown, secret: StoredSecret): { readonly value?: object; readonly problem?: string } {
  if (text === null || text === undefined) return {};
  try {
    return { value: JSON.parse(boxOf(secret).open(String(text), secret.context)) };
  } catch (thrown) {
    return { problem: ToolError.from(thrown).message };
  }
}

function boxOf({ box, what }: StoredSecret): SecretBox {
  if (box !== undefined) return box;
  const next = 'write managedStores(client, { box: aesGcmBox({ keys, current }) })';
  throw new ToolError('not_configured', `${what}, and the store has no box to encrypt it; ${next}.`);
}
