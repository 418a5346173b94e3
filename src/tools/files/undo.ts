import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { inputObject, text } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { FileChanges } from '../../files/undo/change-log.js';
import { notOnRecord, planTurn, unrecordedChanges } from '../../files/undo/plan-turn.js';
import { putBack, type UndoneChange, undoChange } from '../../files/undo/revert-change.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { ReadLedger } from '../../sessions/read-ledger.js';
import { diffOfFiles } from '../content/file-change-steps.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { pathFacts } from './path-facts.js';

/** Describes an undone change, with a diff if the file is text. */
export function describeUndone(
  { change, update, before, after }: UndoneChange,
  maxDiffLines: number,
): { readonly text: string; readonly diff: string } {
  const action =
    update === undefined ? `Removed ${change.path}, which did not exist before` : `Restored ${change.path}`;
  const by = change.callId === undefined ? '' : ` (change of call ${change.callId})`;
  const diff = change.isFromOutside === true ? '' : (diffOfFiles(before, after, maxDiffLines)?.text ?? '');
  return { text: `${action}${by}.${diff === '' || update === undefined ? '' : `\n${diff}`}`, diff };
}

const fileInput = lazily(() =>
  inputObject({
    file_path: text('Absolute path', { minLength: 1 }),
  }),
);

/** The dependencies of the undo tools. */
export interface UndoDependencies {
  /** A file system that does not record changes. Otherwise the next undo would undo this undo. */
  readonly files: FileSystem;
  readonly changes: FileChanges;
  readonly ledger: ReadLedger;
  readonly limits: Limits['write'];
}

function checked(factory: string, dependencies: UndoDependencies): UndoDependencies {
  return dependenciesOf(factory, dependencies, 'files', 'changes', 'ledger', 'limits');
}

/** Undoes the last change of one file. */
export function undoFileTool(dependencies: UndoDependencies): Tool<output<ReturnType<typeof fileInput>>> {
  const { files, changes, ledger, limits } = checked('undoFileTool', dependencies);
  const facts = pathFacts(files);
  return Tool.define('UndoFile', {
    description: 'Take back the last change that a tool made to a file; repeat to go further back.',
    input: fileInput(),
    sideEffect: 'mutating',
    title: ({ file_path }) => `Undo ${facts.display(file_path)}`,
    targets: ({ file_path }) => facts.edits(file_path),
    footprint: ({ file_path }) => facts.editFootprint(file_path),
    verdict: ({ file_path }) => facts.objection(file_path),
    async execute({ file_path }, context): Promise<ToolResult> {
      const path = await files.resolve(file_path, context);
      const change = changes.lastOf(context.caller, path);
      if (change === undefined)
        throw new ToolError('no_change', `This session has no recorded change of ${path} that can be undone.`);
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

const turnInput = lazily(() => inputObject({}));

/** Undoes all changes of the latest turn that changed files. If one file cannot be restored, no file is. */
export function undoTurnTool(dependencies: UndoDependencies): Tool<output<ReturnType<typeof turnInput>>> {
  const { files, changes, ledger, limits } = checked('undoTurnTool', dependencies);
  const facts = pathFacts(files);
  return Tool.define('UndoTurn', {
    description:
      'Take back every change that tools made to files in the latest turn with changes. Repeat it to go further back.',
    input: turnInput(),
    sideEffect: 'mutating',
    title: () => 'Undo the last turn',
    targets: async (_input, { caller }) =>
      (await Promise.all(changes.turnPaths(caller).map((path) => facts.edits(path)))).flat(),
    async verdict(_input, { caller }) {
      const objections = await Promise.all(changes.turnPaths(caller).map((path) => facts.objection(path)));
      return objections.find((objection) => objection !== undefined);
    },
    async execute(_input, context): Promise<ToolResult> {
      const turn = changes.lastTurn(context.caller);
      if (turn.length === 0) throw nothing(await unrecordedChanges(files, changes, turn, context));
      if (turn.some((change) => changes.isTurnCut(change))) throw cut();
      const { stays, left } = await planTurn(files, turn, context);
      if (stays.length > 0) throw refused(stays);
      const undone: UndoneChange[] = [];
      try {
        for (const change of left) undone.push(await undoChange(files, change, context));
      } catch (thrown) {
        const failed = await putBack(files, undone, context);
        throw failed.length === 0 ? thrown : notPutBack(failed, thrown);
      }
      for (const change of turn) changes.drop(change);
      for (const { update, after } of undone)
        if (update !== undefined) ledger.noteWritten(context.caller, update.path, update.stat.version, [after]);
      const reports = undone.map((each) => describeUndone(each, limits.maxDiffLines).text);
      if (left.length < turn.length) reports.push('[The other changes of the turn had been taken back before]');
      const unrecorded = await unrecordedChanges(files, changes, turn, context);
      if (unrecorded !== '') reports.push(`[${unrecorded}]`);
      const paths = [...new Set(turn.map(({ path }) => path))];
      return { output: reports.join('\n\n'), metadata: { files: paths, changes: turn.length } };
    },
  });
}

const whole = 'The latest turn that changed files cannot be taken back whole. Nothing was undone.';
const oneByOne = 'one by one with UndoFile, which also reaches earlier turns.';

function nothing(unrecorded: string): ToolError {
  const next =
    unrecorded === '' ? '' : ` ${unrecorded} Change them back with Edit, or restore them from version control.`;
  return new ToolError('no_change', `There is no further change to undo in this session.${next}`);
}

function cut(): ToolError {
  return new ToolError(
    'limit_reached',
    `${whole} It made more changes than are kept on record, and the oldest are dropped. Take the others back ${oneByOne}`,
  );
}

function refused(stays: readonly { readonly path: string; readonly why: string }[]): ToolError {
  const files = stays.map(({ path, why }) => `${path} stays: ${why}.`).join(' ');
  return new ToolError('file_changed', `${whole} ${files} Take back its other files ${oneByOne}`, {
    metadata: { left: stays.map(({ path }) => path) },
  });
}

function notPutBack(paths: readonly string[], cause: unknown): ToolError {
  return new ToolError(
    'storage_failed',
    `Undoing the turn failed half way: ${ToolError.from(cause).message} The changes of the turn are in place again, ` +
      `except in these files, which are as they were before the turn: ${paths.join(', ')}. Read them, and write them again if needed.`,
    { cause, metadata: { left: paths } },
  );
}
