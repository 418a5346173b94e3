import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { inputObject, optional, text } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { FileSystem, GlobResult } from '../../ports/file-system.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { inOneLine, searchAdvice, unreadableNotice } from '../support/search-output.js';
import { pathFacts } from './path-facts.js';

const input = lazily(() =>
  inputObject({
    pattern: text('Glob such as "src/**/*.ts"', { minLength: 1 }),
    path: optional(text('Absolute folder; default: the root', { minLength: 1 })),
  }),
);

/** The dependencies of Glob. */
export interface GlobDependencies {
  readonly files: FileSystem;
  readonly limits: Limits['glob'];
  /** Formats a path for a result. Default: unchanged, absolute. */
  readonly shown?: ((path: string) => string) | undefined;
}

/** Finds files by name, newest first. */
export function globTool(dependencies: GlobDependencies): Tool<output<ReturnType<typeof input>>> {
  const { files, limits, shown = String } = dependenciesOf('globTool', dependencies, 'files', 'limits');
  const facts = pathFacts(files);
  return Tool.define('Glob', {
    description:
      'Find files whose path fits a glob pattern, newest first. Git-ignored files are left out unless the pattern ' +
      'names their folder.',
    input: input(),
    sideEffect: 'none',
    title: ({ pattern, path }) =>
      path === undefined ? `Glob ${pattern}` : `Glob ${pattern} in ${facts.display(path)}`,
    advice: () => searchAdvice,
    targets: ({ path }) => facts.reads(path ?? files.root),
    async execute({ pattern, path }, context): Promise<ToolResult> {
      const found = await files.glob({ pattern, path, maxFiles: limits.maxFiles, limits }, context);
      if (found.timedOut && found.paths.length === 0) throw tooSlow();
      const { paths, total, timedOut, ignored, unreadable } = found;
      const metadata = { count: total, truncated: total > paths.length, timedOut, ignored, unreadable };
      return { output: describe(found, shown), metadata };
    },
  });
}

function describe(found: GlobResult, shown: (path: string) => string): string {
  const { paths, total, timedOut, ignored = 0, unreadable = 0 } = found;
  const lines = paths.length === 0 ? ['No files found'] : paths.map((path) => inOneLine(shown(path)));
  if (paths.length === 0 && ignored > 0)
    lines.push('[Git-ignored files were left out. To search an ignored folder, write its name into the pattern]');
  if (total > paths.length) lines.push(`[${total - paths.length} more; narrow the pattern]`);
  if (timedOut)
    lines.push('[The time limit ended the search; there may be more and newer files. Narrow the pattern or the path]');
  lines.push(...unreadableNotice(unreadable));
  return lines.join('\n');
}

function tooSlow(): ToolError {
  return new ToolError(
    'timeout',
    'The search reached its time limit before it found a file. Narrow the pattern or start in a deeper folder.',
  );
}
