import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { inputObject, integer, list, optional, text } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { FileSystem } from '../../ports/file-system.js';
import { pathFacts } from '../files/path-facts.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const input = lazily(() =>
  inputObject({
    path: text('Absolute file or folder', { minLength: 1 }),
    view_range: optional(list(integer(), 'First and last line, -1 for the end', { minItems: 2, maxItems: 2 })),
  }),
);

/** The dependencies of View. */
export interface ViewDependencies {
  readonly files: FileSystem;
  readonly read: Tool<{ file_path: string; offset?: number | undefined; limit?: number | undefined }>;
  readonly list: Tool<{ path: string }>;
}

/** Shows a file as Read does, or a folder as List does: `view` of Anthropic's native text editor tool. */
export function viewTool(dependencies: ViewDependencies): Tool<output<ReturnType<typeof input>>> {
  const { files, read, list: names } = dependenciesOf('viewTool', dependencies, 'files', 'read', 'list');
  const facts = pathFacts(files);
  return Tool.define('View', {
    description: 'Show a file with line numbers, or the names in a folder.',
    input: input(),
    sideEffect: 'none',
    maxOutputChars: read.maxOutputChars,
    title: ({ path }) => `View ${facts.display(path)}`,
    targets: ({ path }) => facts.reads(path),
    footprint: ({ path }) => facts.readFootprint(path),
    async execute({ path, view_range: [first = 1, last = -1] = [] }, context): Promise<ToolResult> {
      if ((await files.stat(path, context))?.kind === 'directory') return await names.execute({ path }, context);
      const offset = Math.max(1, first);
      if (last !== -1 && last < offset)
        throw new ToolError(
          'invalid_input',
          `view_range: the last line, ${last}, is before the first, ${offset}. Pass -1 as the last line for the end.`,
        );
      const limit = last === -1 ? undefined : last - offset + 1;
      return await read.execute({ file_path: path, offset, limit }, context);
    },
  });
}
