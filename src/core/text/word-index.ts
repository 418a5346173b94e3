import MiniSearch from 'minisearch';

// Stop words: frequent words of a query that say nothing about its subject.
const fillers: ReadonlySet<string> = new Set(
  `a an and any are as at be by can could do does for from give have help how i if in into is it its let like look me my
  need of on or our please should show so some tell that the their them there these this to us use using via want was we
  what when where which who will with would you your`.split(/\s+/),
);

/** A text of each item that is searched. A word found in this text counts `weight` times. */
export interface WordField<Item> {
  readonly weight: number;
  textOf(item: Item): string;
}

/** Items by the words of their fields, ranked by BM25. */
export class WordIndex<Item> {
  readonly #items: readonly Item[];
  readonly #weights: Readonly<Record<string, number>>;
  readonly #index: MiniSearch<{ readonly id: number }>;

  constructor(items: readonly Item[], fields: Readonly<Record<string, WordField<Item>>>) {
    this.#items = items;
    this.#weights = Object.fromEntries(Object.entries(fields).map(([name, { weight }]) => [name, weight]));
    this.#index = new MiniSearch({
      fields: Object.keys(fields),
      extractField: ({ id }, name) => fields[name]?.textOf(items[id] as Item) ?? (id as never),
      tokenize: (text) => text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? [],
      processTerm: (term) => stemOf(term.toLowerCase()),
    });
    this.#index.addAll(items.map((_, id) => ({ id })));
  }

  /** Whether the index holds exactly these items. */
  holds(items: readonly Item[]): boolean {
    return items.length === this.#items.length && items.every((item, index) => item === this.#items[index]);
  }

  /** The items that have words of the query, best match first. */
  search(query: string): readonly Item[] {
    return this.scored(query).map(({ item }) => item);
  }

  /** The items of {@link search} with the score of each, a number above 0. */
  scored(query: string): readonly { readonly item: Item; readonly score: number }[] {
    const options = { boost: this.#weights, prefix: (term: string) => term.length > 3 };
    const processTerm = (term: string) => !fillers.has(term.toLowerCase()) && stemOf(term.toLowerCase());
    return this.#index
      .search(query, { ...options, processTerm })
      .map(({ id, score }) => ({ item: this.#items[id] as Item, score }));
  }
}

/**
 * Removes the endings of verbs and nouns, so that each form of a word finds the others: `plan`, `plans` and `planning`,
 * `compress` and `compressed`.
 */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/(?<=\p{L}{3})(?:ing|ed|es|e|s|y|ies)$/u, '').replace(/(?<=\p{L}{2})(\p{L})\1$/u, '$1');
}
