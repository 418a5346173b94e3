import type { CallScope } from '../../core/context.js';
import type { DocumentTable } from '../../ports/file-store.js';
import { agentOf, userOf } from '../../ports/owner-of-caller.js';

/** A search in memory. */
export interface MemoryQuery {
  readonly query: string;
  /** Default 6. */
  readonly maxResults?: number | undefined;
  /** Minimum score from 0 to 1. Default 0. */
  readonly minScore?: number | undefined;
}

/** A result. Lines are counted from 1, and `endLine` belongs to the result. */
export interface MemoryHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** From 0 to 1: the better of the scores by words and by meaning. */
  readonly score: number;
  readonly snippet: string;
}

/** Searches the memory of the calling user and agent. */
export interface MemoryIndex {
  /** Adds a written document; only for `.md` files. */
  put(path: string, text: string, scope: CallScope): Promise<void>;
  /** Removes a deleted document. */
  remove(path: string, scope: CallScope): Promise<void>;
  /** Finds chunks: first of the user's documents, then of the agent's documents, each group by rank. */
  search(query: MemoryQuery, scope: CallScope): Promise<readonly MemoryHit[]>;
  /** Reads the user's document, or else the agent's; undefined if there is neither. */
  read(path: string, scope: CallScope): Promise<string | undefined>;
}

/** Converts texts to vectors. */
export interface Embedder {
  /** One vector for each text, in order. */
  embed(texts: readonly string[], scope: CallScope): Promise<readonly (readonly number[])[]>;
  /** Only vectors of the same model are compared. */
  readonly model: string;
  readonly dimensions: number;
}

/** Implements {@link MemoryIndex.read} for the documents of a table. */
export async function readDocument(table: DocumentTable, path: string, scope: CallScope): Promise<string | undefined> {
  const stored = (await table.get(userOf(scope), path)) ?? (await table.get(agentOf(scope), path));
  return stored && Buffer.from(stored.bytes).toString('utf8');
}

/** The constant of reciprocal rank fusion; a larger constant reduces the weight of the first ranks. */
const rankOffset = 60;

/** A chunk that one search method has found. */
export interface FoundChunk extends MemoryHit {
  readonly id: string;
  /** Whether its document belongs to the user. */
  readonly isOwn: boolean;
}

/**
 * Combines results by reciprocal rank fusion. Results of the user precede results of the agent. A chunk that is in
 * several lists gets the highest of its scores.
 */
export function bestOf(
  lists: readonly (readonly FoundChunk[])[],
  { maxResults = 6, minScore = 0 }: Omit<MemoryQuery, 'query'>,
): readonly MemoryHit[] {
  const all = new Map<string, FoundChunk & { readonly rank: number }>();
  for (const list of lists)
    for (const [index, found] of list.entries()) {
      const { rank, score } = all.get(found.id) ?? { rank: 0, score: 0 };
      all.set(found.id, { ...found, rank: rank + 1 / (rankOffset + index + 1), score: Math.max(score, found.score) });
    }
  return [...all.values()]
    .filter(({ score }) => score >= minScore)
    .sort((left, right) => Number(right.isOwn) - Number(left.isOwn) || right.rank - left.rank)
    .slice(0, maxResults)
    .map(({ path, startLine, endLine, score, snippet }) => ({ path, startLine, endLine, score, snippet }));
}

/** Limit of texts in one call of an embedder. */
export const embedBatch = 100;

/** One vector for each text. Throws if the embedder returns a wrong number of vectors, or vectors of a wrong size. */
export async function embedTexts(
  by: Embedder,
  texts: readonly string[],
  scope: CallScope,
): Promise<readonly (readonly number[])[]> {
  const vectors: (readonly number[])[] = [];
  for (let at = 0; at < texts.length; at += embedBatch) {
    const batch = texts.slice(at, at + embedBatch);
    const made: unknown = await by.embed(batch, scope);
    const areVectors = Array.isArray(made) && made.every((vector) => isVector(vector, by.dimensions));
    if (!areVectors || made.length !== batch.length)
      throw new TypeError(`the embedder ${by.model} did not return a vector of ${by.dimensions} numbers for each text`);
    vectors.push(...made);
  }
  return vectors;
}

/** Whether a value is a list of `dimensions` numbers in the range of 32-bit floats. */
function isVector(value: unknown, dimensions: number): boolean {
  if (!Array.isArray(value) || value.length !== dimensions) return false;
  return value.every((part) => Number.isFinite(Math.fround(part)));
}
