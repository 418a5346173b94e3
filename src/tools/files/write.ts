import type { output } from 'zod/v4/core';
import { inputObject, text } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { countLines, lineCount } from '../../core/text/lines-and-sizes.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { diffFacts } from '../../editing/diff/by-lines.js';
import type { FileChangeDependencies } from '../content/file-change-dependencies.js';
import {
  currentBytes,
  notAsRead,
  refuseBrokenText,
  shownDiff,
  writeNotes,
  writePlanned,
  zeroNotes,
} from '../content/file-change-steps.js';
import { planRewrite } from '../content/plan-rewrite.js';
import { syntaxNotes } from '../content/syntax-check.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { pathFacts } from './path-facts.js';

const input = lazily(() =>
  inputObject({
    file_path: text('Absolute path', { minLength: 1 }),
    content: text(),
  }),
);

/** Creates a file or replaces its whole content. */
export function writeTool(dependencies: FileChangeDependencies): Tool<output<ReturnType<typeof input>>> {
  const {
    files,
    ledger,
    limits,
    readBeforeWrite = false,
    syntax,
    shown = String,
  } = dependenciesOf('writeTool', dependencies, 'files', 'ledger', 'limits');
  const facts = pathFacts(files, 'exact');
  return Tool.define('Write', {
    description:
      'Create a file, or replace the whole content of one. Missing folders are made. To change a part of a ' +
      'file, use Edit.',
    input: input(),
    sideEffect: 'mutating',
    literalFields: ['content'],
    title: ({ file_path }) => `Write ${facts.display(file_path)}`,
    preview: ({ file_path, content }) => `${facts.display(file_path)} (${lineCount(countLines(content))})\n${content}`,
    advice: () => 'Write replaces a whole file.',
    targets: ({ file_path }) => facts.edits(file_path),
    footprint: ({ file_path }) => facts.editFootprint(file_path),
    verdict: ({ file_path }) => facts.objection(file_path),
    async execute({ file_path, content }, context): Promise<ToolResult> {
      refuseBrokenText(content, 'content');
      const { update, planned } = await writePlanned(
        files,
        file_path,
        async (current) => {
          const isKnowable = current !== undefined && current.stat.size <= limits.maxFileBytes;
          const before = isKnowable
            ? await currentBytes(current, file_path, files, limits.maxFileBytes, context)
            : undefined;
          if (current !== undefined) {
            const state = ledger.compare(context.caller, current.stat.path, current.stat.version, before);
            if (state === 'stale' || (readBeforeWrite && state === 'unseen')) throw notAsRead(current.stat.path, state);
          }
          const path = current?.stat.path ?? file_path;
          const isTooLarge = current !== undefined && before === undefined;
          const old = { before: isTooLarge ? ('too-large' as const) : before, path };
          return { ...planRewrite(old, content, dependencies), before };
        },
        context,
        'exact',
      );
      const { slices, notes } = planned;
      const diff = shownDiff(update, planned.diff);
      ledger.noteWritten(context.caller, update.path, update.stat.version, slices);
      const verb = update.created ? 'Created' : 'Updated';
      const lines = countLines(content);
      const change = update.created || diff === undefined ? '' : `, +${diff.added} -${diff.removed}`;
      return {
        output: [
          `${verb} ${shown(update.path)} (${lineCount(lines)}${change}).`,
          ...notes.map((note) => `[${note}]`),
          ...writeNotes(update, file_path),
          ...zeroNotes(content, slices),
          ...(await syntaxNotes(syntax, update.path, planned.before, slices)),
        ].join('\n'),
        title: `Write ${facts.display(update.path)}`,
        metadata: {
          filePath: update.path,
          type: update.created ? 'create' : 'update',
          lineCount: lines,
          size: update.stat.size,
          ...diffFacts(diff, update.created ? undefined : update.path, update.path),
        },
      };
    },
  });
}
