/** An item whose text starts with one of a few literal prefixes, called heads. */
export interface Headed {
  readonly heads: readonly string[];
  /** Whether letter case is ignored. Default: no. */
  readonly anyCase?: boolean;
  /** The characters that may follow a head shorter than four characters. Default: letters, digits, `_` and `-`. */
  readonly next?: string;
}

/**
 * A search of one text, usually from start to end. The search remembers one window of the text, so short steps back
 * cost little.
 */
export interface HeadSearch {
  /** The first place in the range `[from, before)` where a head may start; -1 if there is none. */
  next(from: number, before: number): number;
}

/**
 * The number of characters of a head that the search compares. A shorter head is completed by the characters that may
 * follow it.
 */
const headChars = 4;
/** The length of text that is searched in one step. Even, and small enough for the processor's cache. */
const windowChars = 16_384;
/** The value of `next` for a short head that any character may follow. */
export const anyCharacter = String.fromCharCode(...Array(128).keys());
const wordCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
/** Flags of a triple: whether it is the first or the second triple of the four characters of a head. */
const firstTriple = 1;
const secondTriple = 2;

/**
 * Finds the places where one of many literal heads starts, in time that hardly depends on the number of heads. The four
 * characters of a head contain two overlapping triples that start at neighbouring places. So a lookup at every second
 * place of a text misses no head. A triple is folded to five bits a character and looked up in a table; at the few
 * places that pass, all four characters are compared.
 */
export class HeadIndex<Item extends Headed> {
  readonly #triples: Uint8Array;
  readonly #entries = new Map<number, readonly Item[]>();
  /** For the hash of four characters: whether `#entries` may contain these characters. */
  readonly #isLikely: Uint8Array;
  readonly #window: Buffer;
  readonly #base: HeadIndex<Headed> | undefined;

  /** Searches also find the heads of `base`, to which no items may be added afterwards. */
  constructor(items: readonly Item[], base?: HeadIndex<Headed>) {
    this.#base = base;
    this.#triples = base === undefined ? new Uint8Array(1 << 15) : base.#triples.slice();
    this.#isLikely = base === undefined ? new Uint8Array(1 << 16) : base.#isLikely.slice();
    this.#window = base === undefined ? Buffer.alloc(windowChars + 4 * headChars) : base.#window;
    for (const item of items) this.add(item);
  }

  /** Adds an item to search for from now on. */
  add(item: Item): void {
    for (const head of item.heads) this.#add(item, head);
  }

  /** A search of `text` for heads that begin before `limit`. */
  search(text: string, limit: number): HeadSearch {
    const end = Math.min(limit, text.length - headChars + 1);
    const found: number[] = [];
    let read = 0;
    // The window that was searched last.
    let start = 0;
    let known = 0;
    const next = (from: number, before: number): number => {
      if (from < start) [known, found.length] = [from, 0];
      if (read > 0 && (found[read - 1] ?? from) >= from) read = 0;
      for (;;) {
        for (; read < found.length; read++) {
          const place = found[read] ?? end;
          if (place >= before || place >= end) return -1;
          if (place >= from) return place;
        }
        const unread = Math.max(from, known);
        if (unread >= before || unread >= end) return -1;
        found.length = 0;
        read = 0;
        start = unread;
        known = this.#collect(text, start, limit, found);
      }
    };
    return { next };
  }

  /** The items of this index (without `base`) that may start at `at`, a place that a search found; oldest first. */
  itemsAt(text: string, at: number): readonly Item[] {
    return this.#entries.get(keyAt(text, at)) ?? [];
  }

  /** Adds the places of heads in one window, from `from` on, to `found`; returns the end of the window. */
  #collect(text: string, from: number, limit: number, found: number[]): number {
    const window = this.#window;
    const triples = this.#triples;
    const end = Math.min(from + windowChars, limit);
    // The low byte of each character suffices to rule out most places.
    const length = window.write(text.slice(from, end + 2 * headChars), 0, 'latin1');
    window.fill(0, length, length + 2 * headChars);
    const last = Math.min(end - from, length);
    let left = (window[0] ?? 0) & 31;
    for (let index = 0; index <= last; index += 4) {
      const middle = (window[index + 2] ?? 0) & 31;
      const right = (window[index + 4] ?? 0) & 31;
      const here = triples[(left << 10) | (((window[index + 1] ?? 0) & 31) << 5) | middle] ?? 0;
      const there = triples[(middle << 10) | (((window[index + 3] ?? 0) & 31) << 5) | right] ?? 0;
      left = right;
      if ((here | there) === 0) continue;
      if ((here & secondTriple) !== 0 && index > 0 && this.#isHead(index - 1)) found.push(from + index - 1);
      if ((here & firstTriple) !== 0 && index < last && this.#isHead(index)) found.push(from + index);
      if ((there & secondTriple) !== 0 && index + 1 < last && this.#isHead(index + 1)) found.push(from + index + 1);
      if ((there & firstTriple) !== 0 && index + 2 < last && this.#isHead(index + 2)) found.push(from + index + 2);
    }
    return end;
  }

  #isHead(index: number): boolean {
    const window = this.#window;
    const key = keyOf(window[index] ?? 0, window[index + 1] ?? 0, window[index + 2] ?? 0, window[index + 3] ?? 0);
    return this.#isLikely[hashOf(key)] === 1 && this.#holds(key);
  }

  #holds(key: number): boolean {
    return this.#entries.has(key) || (this.#base === undefined ? false : this.#base.#holds(key));
  }

  #add(item: Item, head: string): void {
    const sets = Array.from({ length: headChars }, (_, index) => charactersAt(item, head, index));
    for (const triple of textsOf(sets.slice(0, 3))) this.#mark(triple, firstTriple);
    for (const triple of textsOf(sets.slice(1))) this.#mark(triple, secondTriple);
    for (const text of textsOf(sets)) {
      const key = keyAt(text, 0);
      const items = this.#entries.get(key) ?? [];
      this.#entries.set(key, items.includes(item) ? items : [...items, item]);
      this.#isLikely[hashOf(key)] = 1;
    }
  }

  #mark(triple: string, which: number): void {
    const place =
      ((triple.charCodeAt(0) & 31) << 10) | ((triple.charCodeAt(1) & 31) << 5) | (triple.charCodeAt(2) & 31);
    this.#triples[place] = (this.#triples[place] ?? 0) | which;
  }
}

function charactersAt(item: Headed, head: string, index: number): string {
  const character = head[index];
  if (character === undefined) return item.next ?? wordCharacters;
  return item.anyCase === true ? [...new Set([character.toLowerCase(), character.toUpperCase()])].join('') : character;
}

function textsOf(sets: readonly string[]): readonly string[] {
  return sets.reduce<readonly string[]>(
    (texts, set) => texts.flatMap((text) => [...set].map((character) => text + character)),
    [''],
  );
}

function keyAt(text: string, at: number): number {
  return keyOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3));
}

function keyOf(first: number, second: number, third: number, fourth: number): number {
  return ((first & 127) << 21) | ((second & 127) << 14) | ((third & 127) << 7) | (fourth & 127);
}

/** Spreads a key over 16 bits by multiplication with the golden ratio. */
function hashOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16;
}
