/** How deep and how large a copy may become. */
export interface JsonSafeBounds {
  readonly maxDepth: number;
  readonly maxChars: number;
}

/**
 * A copy that JSON can hold, with every text, and the digits of every number, passed through `change`: functions and symbols go, circles, hostile getters
 * and what is too deep become a mark, big integers become text, dates ISO text, errors their message, bytes their size.
 * Answers undefined when the texts come to more than `maxChars`.
 */
export function jsonSafe(value: unknown, change: (text: string) => string, bounds: JsonSafeBounds): unknown {
  const copier = new Copier(change, bounds);
  const copy = copier.copy(value, 0);
  return copier.isOverflowing ? undefined : copy;
}

class Copier {
  readonly #change: (text: string) => string;
  readonly #bounds: JsonSafeBounds;
  /** The objects around the one that is copied now. */
  readonly #path: object[] = [];
  #chars = 0;

  constructor(change: (text: string) => string, bounds: JsonSafeBounds) {
    this.#change = change;
    this.#bounds = bounds;
  }

  get isOverflowing(): boolean {
    return this.#chars > this.#bounds.maxChars;
  }

  copy(value: unknown, depth: number): unknown {
    if (this.isOverflowing) return undefined;
    this.#chars += 1;
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
    this.#chars += text.length;
    return this.isOverflowing ? '' : this.#change(text);
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
    if (Array.isArray(value)) return value.map((entry) => this.copy(entry, depth + 1) ?? null);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof Error) return this.#text(`${value.name}: ${value.message}`);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Map) return this.#record(value.keys(), (key) => value.get(key), depth);
    if (value instanceof Set) return [...value].map((entry) => this.copy(entry, depth + 1) ?? null);
    return this.#record(Object.keys(value), (key) => value[key as never], depth);
  }

  #record(keys: Iterable<unknown>, entryOf: (key: unknown) => unknown, depth: number): Readonly<Record<string, unknown>> {
    const record: Record<string, unknown> = {};
    for (const key of keys) {
      const copy = this.copy(entryOf(key), depth + 1);
      if (copy !== undefined) put(record, this.#text(String(key)), copy);
    }
    return record;
  }
}

/** Assignment to this one name would change what the record inherits. */
function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
}
