/** The largest depth and size of a copy. */
export interface JsonSafeBounds {
  readonly maxDepth: number;
  /** Characters of all texts and keys together. */
  readonly maxChars: number;
  /** Entries of all lists and objects together. */
  readonly maxItems: number;
}

/**
 * Copies a value into plain JSON data and passes every text, and the digits of every number, through `change`.
 * Functions and symbols are dropped. Marks replace circular references, objects with a getter that throws, and values
 * beyond the bounds. Big integers become text, dates ISO text, errors their name and message, bytes their size. `isCut`
 * says that the characters or items exceeded their bound.
 */
export function jsonSafe(value: unknown, change: (text: string) => string, bounds: JsonSafeBounds) {
  /** The ancestors of the current object. */
  const path: object[] = [];
  let chars = 0;
  let items = 0;
  let isCut = false;
  const copy = (part: unknown): unknown => {
    switch (typeof part) {
      case 'string':
        return textOf(part);
      case 'number':
        return Number.isFinite(part) ? numberOf(part) : null;
      case 'boolean':
        return part;
      case 'bigint':
        return textOf(String(part));
      case 'object':
        return part === null ? null : objectOf(part);
      default:
        return undefined;
    }
  };
  /** A number becomes text if `change` changes its digits, because digits may be a secret. */
  const numberOf = (number: number) => {
    const digits = String(number);
    const changed = change(digits);
    return changed === digits ? number : changed;
  };
  const textOf = (text: string) => {
    // A text is copied whole or not at all: the scrubber might not recognise half a secret.
    if (chars + text.length > bounds.maxChars) {
      isCut = true;
      return `[${text.length} characters omitted]`;
    }
    chars += text.length;
    return change(text);
  };
  const objectOf = (object: object) => {
    if (path.includes(object)) return '[circular]';
    if (path.length >= bounds.maxDepth) return '[too deep]';
    path.push(object);
    try {
      return insideOf(object);
    } catch {
      return '[unreadable]';
    } finally {
      path.pop();
    }
  };
  const insideOf = (object: object): unknown => {
    if (Array.isArray(object)) return listOf(object);
    if (object instanceof Date) return Number.isNaN(object.getTime()) ? null : object.toISOString();
    if (object instanceof Error) return textOf(`${object.name}: ${object.message}`);
    if (ArrayBuffer.isView(object)) return `[${object.byteLength} bytes]`;
    if (object instanceof Map) return recordOf([...object.keys()], (key) => object.get(key));
    if (object instanceof Set) return listOf([...object]);
    return recordOf(Object.keys(object), (key) => object[key as never]);
  };
  const listOf = (entries: readonly unknown[]) => {
    const { taken, marks } = firstOf(entries);
    return [...Array.from(taken, (entry) => copy(entry) ?? null), ...marks];
  };
  const recordOf = (keys: readonly unknown[], entryOf: (key: unknown) => unknown) => {
    const record: Record<string, unknown> = {};
    const { taken, marks } = firstOf(keys);
    for (const key of taken) {
      const entry = copy(entryOf(key));
      if (entry !== undefined) put(record, textOf(String(key)), entry);
    }
    for (const mark of marks) put(record, '[cut]', mark);
    return record;
  };
  /** The entries within the bound, and a mark for the rest. */
  const firstOf = (entries: readonly unknown[]) => {
    const taken = entries.slice(0, bounds.maxItems - items);
    items += taken.length;
    if (taken.length === entries.length) return { taken, marks: [] };
    isCut = true;
    return { taken, marks: [`[${entries.length - taken.length} more items]`] };
  };
  return { copy: copy(value), isCut };
}

/** Defines a field; assignment to `__proto__` would change the prototype. */
function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
}
