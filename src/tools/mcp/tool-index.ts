import MiniSearch from 'minisearch';
import type { KnownMcpTool } from './known-mcp-tool.js';

// What a request has around what it is about.
const fillers: ReadonlySet<string> = new Set(
  `a an and any are as at be by can could do does for from give have help how i if in into is it its let like look me my
  need of on or our please should show so some tell that the their them there these this to us use using via want was we
  what when where which who will with would you your`.split(/\s+/),
);

/** Tools by the words of their names and descriptions, ranked by BM25. */
export class ToolIndex {
  readonly #tools: readonly KnownMcpTool[];
  readonly #index: MiniSearch<KnownMcpTool>;

  constructor(tools: readonly KnownMcpTool[]) {
    this.#tools = tools;
    this.#index = new MiniSearch<KnownMcpTool>({
      idField: 'name',
      fields: ['tool', 'server', 'description'],
      extractField: (tool, field) =>
        field === 'description' || field === 'name' ? tool[field] : tool.origin[field as 'tool'],
      tokenize: (text) => text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? [],
      processTerm: (term) => stemOf(term.toLowerCase()),
    });
    this.#index.addAll(tools);
  }

  /** Whether it is made of just these. */
  holds(tools: readonly KnownMcpTool[]): boolean {
    return tools.length === this.#tools.length && tools.every((tool, index) => tool === this.#tools[index]);
  }

  /** The names of those that have words of the query, the best first. */
  search(query: string): readonly string[] {
    const options = { boost: { tool: 2 }, prefix: (term: string) => term.length > 3 };
    const processTerm = (term: string) => !fillers.has(term.toLowerCase()) && stemOf(term.toLowerCase());
    return this.#index.search(query, { ...options, processTerm }).map(({ id }) => String(id));
  }
}

/** Verbs and nouns without their endings, so that each form of a word is found by any other. */
function stemOf(word: string): string {
  return word.length < 4 ? word : word.replace(/(?<=\p{L}{3})(?:ing|ed|es|e|s|y|ies)$/u, '');
}
