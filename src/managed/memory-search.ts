import type { CallScope } from '../core/context.js';

/** What is looked for in memory. */
export interface MemoryQuery {
  readonly query: string;
  /** Default 6. */
  readonly maxResults?: number | undefined;
  /** From 0 to 1; what scores less is left out. Default 0. */
  readonly minScore?: number | undefined;
}

/** A piece of memory that was found. Lines count from 1, both included. */
export interface MemoryHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** From 0 to 1: how well its words fit, or its meaning, whichever fits better. */
  readonly score: number;
  readonly snippet: string;
}

/** What finds the documents of memory again, for the user and the agent that ask. */
export interface MemoryIndex {
  /** Takes up a document that was written; for a `.md` only. */
  put(path: string, text: string, scope: CallScope): Promise<void>;
  /** Forgets a document that was removed. */
  remove(path: string, scope: CallScope): Promise<void>;
  /** The user's documents before the agent's, each by its rank. */
  search(query: MemoryQuery, scope: CallScope): Promise<readonly MemoryHit[]>;
  /** A document as it is, the user's before the agent's; undefined where there is none. */
  read(path: string, scope: CallScope): Promise<string | undefined>;
}

/** What turns texts into vectors. */
export interface Embedder {
  /** One vector a text, in their order. */
  embed(texts: readonly string[], scope: CallScope): Promise<readonly (readonly number[])[]>;
  /** Vectors of another model are not compared. */
  readonly model: string;
  readonly dimensions: number;
}

/** Of reciprocal rank fusion: how little the first ranks stand out. */
const rankOffset = 60;

/** Something that was found, in the order of one way to search. */
export interface Ranked<Item> {
  readonly item: Item;
  /** From 0 to 1. */
  readonly score: number;
}

/**
 * The best of what several ways to search have found, joined by reciprocal rank: what is the user's own before the
 * agent's. The score of each is the best of its scores.
 */
export function bestOf<Item extends { readonly isOwn: boolean }>(
  lists: readonly (readonly Ranked<Item>[])[],
  { maxResults = 6, minScore = 0 }: Omit<MemoryQuery, 'query'>,
): readonly Ranked<Item>[] {
  const all = new Map<Item, { readonly rank: number; readonly score: number }>();
  for (const list of lists)
    for (const [index, { item, score }] of list.entries()) {
      const known = all.get(item) ?? { rank: 0, score: 0 };
      all.set(item, { rank: known.rank + 1 / (rankOffset + index + 1), score: Math.max(known.score, score) });
    }
  return [...all]
    .map(([item, joint]) => ({ item, ...joint }))
    .filter(({ score }) => score >= minScore)
    .sort((left, right) => Number(right.item.isOwn) - Number(left.item.isOwn) || right.rank - left.rank)
    .slice(0, maxResults);
}

/** How many texts an embedder gets at once. */
export const embedBatch = 100;

/** One vector a text. Throws where an embedder answers with others than it said. */
export async function embedTexts(
  by: Embedder,
  texts: readonly string[],
  scope: CallScope,
): Promise<readonly (readonly number[])[]> {
  const vectors: (readonly number[])[] = [];
  for (let at = 0; at < texts.length; at += embedBatch) {
    const batch = texts.slice(at, at + embedBatch);
    const made: unknown = await by.embed(batch, scope);
    if (
      !Array.isArray(made) ||
      made.length !== batch.length ||
      !made.every((vector) => isVector(vector, by.dimensions))
    )
      throw new TypeError(`the embedder ${by.model} gave no vector of ${by.dimensions} numbers for each text`);
    vectors.push(...(made as (readonly number[])[]));
  }
  return vectors;
}

/** Whether a value is so many numbers of a size that a float of 32 bits holds. */
function isVector(value: unknown, dimensions: number): boolean {
  return (
    Array.isArray(value) && value.length === dimensions && value.every((part) => Number.isFinite(Math.fround(part)))
  );
}
