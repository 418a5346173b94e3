import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ToolError } from '../core/error.js';
import { assertNeeded, assertOptions, kindOf, type OptionKinds } from '../core/support/option-kinds.js';

/** Keeps texts secret where they are stored. */
export interface SecretBox {
  /** `context` names the place that the text is kept in, such as `custom_tools/ID/env`: it opens there alone. */
  seal(text: string, context: string): string;
  /**
   * The text again. Throws a ToolError `storage_failed` where the sealed text was changed, belongs to another context or
   * was sealed with a key that is not there.
   */
  open(sealed: string, context: string): string;
}

/** The keys of {@link aesGcmBox}. */
export interface AesGcmBoxOptions {
  /** By id, 32 bytes each. The ids are stored in clear: letters, digits, `_`, `-`. */
  readonly keys: Readonly<Record<string, Uint8Array>>;
  /** The id of the key that seals. The others only open, until what they sealed has been sealed anew. */
  readonly current: string;
}

const optionKinds: OptionKinds<AesGcmBoxOptions> = {
  keys: {
    takes: 'an object of keys by id, each a Uint8Array of 32 bytes, whose id has letters, digits, _ and - alone',
    holds: (value) =>
      kindOf.record.holds(value) &&
      Object.entries(value as object).every(
        ([id, key]) => /^[\w-]+$/.test(id) && key instanceof Uint8Array && key.length === 32,
      ),
  },
  current: kindOf.text,
};

const ivBytes = 12;
const tagBytes = 16;

/**
 * A box over AES-256-GCM with a random 96-bit IV for each text and the context as associated data. What it seals reads
 * `key id.base64url`. To change the key: add one, make it `current`, and store each text anew with
 * `box.seal(box.open(sealed, context), context)`. Throws a TypeError for keys of another size, and where `current` is
 * none of them.
 */
export function aesGcmBox(options: AesGcmBoxOptions): SecretBox {
  assertOptions('aesGcmBox', options, optionKinds);
  assertNeeded('aesGcmBox', options, 'keys', 'current');
  const { current } = options;
  // The caller may wipe its own.
  const keys = new Map(Object.entries(options.keys).map(([id, key]) => [id, Uint8Array.from(key)]));
  const sealing = keys.get(current);
  if (sealing === undefined)
    throw new TypeError(
      `aesGcmBox: current is ${JSON.stringify(current)}, and keys has ${[...keys.keys()].join(', ')}`,
    );
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
      if (key === undefined) throw unopened(context, `its key ${JSON.stringify(id.slice(0, 64))} is not there`);
      const bytes = Buffer.from(encoded, 'base64url');
      try {
        // Some bits of the last character say nothing, and other characters are passed over.
        if (bytes.toString('base64url') !== encoded) throw unopened(context, 'it was changed');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes));
        return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw unopened(context, 'it was changed, or sealed for another place');
      }
    },
  };
}

function unopened(context: string, reason: string): ToolError {
  return new ToolError('storage_failed', `The secret of ${context} does not open: ${reason}. Store it again.`);
}

/** The error for secrets where there is nothing to seal them with. `what` is such as `The env of a tool is secret`. */
export function noBox(what: string): ToolError {
  const next = 'write managedStores(client, { box: aesGcmBox({ keys, current }) })';
  return new ToolError('not_configured', `${what}, and the store has no box for it; ${next}.`);
}
