import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { inputObject, integer, optional, text } from '../../core/schema/fields.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { FileEntry, FileSystem } from '../../ports/file-system.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { inOneLine } from '../support/search-output.js';
import { pathFacts } from './path-facts.js';

const inputOf = ({ maxEntries }: Limits['list']) =>
  inputObject({
    path: text('Absolute folder, or a file for its size and time', { minLength: 1 }),
    limit: optional(integer(`Default ${maxEntries}`, { minimum: 1 })),
    glob: optional(text('Only names that fit, such as "*.ts"', { minLength: 1 })),
  });

/** The dependencies of List. */
export interface ListDependencies {
  readonly files: FileSystem;
  readonly limits: Limits['list'];
}

/** Shows the names in one folder, or the size and time of a file. */
export function listTool(dependencies: ListDependencies): Tool<output<ReturnType<typeof inputOf>>> {
  const { files, limits } = dependenciesOf('listTool', dependencies, 'files', 'limits');
  const facts = pathFacts(files);
  return Tool.define('List', {
    description: 'List the names in one folder; folders end with a slash, links show their target.',
    input: inputOf(limits),
    examples: [{ path: '/repo/src' }],
    sideEffect: 'none',
    title: ({ path }) => `List ${facts.display(path)}`,
    targets: ({ path }) => facts.reads(path),
    async execute({ path, limit = limits.maxEntries, glob }, context): Promise<ToolResult> {
      const stat = await files.stat(path, context);
      if (stat !== undefined && stat.kind !== 'directory') {
        const changed = new Date(stat.mtimeMs).toISOString();
        const output = `${inOneLine(stat.path)}: ${stat.kind}, ${formatSize(stat.size)}, changed ${changed}`;
        return { output, metadata: { kind: stat.kind, size: stat.size, mtimeMs: stat.mtimeMs } };
      }
      const fits = glob === undefined ? undefined : await nameMatcher(glob);
      const all = await files.list(path, context);
      const found = fits === undefined ? all : all.filter(({ name }) => fits(name));
      const lines = found.slice(0, limit).map(lineOf);
      if (found.length > limit) lines.push(`[${found.length - limit} more; pass glob, or a larger limit]`);
      const none = all.length === 0 ? 'Empty folder' : 'No names fit';
      return { output: lines.join('\n') || none, metadata: { count: found.length, truncated: found.length > limit } };
    },
  });
}

function lineOf({ name, kind, link }: FileEntry): string {
  const shown = inOneLine(name);
  if (link !== undefined) return `${shown} -> ${inOneLine(link)}`;
  return kind === 'directory' ? `${shown}/` : shown;
}

async function nameMatcher(glob: string): Promise<(name: string) => boolean> {
  const { globTest } = await import('../../files/search/glob/to-regex.js');
  try {
    return await globTest(glob);
  } catch (cause) {
    throw new ToolError('invalid_input', `glob: ${ToolError.from(cause).message}. Pass one such as "*.ts".`, { cause });
  }
}
