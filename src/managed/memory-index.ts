import type { CallScope } from '../core/context.js';
import { assertNeeded, assertOptions, having, kindOf, type OptionKinds } from '../core/support/option-kinds.js';
import { agentOf, userOf } from '../files/store/context-store.js';
import type { DocumentOwner, DocumentTable } from '../host/file-store.js';
import { WordIndex } from '../text/word-index.js';
import { chunksOf, type MemoryChunk } from './memory-chunks.js';

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

/** What {@link memoryIndex} works with. */
export interface MemoryIndexOptions {
  /** Of `managedStores` or `memoryStores`. */
  readonly stores: { readonly memory: DocumentTable };
  /** Finds by meaning too. Default: by words alone. */
  readonly embedder?: Embedder | undefined;
}

const optionKinds: OptionKinds<MemoryIndexOptions> = {
  stores: kindOf.record,
  embedder: having('an embedder', 'embed'),
};

const maxKeptDocuments = 1_000;
/** Of reciprocal rank fusion: how little the first ranks stand out. */
const rankOffset = 60;

interface IndexedDocument {
  readonly version: string;
  readonly chunks: readonly MemoryChunk[];
}

interface Found {
  readonly path: string;
  readonly isOwn: boolean;
  readonly chunk: MemoryChunk;
}

/**
 * An index over the documents of memory, made when it is searched from what the store holds then, so that it never
 * lags behind; a document that has not changed is not read again. Ranks by BM25, and with an embedder by cosine
 * similarity too, joined by reciprocal rank. An embedding that fails leaves the search by words, and is tried again by
 * the next. Throws a TypeError for options that are none.
 */
export function memoryIndex(options: MemoryIndexOptions): MemoryIndex {
  assertOptions('memoryIndex', options, optionKinds);
  assertNeeded('memoryIndex', options, 'stores');
  const { embedder } = options;
  const table = options.stores.memory;
  const documents = new Map<string, IndexedDocument>();
  const vectors = new Map<string, readonly number[]>();

  const indexed = async (owner: DocumentOwner, name: string): Promise<IndexedDocument | undefined> => {
    const stored = await table.get(owner, name);
    if (stored === undefined) return undefined;
    const key = JSON.stringify([owner.agentId, owner.userId, name]);
    const known = documents.get(key);
    if (known?.version === stored.version) return known;
    const document = { version: stored.version, chunks: chunksOf(Buffer.from(stored.bytes).toString('utf8')) };
    if (documents.size >= maxKeptDocuments) documents.clear();
    documents.set(key, document);
    return document;
  };

  const candidates = async (scope: CallScope): Promise<readonly Found[]> => {
    const [user, agent] = [userOf(scope), agentOf(scope)];
    const own = user.userId === undefined ? [] : await table.names(user);
    const shared = (await table.names(agent)).filter((name) => !own.includes(name));
    const of = async (owner: DocumentOwner, path: string, isOwn: boolean) =>
      ((await indexed(owner, path))?.chunks ?? []).map((chunk) => ({ path, isOwn, chunk }));
    const each = await Promise.all([
      ...own.filter(isMarkdown).map((path) => of(user, path, true)),
      ...shared.filter(isMarkdown).map((path) => of(agent, path, false)),
    ]);
    return each.flat();
  };

  const byMeaning = async (found: readonly Found[], query: string, scope: CallScope) => {
    if (embedder === undefined || found.length === 0) return [];
    try {
      const missing = [...new Map(found.map(({ chunk }) => [chunk.hash, chunk.text]))].filter(
        ([hash]) => !vectors.has(hash),
      );
      const [asked, ...made] = await embedder.embed([query, ...missing.map(([, text]) => text)], scope);
      for (const [index, [hash]] of missing.entries()) if (made[index] !== undefined) vectors.set(hash, made[index]);
      const scored = found.map((one) => ({ one, score: cosine(asked ?? [], vectors.get(one.chunk.hash) ?? []) }));
      return scored.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score);
    } catch {
      // Words still find most of it.
      return [];
    }
  };

  return {
    // The store is read when it is searched.
    put: async () => {},
    remove: async () => {},
    read: async (path, scope) => {
      const stored = (await table.get(userOf(scope), path)) ?? (await table.get(agentOf(scope), path));
      return stored && Buffer.from(stored.bytes).toString('utf8');
    },
    async search({ query, maxResults = 6, minScore = 0 }, scope) {
      const found = await candidates(scope);
      const words = new WordIndex(found, { text: { weight: 1, textOf: ({ chunk }) => chunk.text } });
      const ranked = [
        words.scored(query).map(({ item, score }) => ({ one: item, score: score / (score + 1) })),
        await byMeaning(found, query, scope),
      ];
      return joined(ranked)
        .filter(({ score }) => score >= minScore)
        .sort((left, right) => Number(right.one.isOwn) - Number(left.one.isOwn) || right.rank - left.rank)
        .slice(0, maxResults)
        .map(({ one: { path, chunk }, score }) => {
          const { startLine, endLine, text } = chunk;
          return { path, startLine, endLine, score, snippet: text };
        });
    },
  };
}

/** Lists by rank, joined: `rank` is the sum of the reciprocal ranks, `score` the best of the scores. */
function joined(lists: readonly (readonly { readonly one: Found; readonly score: number }[])[]) {
  const all = new Map<Found, { readonly rank: number; readonly score: number }>();
  for (const list of lists)
    for (const [index, { one, score }] of list.entries()) {
      const known = all.get(one) ?? { rank: 0, score: 0 };
      all.set(one, { rank: known.rank + 1 / (rankOffset + index + 1), score: Math.max(known.score, score) });
    }
  return [...all].map(([one, joint]) => ({ one, ...joint }));
}

function cosine(left: readonly number[], right: readonly number[]): number {
  if (left.length === 0 || left.length !== right.length) return 0;
  const dot = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  const length = Math.sqrt(dot(left, left) * dot(right, right));
  return length === 0 ? 0 : Math.min(1, dot(left, right) / length);
}

function isMarkdown(name: string): boolean {
  return name.endsWith('.md');
}
