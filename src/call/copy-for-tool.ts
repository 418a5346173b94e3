import { isPlainObject } from './read-input.js';

/**
 * A copy of a parsed input for a tool, which may change the copy. Lists, plain objects, maps, sets, dates and bytes are
 * copied. Functions, lists with extra fields and instances of other classes are shared. An input that cannot be copied,
 * such as one with a circular reference, is returned as it is.
 */
export function copyForTool(input: unknown): unknown {
  try {
    return copy(input);
  } catch {
    return input;
  }
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isPlainObject(value)) return copyRecord(value);
  switch (Object.getPrototypeOf(value)) {
    case Array.prototype:
      return Array.isArray(value) && Object.keys(value).length === value.length ? value.map(copy) : value;
    case Map.prototype:
      return new Map(Array.from(value as ReadonlyMap<unknown, unknown>, ([key, entry]) => [copy(key), copy(entry)]));
    case Set.prototype:
      return new Set(Array.from(value as ReadonlySet<unknown>, copy));
    case Date.prototype:
      return new Date(value as Date);
    case Uint8Array.prototype:
    case Buffer.prototype:
      return Uint8Array.prototype.slice.call(value);
    default:
      return value;
  }
}

function copyRecord(value: object): object {
  const fields: Record<PropertyKey, PropertyDescriptor> = Object.getOwnPropertyDescriptors(value);
  for (const key of Reflect.ownKeys(fields)) {
    const field = fields[key];
    if (field !== undefined && 'value' in field)
      Object.assign(field, { value: copy(field.value), writable: true, configurable: true });
  }
  return Object.create(Object.getPrototypeOf(value) as object | null, fields) as object;
}
