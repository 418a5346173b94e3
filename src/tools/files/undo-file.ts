import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { inputObject, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { FileChanges } from '../../files/undo/file-changes.js';
import { notOnRecord } from '../../files/undo/plan.js';
import { undoChange } from '../../files/undo/revert-change.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { ReadLedger } from '../../sessions/read-ledger.js';
import { dependenciesOf } from '../support/dependencies.js';
import { describeUndone } from './describe-undone.js';
import { pathFacts } from './path-facts.js';

const input = lazily(() =>
  inputObject({
    file_path: text('Absolute path', { minLength: 1 }),
  }),
);

/** The dependencies of the undo tools. */
export interface UndoDependencies {
  /** Files that do not record changes: an undo must not be undone by the next one. */
  readonly files: FileSystem;
  readonly changes: FileChanges;
  readonly ledger: ReadLedger;
  readonly limits: Limits['write'];
}

/** Undoes the last change of one file. */
export function undoFileTool(dependencies: UndoDependencies): Tool<output<ReturnType<typeof input>>> {
  const { files, changes, ledger, limits } = dependenciesOf(
    'undoFileTool',
    dependencies,
    'files',
    'changes',
    'ledger',
    'limits',
  );
  const facts = pathFacts(files);
  return Tool.define('UndoFile', {
    description: 'Take back the last change that a tool made to a file; repeat to go further back.',
    input: input(),
    sideEffect: 'mutating',
    title: ({ file_path }) => `Undo ${facts.display(file_path)}`,
    targets: ({ file_path }) => facts.edits(file_path),
    footprint: ({ file_path }) => facts.editFootprint(file_path),
    verdict: ({ file_path }) => facts.objection(file_path),
    async execute({ file_path }, context): Promise<ToolResult> {
      const path = await files.resolve(file_path, context);
      const change = changes.lastOf(context.caller, path);
      if (change === undefined)
        throw new ToolError(
          'no_change',
          `There is no change of ${path} on record that could be undone in this session.`,
        );
      if (change.isTooLarge === true) throw notOnRecord(path);
      const undone = await undoChange(files, change, context);
      changes.drop(change);
      const { update, after } = undone;
      if (update !== undefined) ledger.noteWritten(context.caller, update.path, update.stat.version, [after]);
      const { text, diff } = describeUndone(undone, limits.maxDiffLines);
      return { output: text, metadata: { filePath: path, operation: change.operation, callId: change.callId, diff } };
    },
  });
}
