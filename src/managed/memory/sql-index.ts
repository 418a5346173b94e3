import type { CallScope } from '../../core/context.js';
import { agentOf, userOf } from '../../ports/owner-of-caller.js';
import type { SqlClient, SqlRow } from '../../ports/sql-client.js';
import { sqlDocuments } from '../stores/documents.js';
import { chunksOf } from './chunks.js';
import {
  bestOf,
  type Embedder,
  embedBatch,
  embedTexts,
  type FoundChunk,
  type MemoryIndex,
  readDocument,
} from './search.js';

/** Limit of chunks from each search method. */
const maxCandidates = 50;

/**
 * The documents `d` that user `$2` of agent `$1` sees. A document of the user hides a document of the agent with the
 * same name.
 */
const visible = `d.agent_id IS NOT DISTINCT FROM $1::text AND d.name LIKE '%.md' AND (d.user_id = $2::text
  OR (d.user_id IS NULL AND NOT EXISTS (SELECT FROM memory_documents own
    WHERE own.agent_id IS NOT DISTINCT FROM $1::text AND own.user_id = $2::text AND own.name = d.name)))`;
const chunks = `memory_chunks c JOIN memory_documents d ON d.id = c.document_id`;
const columns = 'c.id, c.start_line, c.end_line, c.content, d.name, d.user_id';

/** Ranks chunks with every word before chunks with some words; `-word` in a query excludes a word. */
const byWords = `
  WITH asked AS (SELECT websearch_to_tsquery('english', $3) AS every),
    query AS (SELECT every, CASE WHEN every::text LIKE '%!%' THEN every
      ELSE replace(every::text, ' & ', ' | ')::tsquery END AS some FROM asked)
  SELECT ${columns}, ts_rank_cd('{1,1,1,1}', c.words, query.some, 32) AS score FROM ${chunks}, query
  WHERE ${visible} AND c.words @@ query.some
  ORDER BY c.words @@ query.every DESC, score DESC, c.id LIMIT ${maxCandidates}`;

/** Cosine similarity, by pgvector if it is installed. */
const similarity = (hasVector: boolean) =>
  hasVector
    ? '1 - (c.embedding::vector <=> $3::real[]::vector)'
    : '(SELECT sum(a * b) / nullif(sqrt(sum(a * a) * sum(b * b)), 0) FROM unnest(c.embedding, $3::real[]) AS pair(a, b))';
const byMeaning = (hasVector: boolean) => `
  SELECT * FROM (SELECT ${columns}, ${similarity(hasVector)} AS score FROM ${chunks}
    WHERE ${visible} AND c.embedding_model = $4 AND cardinality(c.embedding) = cardinality($3::real[])) AS found
  WHERE score > 0 ORDER BY score DESC, id LIMIT ${maxCandidates}`;

/** Replaces the chunks of document `$1`; a chunk with unchanged text keeps its embedding. */
const replaceChunks = `
  WITH old AS (DELETE FROM memory_chunks WHERE document_id = $1 RETURNING hash, embedding_model, embedding),
    known AS (SELECT DISTINCT ON (hash) * FROM old)
  INSERT INTO memory_chunks (document_id, start_line, end_line, hash, content, embedding_model, embedding)
  SELECT $1, made."startLine", made."endLine", made.hash, made.text, known.embedding_model, known.embedding
  FROM json_to_recordset($2::json) AS made("startLine" integer, "endLine" integer, hash text, text text)
  LEFT JOIN known USING (hash)`;

/** An index in the database. Chunks and embeddings are made when a document is written, or at the next search. */
export function sqlMemoryIndex(client: SqlClient, embedder: Embedder | undefined): MemoryIndex {
  const documents = sqlDocuments(client, 'memory_documents');
  const ownerOf = (scope: CallScope) => [agentOf(scope).agentId, userOf(scope).userId];

  const chunkChanged = async (scope: CallScope): Promise<void> => {
    const changed = `SELECT d.id FROM memory_documents d WHERE ${visible} AND d.chunked_version IS DISTINCT FROM d.version`;
    for (const { id } of (await client.query(changed, ownerOf(scope))).rows)
      await client.transaction(async (queries) => {
        const text = 'SELECT content, version FROM memory_documents WHERE id = $1 FOR UPDATE';
        const [found] = (await queries.query(text, [String(id)])).rows;
        if (found === undefined) return;
        // PostgreSQL does not store NUL in text.
        const document = Buffer.from(found.content as Uint8Array).toString('utf8');
        await queries.query(replaceChunks, [String(id), JSON.stringify(chunksOf(document.replaceAll('\0', ' ')))]);
        const note = 'UPDATE memory_documents SET chunked_version = $2 WHERE id = $1';
        await queries.query(note, [String(id), String(found.version)]);
      });
  };

  /** Embeds each chunk without an embedding of this model and size. */
  const embedMissing = async (by: Embedder, scope: CallScope): Promise<void> => {
    const text = `SELECT c.id, c.content FROM ${chunks} WHERE ${visible}
      AND (c.embedding_model IS DISTINCT FROM $3 OR cardinality(c.embedding) <> $4) ORDER BY c.id LIMIT ${embedBatch}`;
    for (;;) {
      const { rows } = await client.query(text, [...ownerOf(scope), by.model, by.dimensions]);
      if (rows.length === 0) return;
      const texts = rows.map(({ content }) => String(content));
      const vectors = await embedTexts(by, texts, scope);
      const made = rows.map(({ id }, index) => ({ id, embedding: arrayOf(vectors[index] ?? []) }));
      await client.query(
        `UPDATE memory_chunks SET embedding_model = $1, embedding = made.embedding::real[]
        FROM json_to_recordset($2::json) AS made(id uuid, embedding text) WHERE memory_chunks.id = made.id`,
        [by.model, JSON.stringify(made)],
      );
    }
  };

  const foundByMeaning = async (query: string, scope: CallScope): Promise<readonly SqlRow[]> => {
    if (embedder === undefined) return [];
    try {
      await embedMissing(embedder, scope);
      const [asked = []] = await embedTexts(embedder, [query], scope);
      const [{ installed } = {}] = (await client.query("SELECT to_regtype('vector') IS NOT NULL AS installed")).rows;
      const given = [...ownerOf(scope), arrayOf(asked), embedder.model];
      return (await client.query(byMeaning(installed === true), given)).rows;
    } catch {
      // The search by words still works.
      return [];
    }
  };

  return {
    async put(_path, _text, scope) {
      await chunkChanged(scope);
      if (embedder !== undefined) await embedMissing(embedder, scope);
    },
    // The database deletes the chunks of a document together with the document.
    remove: async () => {},
    read: (path, scope) => readDocument(documents, path, scope),
    async search({ query, ...bounds }, scope) {
      await chunkChanged(scope);
      const words = (await client.query(byWords, [...ownerOf(scope), query])).rows;
      const meaning = await foundByMeaning(query, scope);
      return bestOf([words.map(foundOf), meaning.map(foundOf)], bounds);
    },
  };
}

function foundOf({ id, user_id, name, start_line, end_line, content, score }: SqlRow): FoundChunk {
  return {
    ...{ id: String(id), isOwn: user_id !== null, path: String(name), snippet: String(content) },
    ...{ startLine: Number(start_line), endLine: Number(end_line), score: Math.min(1, Number(score)) },
  };
}

/** An array in the syntax of PostgreSQL. */
const arrayOf = (vector: readonly number[]) => `{${vector.join(',')}}`;
