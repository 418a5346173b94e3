import * as z from 'zod/v4/mini';
import { ToolError } from '../../core/error.js';
import { inputObject, integer, optional, text, words } from '../../core/schema/fields.js';
import { assertMethods } from '../../core/support/check-values.js';
import { wholeCharacter } from '../../core/text/cut.js';
import { Tool } from '../../core/tool.js';
import { isMemoryName } from '../../files/store/context-and-memory.js';
import type { MemoryHit, MemoryIndex } from './search.js';

const maxSnippetChars = 700;

/** The tools `memory_search` and `memory_get`, in the group `memory`. Throws a TypeError for an invalid index. */
export function memoryTools(index: MemoryIndex): readonly [Tool, Tool] {
  const write = 'memoryTools(memoryIndex({ stores }))';
  assertMethods('memoryTools takes a memory index', index, ['search', 'read'], write);
  const searchTool = Tool.define('memory_search', {
    description: 'Search earlier notes in MEMORY.md and memory/ by words and meaning.',
    input: inputObject({
      query: words(1_000, 'What to look for'),
      max_results: optional(integer('Default 6', { minimum: 1, maximum: 50 })),
      min_score: optional(z.number().check(z.gte(0), z.lte(1))),
    }),
    examples: [{ query: 'how the user likes answers' }],
    sideEffect: 'none',
    groups: ['memory'],
    title: ({ query }) => `Search memory for ${query}`,
    async execute({ query, max_results: maxResults, min_score: minScore }, { caller, signal }) {
      const hits = await index.search({ query, maxResults, minScore }, { caller, signal });
      const placeOf = ({ path, startLine, endLine, score }: MemoryHit) =>
        `${path}:${startLine}-${endLine} (score ${score.toFixed(2)})`;
      const shown = hits.map((hit) => `${placeOf(hit)}\n${cut(hit.snippet)}`);
      const results = hits.map(({ snippet: _, ...place }) => place);
      return { output: shown.join('\n\n') || 'Nothing in memory fits. Try other words.', metadata: { results } };
    },
  });
  const getTool = Tool.define('memory_get', {
    description: 'Read a document that memory_search has found, or some lines of it.',
    input: inputObject({
      path: text('Such as memory/today.md'),
      from: optional(integer('First line, from 1', { minimum: 1 })),
      lines: optional(integer('How many lines', { minimum: 1 })),
    }),
    examples: [{ path: 'MEMORY.md' }],
    sideEffect: 'none',
    groups: ['memory'],
    title: ({ path }) => `Look at ${path} in memory`,
    async execute({ path, from = 1, lines }, { caller, signal }) {
      const document = isMemoryName(path) ? await index.read(path, { caller, signal }) : undefined;
      if (document === undefined)
        throw new ToolError('file_not_found', `There is no memory document ${path}. Find one with memory_search.`);
      const all = document.replace(/\n$/, '').split('\n');
      const part = all.slice(from - 1, lines === undefined ? undefined : from - 1 + lines);
      if (part.length === 0)
        throw new ToolError(
          'invalid_input',
          `from: ${path} has ${all.length} lines; pass a number from 1 to ${all.length}.`,
        );
      return { output: part.join('\n'), metadata: { path, from, lines: part.length, totalLines: all.length } };
    },
  });
  return [searchTool as Tool, getTool as Tool];
}

function cut(snippet: string): string {
  const head = snippet.slice(0, wholeCharacter(snippet, maxSnippetChars));
  return head === snippet ? snippet : `${head}…`;
}
