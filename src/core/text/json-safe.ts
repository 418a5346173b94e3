/** How deep and how large a copy may become. */
export interface JsonSafeBounds {
  readonly maxDepth: number;
  /** Characters of all texts and keys together. */
  readonly maxChars: number;
  /** Entries of all lists and objects together. */
  readonly maxItems: number;
}

/**
 * A copy that JSON can hold, with every text, and the digits of every number, passed through `change`: functions and
 * symbols go, circles, hostile getters and what is too deep or too much become a mark, big integers become text, dates
 * ISO text, errors their message, bytes their size. `isCut` says that there were too many characters or items.
 */
export function jsonSafe(value: unknown, change: (text: string) => string, bounds: JsonSafeBounds) {
  const copier = new Copier(change, bounds);
  return { copy: copier.copy(value, 0), isCut: copier.isCut };
}

class Copier {
  readonly #change: (text: string) => string;
  readonly #bounds: JsonSafeBounds;
  /** The objects around the one that is copied now. */
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

  /** A number stays one unless its digits are changed, for they may be a secret as well as a text may. */
  #number(value: number): number | string {
    const digits = String(value);
    const changed = this.#change(digits);
    return changed === digits ? value : changed;
  }

  #text(text: string): string {
    // Of a part of a text nobody can tell what it was a part of, so a text is copied whole or not at all.
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

  /** As many entries as there is room for, and a mark for the rest. */
  #first<Entry>(entries: readonly Entry[]): { readonly taken: readonly Entry[]; readonly marks: readonly string[] } {
    const taken = entries.slice(0, this.#bounds.maxItems - this.#items);
    this.#items += taken.length;
    if (taken.length === entries.length) return { taken, marks: [] };
    this.isCut = true;
    return { taken, marks: [`[${entries.length - taken.length} more items]`] };
  }
}

/** Assignment to this one name would change what the record inherits. */
function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
}
