/** Something that begins with one of a few literal texts. */
export interface Headed {
  readonly heads: readonly string[];
  /** Whether upper and lower case letters of a head are the same. Default: no. */
  readonly anyCase?: boolean;
  /** The characters that may follow a head shorter than four characters. Default: letters, digits, `_` and `-`. */
  readonly next?: string;
}

const windowChars = 4;
const wordCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

/**
 * Finds where one of many literal heads begins, in one pass that leaps over most of the text: it looks at the last two of a window of four
 * characters, and moves by as many as no head allows before that pair (the method of Wu and Manber, "A fast algorithm for multi-pattern searching", 1994).
 * Its speed hardly depends on how many heads there are.
 */
export class HeadIndex<Item extends Headed> {
  /** How far the window may move when it ends in a pair of characters; 0 where a head may stand. */
  readonly #leap = new Uint8Array(1 << 14).fill(windowChars - 1);
  /** What may begin with a window of four characters. */
  readonly #items = new Map<number, readonly Item[]>();
  /** Whether `#items` may know a window, by hash. */
  readonly #isLikely = new Uint8Array(1 << 16);

  constructor(items: readonly Item[]) {
    for (const item of items) for (const head of item.heads) this.#add(item, head);
  }

  /** The first place in `text` at `from` or behind, before `limit`, where a head may stand; -1 if there is none. */
  next(text: string, from: number, limit: number): number {
    const leap = this.#leap;
    const likely = this.#isLikely;
    const stop = Math.min(text.length, limit + windowChars - 1);
    let last = from + windowChars - 1;
    while (last < stop) {
      const third = text.charCodeAt(last - 1) & 127;
      const fourth = text.charCodeAt(last) & 127;
      const distance = leap[(third << 7) | fourth] ?? 1;
      if (distance > 0) {
        last += distance;
        continue;
      }
      const key = keyOf(text.charCodeAt(last - 3) & 127, text.charCodeAt(last - 2) & 127, third, fourth);
      if (likely[hashOf(key)] === 1 && this.#items.has(key)) return last - 3;
      last++;
    }
    return -1;
  }

  /** What may begin at a place that `next` gave, in the order of construction. */
  itemsAt(text: string, at: number): readonly Item[] {
    return this.#items.get(keyAt(text, at)) ?? [];
  }

  #add(item: Item, head: string): void {
    const sets = Array.from({ length: windowChars }, (_, index) => charactersAt(item, head, index));
    for (let index = 0; index + 1 < windowChars; index++) {
      for (const left of sets[index] ?? '') for (const right of sets[index + 1] ?? '') this.#shorten(left, right, windowChars - 2 - index);
    }
    for (const window of windowsOf(sets)) {
      const key = keyAt(window, 0);
      const items = this.#items.get(key) ?? [];
      if (!items.includes(item)) this.#items.set(key, [...items, item]);
      this.#isLikely[hashOf(key)] = 1;
    }
  }

  #shorten(left: string, right: string, distance: number): void {
    const pair = ((left.charCodeAt(0) & 127) << 7) | (right.charCodeAt(0) & 127);
    this.#leap[pair] = Math.min(this.#leap[pair] ?? 0, distance);
  }
}

function charactersAt(item: Headed, head: string, index: number): string {
  const character = head[index];
  if (character === undefined) return item.next ?? wordCharacters;
  return item.anyCase === true ? [...new Set([character.toLowerCase(), character.toUpperCase()])].join('') : character;
}

function windowsOf(sets: readonly string[]): readonly string[] {
  return sets.reduce<readonly string[]>(
    (windows, set) => windows.flatMap((window) => [...set].map((character) => window + character)),
    [''],
  );
}

function keyAt(text: string, at: number): number {
  return keyOf(text.charCodeAt(at) & 127, text.charCodeAt(at + 1) & 127, text.charCodeAt(at + 2) & 127, text.charCodeAt(at + 3) & 127);
}

function keyOf(first: number, second: number, third: number, fourth: number): number {
  return (first << 21) | (second << 14) | (third << 7) | fourth;
}

/** Spreads a key over 16 bits by the golden ratio. */
function hashOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16;
}
