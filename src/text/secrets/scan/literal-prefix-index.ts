/** Something that begins with one of a few literal texts. */
export interface Headed {
  readonly heads: readonly string[];
  /** Whether upper and lower case letters of a head are the same. Default: no. */
  readonly anyCase?: boolean;
  /** The characters that may follow a head shorter than four characters. Default: letters, digits, `_` and `-`. */
  readonly next?: string;
}

/** How many characters of a head count for the search; what a shorter one lacks is made up by what may follow it. */
const headChars = 4;
/** How much of a text is looked at in one go. Even, and small enough to stay in the processor's cache. */
const windowChars = 16_384;
const wordCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
/** Which of its two triples of characters a head was recognised by. */
const firstTriple = 1;
const secondTriple = 2;

/** What may begin with four characters. */
interface Entry<Item> {
  readonly items: readonly Item[];
  /** What follows in each of the heads that begin so, up to four characters; undefined where one of them ends here. */
  readonly rests: readonly Rest[] | undefined;
}

/** Up to four characters, and a mask for as many. */
interface Rest {
  readonly key: number;
  readonly mask: number;
}

/**
 * Finds where one of many literal heads begins, in time that hardly depends on how many there are. Of the four
 * characters of a head two overlapping triples begin in neighbouring places, so looking up the triple at every second
 * place of a text misses none of them. Triples are folded to five bits a character and stand in a table; the few places
 * that it lets through are compared exactly.
 */
export class HeadIndex<Item extends Headed> {
  readonly #triples = new Uint8Array(1 << 15);
  readonly #entries = new Map<number, Entry<Item>>();
  /** Whether `#entries` may know four characters, by hash. */
  readonly #isLikely = new Uint8Array(1 << 16);
  readonly #window = Buffer.alloc(windowChars + 4 * headChars);

  constructor(items: readonly Item[]) {
    for (const item of items) for (const head of item.heads) this.#add(item, head);
  }

  /** A search of `text` for heads that begin before `limit`. */
  search(text: string, limit: number): HeadSearch {
    return new HeadSearch(text, limit, (from, found) => this.#collect(text, from, limit, found));
  }

  /** What may begin at a place that a search gave, in the order of construction. */
  itemsAt(text: string, at: number): readonly Item[] {
    return this.#entries.get(keyAt(text, at))?.items ?? [];
  }

  /** Adds the places from `from` on to `found`, as far as one window reaches; gives where that ends. */
  #collect(text: string, from: number, limit: number, found: number[]): number {
    const window = this.#window;
    const triples = this.#triples;
    const end = Math.min(from + windowChars, limit);
    // The low byte of a character is enough to tell where a head cannot stand.
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
    if (this.#isLikely[hashOf(key)] !== 1) return false;
    const entry = this.#entries.get(key);
    if (entry?.rests === undefined) return entry !== undefined;
    const rest = keyOf(window[index + 4] ?? 0, window[index + 5] ?? 0, window[index + 6] ?? 0, window[index + 7] ?? 0);
    for (const { key: wanted, mask } of entry.rests) if ((rest & mask) === wanted) return true;
    return false;
  }

  #add(item: Item, head: string): void {
    const sets = Array.from({ length: headChars }, (_, index) => charactersAt(item, head, index));
    for (const triple of textsOf(sets.slice(0, 3))) this.#mark(triple, firstTriple);
    for (const triple of textsOf(sets.slice(1))) this.#mark(triple, secondTriple);
    for (const text of textsOf(sets)) {
      const key = keyAt(text, 0);
      const { items, rests } = this.#entries.get(key) ?? { items: [], rests: [] };
      const isLong = rests !== undefined && head.length > headChars && item.anyCase !== true;
      this.#entries.set(key, {
        items: items.includes(item) ? items : [...items, item],
        rests: isLong ? [...rests, restOf(head)] : undefined,
      });
      this.#isLikely[hashOf(key)] = 1;
    }
  }

  #mark(triple: string, which: number): void {
    const place =
      ((triple.charCodeAt(0) & 31) << 10) | ((triple.charCodeAt(1) & 31) << 5) | (triple.charCodeAt(2) & 31);
    this.#triples[place] = (this.#triples[place] ?? 0) | which;
  }
}

/** One pass over one text. It goes forward only. */
export class HeadSearch {
  readonly #length: number;
  readonly #limit: number;
  readonly #collect: (from: number, found: number[]) => number;
  readonly #found: number[] = [];
  #read = 0;
  /** Up to here all places are found. */
  #known = 0;

  constructor(text: string, limit: number, collect: (from: number, found: number[]) => number) {
    this.#length = text.length;
    this.#limit = Math.min(limit, text.length - headChars + 1);
    this.#collect = collect;
  }

  /**
   * The first place at `from` or behind, before `before`, where a head may stand; -1 if there is none. `from` never
   * goes back.
   */
  next(from: number, before: number): number {
    for (;;) {
      for (; this.#read < this.#found.length; this.#read++) {
        const place = this.#found[this.#read] ?? this.#length;
        if (place >= before || place >= this.#limit) return -1;
        if (place >= from) return place;
      }
      const start = Math.max(from, this.#known);
      if (start >= before || start >= this.#limit) return -1;
      this.#found.length = 0;
      this.#read = 0;
      this.#known = this.#collect(start, this.#found);
    }
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

function restOf(head: string): Rest {
  const length = Math.min(headChars, head.length - headChars);
  const mask = keyAt('\u007f'.repeat(length).padEnd(headChars, '\0'), 0);
  return { key: keyAt(head.padEnd(2 * headChars, '\0'), headChars) & mask, mask };
}

function keyAt(text: string, at: number): number {
  return keyOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3));
}

function keyOf(first: number, second: number, third: number, fourth: number): number {
  return ((first & 127) << 21) | ((second & 127) << 14) | ((third & 127) << 7) | (fourth & 127);
}

/** Spreads a key over 16 bits by the golden ratio. */
function hashOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16;
}
