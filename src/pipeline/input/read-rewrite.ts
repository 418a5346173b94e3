import { isPlainObject } from './plain-object.js';

/**
 * The input that a hook or permission puts in place of the old one: an object of fields, or JSON text of one; undefined
 * for none, which null means too. Throws a TypeError for anything else, since it would run the tool with an empty
 * input.
 */
export function readRewrite(updatedInput: unknown): unknown {
  if (updatedInput === undefined || updatedInput === null) return undefined;
  if (isPlainObject(updatedInput) || (typeof updatedInput === 'string' && updatedInput.trim() !== ''))
    return updatedInput;
  throw new TypeError('its updatedInput is no object of named fields');
}
