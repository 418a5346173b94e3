import { isPlainObject } from './read-input.js';

/**
 * A copy of a parsed input, so that a tool may change it. Lists, plain objects, maps, sets, dates and bytes are copied.
 * Functions and instances of other classes, including subclasses of those and collections with extra fields, are
 * shared, because there is no general way to copy them. An input that throws when it is read is returned as it is.
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
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return prototype === Array.prototype ? copyList(value, copies) : value;
  if (isPlainObject(value)) return copyRecord(value, copies);
  if (isBytes(prototype)) return cloned(value, prototype, copies);
  if (Reflect.ownKeys(value).length > 0) return value;
  if (prototype === Date.prototype) return cloned(value, Date.prototype, copies);
  if (prototype === Map.prototype) {
    const map = new Map<unknown, unknown>();
    copies.set(value, map);
    for (const [key, entry] of value as ReadonlyMap<unknown, unknown>) map.set(copy(key, copies), copy(entry, copies));
    return map;
  }
  if (prototype === Set.prototype) {
    const set = new Set<unknown>();
    copies.set(value, set);
    for (const entry of value as ReadonlySet<unknown>) set.add(copy(entry, copies));
    return set;
  }
  return value;
}

function copyList(value: readonly unknown[], copies: Copies): readonly unknown[] {
  // The key `length` comes after the indexes and before any extra field.
  if (Reflect.ownKeys(value).at(-1) !== 'length') return value;
  const list = value.slice();
  copies.set(value, list);
  list.forEach((entry, index) => {
    list[index] = copy(entry, copies);
  });
  return list;
}

function isBytes(prototype: unknown): prototype is object {
  if (typeof prototype !== 'object' || prototype === null) return false;
  if (prototype === Buffer.prototype || prototype === ArrayBuffer.prototype || prototype === DataView.prototype)
    return true;
  return Object.getPrototypeOf(prototype) === Object.getPrototypeOf(Uint8Array.prototype);
}

// `structuredClone` turns a Buffer into a Uint8Array, so the prototype is set again.
function cloned(value: object, prototype: object, copies: Copies): unknown {
  const clone: unknown = Object.setPrototypeOf(structuredClone(value), prototype);
  copies.set(value, clone);
  return clone;
}

function copyRecord(value: object, copies: Copies): object {
  const fields = Reflect.ownKeys(value).map((key) => [key, Object.getOwnPropertyDescriptor(value, key) ?? {}] as const);
  // A getter or setter may depend on its own object, so the object is shared.
  if (fields.some(([, { get, set }]) => get !== undefined || set !== undefined)) return value;
  const record = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  copies.set(value, record);
  for (const [key, field] of fields) {
    // Assigning to __proto__ would set the prototype.
    Object.defineProperty(record, key, {
      value: copy(field.value, copies),
      enumerable: field.enumerable === true,
      writable: true,
      configurable: true,
    });
  }
  return record;
}
