import { isThenable } from './value-tests.js';

/** A TypeError for an argument of a wrong kind: it names the expected kind, the given kind, and the code to write. */
export function argumentMistake(takes: string, got: string, write: string): TypeError {
  return new TypeError(`${takes}, got ${got}; ${got === 'a promise' ? 'await it and ' : ''}write ${write}`);
}

/** Names the kind of a value without showing its content, which may be secret. */
export function kindThatCame(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isThenable(value)) return 'a promise';
  if (ArrayBuffer.isView(value)) return 'bytes';
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  if (Array.isArray(value))
    return `a list of ${Array.isArray(value[0]) ? 'lists' : kindThatCame(value[0]).replace(/^an? (\w+)/, '$1s')}`;
  const fields = Object.keys(value).slice(0, 3).join(', ');
  // Instances of classes may have private fields only.
  const { name = '' } = (Object.getPrototypeOf(value)?.constructor ?? {}) as { readonly name?: string };
  if (fields === '' && name !== '' && name !== 'Object') return `an instance of ${name}`;
  return `an object with ${fields || 'no fields'}`;
}
