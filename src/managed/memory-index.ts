import { assertOptions, having, kindOf, type OptionKinds } from '../core/support/option-kinds.js';
import type { DocumentTable } from '../ports/file-store.js';
import type { SqlClient } from '../ports/sql-client.js';
import { documentMemoryIndex } from './document-memory-index.js';
import type { Embedder, MemoryIndex } from './memory-search.js';
import { sqlMemoryIndex } from './sql-memory-index.js';

/** What {@link memoryIndex} works with: a database, or stores of any kind. */
export interface MemoryIndexOptions {
  /** Searches in the database of `managedStores`, over chunks that it keeps in tables. */
  readonly client?: SqlClient | undefined;
  /** Searches in this process, over the documents of `memoryStores` or of a table of one's own. */
  readonly stores?: { readonly memory: DocumentTable } | undefined;
  /** Finds by meaning too. Default: by words alone. */
  readonly embedder?: Embedder | undefined;
}

const optionKinds: OptionKinds<MemoryIndexOptions> = {
  client: having('a SqlClient', 'query', 'transaction'),
  stores: kindOf.record,
  embedder: having('an embedder', 'embed'),
};

/**
 * What finds the documents of memory again: with `client` by the full text search of PostgreSQL, with `stores` by BM25
 * in this process; with an embedder by cosine similarity too, joined by reciprocal rank. An embedding that fails leaves
 * the search by words, and is tried again by the next. Throws a TypeError for options that are none.
 */
export function memoryIndex(options: MemoryIndexOptions): MemoryIndex {
  assertOptions('memoryIndex', options, optionKinds);
  const { client, stores, embedder } = options;
  if (client !== undefined && stores === undefined) return sqlMemoryIndex(client, embedder);
  if (stores !== undefined && client === undefined) return documentMemoryIndex(stores.memory, embedder);
  throw new TypeError('memoryIndex takes either client or stores: write memoryIndex({ client }) for a database');
}
