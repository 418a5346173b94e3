import type { output } from 'zod/v4/core';
import { mcpNumbers } from '../../core/fixed-limits.js';
import { inputObject, integer, optional, text } from '../../core/schema/fields.js';
import { didYouMean } from '../../core/support/near-names.js';
import { lazily } from '../../core/support/once.js';
import type { WordIndex } from '../../core/text/word-index.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import type { KnownMcpTool, McpCatalogue } from './catalogue.js';
import { mcpLine } from './content-reader.js';

const { maxFoundTools } = mcpNumbers;
const defaultResults = 5;
const maxQueryChars = 10_000;

const input = lazily(() =>
  inputObject({
    query: text('Words, or select:name,name', { minLength: 1 }),
    max_results: optional(integer(undefined, { minimum: 1 })),
  }),
);

/** The dependencies of ToolSearch. */
export interface ToolSearchDependencies {
  /** Called once for each call of ToolSearch. */
  readonly catalogue: () => McpCatalogue;
}

const searched = {
  tool: { weight: 2, textOf: ({ origin }: KnownMcpTool) => origin.tool },
  server: { weight: 1, textOf: ({ origin }: KnownMcpTool) => origin.server },
  description: { weight: 1, textOf: ({ description }: KnownMcpTool) => description },
};

/** Finds deferred tools and makes the found tools available to the session. */
export function toolSearchTool(dependencies: ToolSearchDependencies): Tool<output<ReturnType<typeof input>>> {
  const { catalogue } = dependenciesOf('toolSearchTool', dependencies, 'catalogue');
  let index: WordIndex<KnownMcpTool> | undefined;
  const ranked = async (query: string, tools: readonly KnownMcpTool[]) => {
    const { WordIndex: Index } = await import('../../core/text/word-index.js');
    if (index?.holds(tools) !== true) index = new Index(tools, searched);
    return index.search(query);
  };
  return Tool.define('ToolSearch', {
    description: 'Find further tools, which can be called from then on.',
    input: input(),
    sideEffect: 'none',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ query }) => `ToolSearch ${query}`,
    async execute({ query, max_results = defaultResults }, { caller }): Promise<ToolResult> {
      const known = catalogue();
      const tools = known.of(caller, 'deferred');
      const { found: all, notes } = query.startsWith('select:')
        ? selected(query.slice('select:'.length, maxQueryChars), known.of(caller))
        : { found: (await ranked(query.slice(0, maxQueryChars), tools)).slice(0, max_results), notes: [] };
      const found = all.slice(0, maxFoundTools);
      if (all.length > maxFoundTools)
        notes.push(`[${all.length - maxFoundTools} more found; one call shows at most ${maxFoundTools}]`);
      const shown = found.map(({ name, description }) => {
        const tool = known.load(name, caller);
        return `${name}: ${description}${tool === undefined ? '' : `\nInput: ${JSON.stringify(tool.input.json)}`}`;
      });
      const nothing = `None of ${tools.length} tools matches these words. Try other words, or a single word.`;
      return {
        output: [...(shown.length + notes.length === 0 ? [nothing] : shown), ...notes].join('\n\n'),
        metadata: { query, found: found.map(({ name }) => name) },
      };
    },
  });
}

function selected(list: string, tools: readonly KnownMcpTool[]) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const names = [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const missing = names.filter((name) => !byName.has(name));
  return {
    found: names.flatMap((name) => byName.get(name) ?? []),
    notes: missing.map((name) => `No tool is called ${mcpLine(name, 100)}.${didYouMean(name, byName.keys())}`),
  };
}
