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
  const copier = new Copier(change, bounds);
  return { copy: copier.copy(value, 0), isCut: copier.isCut };
}

class Copier {
  readonly #change: (text: string) => string;
  readonly #bounds: JsonSafeBounds;
  /** The ancestors of the current object. */
  readonly #path: object[] = [];
  #chars = 0;
  #items = 0;
  isCut = false;

  constructor(change: (text: string) => string, bounds: JsonSafeBounds) {
    this.#change = change;
    this.#bounds = bounds;
  }

  copy(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return Number.isFinite(value) ? this.#number(value) : null;
      case 'boolean':
        return value;
      case 'bigint':
        return this.#text(String(value));
      case 'object':
        return value === null ? null : this.#object(value, depth);
      default:
        return undefined;
    }
  }

  /** A number becomes text if `change` changes its digits, because digits may be a secret. */
  #number(value: number): number | string {
    const digits = String(value);
    const changed = this.#change(digits);
    return changed === digits ? value : changed;
  }

  #text(text: string): string {
    // A text is copied whole or not at all: the scrubber might not recognise half a secret.
    if (this.#chars + text.length > this.#bounds.maxChars) {
      this.isCut = true;
      return `[${text.length} characters omitted]`;
    }
    this.#chars += text.length;
    return this.#change(text);
  }

  #object(value: object, depth: number): unknown {
    if (this.#path.includes(value)) return '[circular]';
    if (depth >= this.#bounds.maxDepth) return '[too deep]';
    this.#path.push(value);
    try {
      return this.#inside(value, depth);
    } catch {
      return '[unreadable]';
    } finally {
      this.#path.pop();
    }
  }

  #inside(value: object, depth: number): unknown {
    if (Array.isArray(value)) return this.#list(value, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof Error) return this.#text(`${value.name}: ${value.message}`);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Map) return this.#record([...value.keys()], (key) => value.get(key), depth);
    if (value instanceof Set) return this.#list([...value], depth);
    return this.#record(Object.keys(value), (key) => value[key as never], depth);
  }

  #list(entries: readonly unknown[], depth: number): readonly unknown[] {
    const { taken, marks } = this.#first(entries);
    return [...Array.from(taken, (entry) => this.copy(entry, depth + 1) ?? null), ...marks];
  }

  #record(
    keys: readonly unknown[],
    entryOf: (key: unknown) => unknown,
    depth: number,
  ): Readonly<Record<string, unknown>> {
    const record: Record<string, unknown> = {};
    const { taken, marks } = this.#first(keys);
    for (const key of taken) {
      const copy = this.copy(entryOf(key), depth + 1);
      if (copy !== undefined) put(record, this.#text(String(key)), copy);
    }
    for (const mark of marks) put(record, '[cut]', mark);
    return record;
  }

  /** The entries within the bound, and a mark for the rest. */
  #first<Entry>(entries: readonly Entry[]): { readonly taken: readonly Entry[]; readonly marks: readonly string[] } {
    const taken = entries.slice(0, this.#bounds.maxItems - this.#items);
    this.#items += taken.length;
    if (taken.length === entries.length) return { taken, marks: [] };
    this.isCut = true;
    return { taken, marks: [`[${entries.length - taken.length} more items]`] };
  }
}

/** Defines a field; assignment to `__proto__` would change the prototype. */
function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
}
