import type { CallScope } from '../../core/context.js';
import { WordIndex } from '../../core/text/word-index.js';
import type { DocumentOwner, DocumentTable } from '../../ports/file-store.js';
import { agentOf, userOf } from '../../ports/owner-of-caller.js';
import { chunksOf, type MemoryChunk } from './chunks.js';
import { bestOf, type Embedder, embedTexts, type FoundChunk, type MemoryIndex, readDocument } from './search.js';

const maxKeptVectors = 20_000;

/** A chunk to compare with a query. */
type Candidate = Omit<FoundChunk, 'score'> & Pick<MemoryChunk, 'hash'>;

/**
 * An index over the documents of a memory store. Each search reads the documents, so the index is never outdated. The
 * vectors of unchanged texts are cached.
 */
export function documentMemoryIndex(table: DocumentTable, embedder: Embedder | undefined): MemoryIndex {
  const vectors = new Map<string, readonly number[]>();

  const candidates = async (scope: CallScope): Promise<readonly Candidate[]> => {
    const [user, agent] = [userOf(scope), agentOf(scope)];
    const own = user.userId === undefined ? [] : await table.names(user);
    const shared = (await table.names(agent)).filter((name) => !own.includes(name));
    const of = async (owner: DocumentOwner, path: string, isOwn: boolean) => {
      const stored = await table.get(owner, path);
      const text = Buffer.from(stored?.bytes ?? []).toString('utf8');
      return chunksOf(text).map(({ text: snippet, ...place }, index) => {
        return { ...place, id: `${path}:${index}`, path, isOwn, snippet };
      });
    };
    const each = await Promise.all([
      ...own.filter((name) => name.endsWith('.md')).map((path) => of(user, path, true)),
      ...shared.filter((name) => name.endsWith('.md')).map((path) => of(agent, path, false)),
    ]);
    return each.flat();
  };

  const byMeaning = async (found: readonly Candidate[], query: string, scope: CallScope) => {
    if (embedder === undefined || found.length === 0) return [];
    if (vectors.size > maxKeptVectors) vectors.clear();
    try {
      const texts = new Map(found.map(({ hash, snippet }) => [hash, snippet]));
      const missing = [...texts].filter(([hash]) => !vectors.has(hash));
      const [asked, ...made] = await embedTexts(embedder, [query, ...missing.map(([, text]) => text)], scope);
      for (const [index, [hash]] of missing.entries()) if (made[index] !== undefined) vectors.set(hash, made[index]);
      const scored = found.map((one) => ({ ...one, score: cosine(asked ?? [], vectors.get(one.hash) ?? []) }));
      return scored.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score);
    } catch {
      // The search by words still works.
      return [];
    }
  };

  return {
    // There is nothing to update: each search reads the store.
    put: async () => {},
    remove: async () => {},
    read: (path, scope) => readDocument(table, path, scope),
    async search({ query, ...bounds }, scope) {
      const found = await candidates(scope);
      const words = new WordIndex(found, { text: { weight: 1, textOf: ({ snippet }) => snippet } });
      const byWords = words.scored(query).map(({ item, score }) => ({ ...item, score: score / (score + 1) }));
      return bestOf([byWords, await byMeaning(found, query, scope)], bounds);
    },
  };
}

function cosine(left: readonly number[], right: readonly number[]): number {
  if (left.length === 0 || left.length !== right.length) return 0;
  const dot = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  const length = Math.sqrt(dot(left, left) * dot(right, right));
  return length === 0 ? 0 : Math.min(1, dot(left, right) / length);
}
