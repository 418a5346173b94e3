import { assertOptions, having, kindOf, type OptionKinds } from '../../core/support/check-values.js';
import type { DocumentTable } from '../../ports/file-store.js';
import type { SqlClient } from '../../ports/sql-client.js';
import { documentMemoryIndex } from './document-index.js';
import type { Embedder, MemoryIndex } from './search.js';
import { sqlMemoryIndex } from './sql-index.js';

/** Options of {@link memoryIndex}: a database, or stores of any kind. */
export interface MemoryIndexOptions {
  /** The database of `managedStores`. Chunks are stored in tables and found by the full-text search of PostgreSQL. */
  readonly client?: SqlClient | undefined;
  /** `memoryStores` or another document table. This process ranks the documents by BM25. */
  readonly stores?: { readonly memory: DocumentTable } | undefined;
  /** Adds search by meaning. Default: only by words. */
  readonly embedder?: Embedder | undefined;
}

const optionKinds: OptionKinds<MemoryIndexOptions> = {
  client: having('a SqlClient', 'query', 'transaction'),
  stores: kindOf.record,
  embedder: having('an embedder', 'embed'),
};

/**
 * Creates an index of memory documents. It ranks by words. With an embedder, it also ranks by cosine similarity and
 * combines both by reciprocal rank fusion. If an embedding fails, the search uses only words, and the next search tries
 * again. Throws a TypeError for invalid options.
 */
export function memoryIndex(options: MemoryIndexOptions): MemoryIndex {
  assertOptions('memoryIndex', options, optionKinds);
  const { client, stores, embedder } = options;
  if (client !== undefined && stores === undefined) return sqlMemoryIndex(client, embedder);
  if (stores !== undefined && client === undefined) return documentMemoryIndex(stores.memory, embedder);
  throw new TypeError('memoryIndex takes either client or stores: write memoryIndex({ client }) for a database');
}
