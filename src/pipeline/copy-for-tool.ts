import { isPlainObject } from './plain-object.js';

/**
 * A copy of a parsed input, so that a tool may do with it what it likes: lists, plain objects, maps, sets, dates and bytes are copied;
 * functions and instances of other classes are shared, since nobody knows how to copy them. What fails when it is read is answered as it is.
 */
export function copyForTool(input: unknown): unknown {
  try {
    return copy(input, new Map());
  } catch {
    return input;
  }
}

type Copies = Map<object, unknown>;

function copy(value: unknown, copies: Copies): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return copies.get(value) ?? copyObject(value, copies);
}

function copyObject(value: object, copies: Copies): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const entry of value) list.push(copy(entry, copies));
    return list;
  }
  if (value instanceof Map) {
    const map = new Map<unknown, unknown>();
    copies.set(value, map);
    for (const [key, entry] of value) map.set(copy(key, copies), copy(entry, copies));
    return map;
  }
  if (value instanceof Set) {
    const set = new Set<unknown>();
    copies.set(value, set);
    for (const entry of value) set.add(copy(entry, copies));
    return set;
  }
  if (isPlainObject(value)) return copyRecord(value, copies);
  if (!(value instanceof Date || value instanceof ArrayBuffer || ArrayBuffer.isView(value))) return value;
  // A clone of a Buffer is a Uint8Array.
  const clone: unknown = Object.setPrototypeOf(structuredClone(value), Object.getPrototypeOf(value) as object);
  copies.set(value, clone);
  return clone;
}

function copyRecord(value: object, copies: Copies): object {
  const record = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  copies.set(value, record);
  for (const key of Reflect.ownKeys(value)) {
    // Assignment to __proto__ would not make a field.
    Object.defineProperty(record, key, {
      value: copy(value[key as never], copies),
      enumerable: Object.prototype.propertyIsEnumerable.call(value, key),
      writable: true,
      configurable: true,
    });
  }
  return record;
}
