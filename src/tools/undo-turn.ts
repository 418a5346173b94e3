import type { output } from 'zod/v4/core';
import { ToolError } from '../core/error.js';
import { Tool, type ToolResult } from '../core/tool.js';
import type { FileChange } from '../files/file-change.js';
import { pathFacts } from '../files/path-facts.js';
import { requireAsLeft, undoChange } from '../files/undo-change.js';
import { describeUndone } from '../files/undo-report.js';
import { inputObject } from './input-object.js';
import type { UndoDependencies } from './undo-file.js';

const input = () => inputObject(() => ({}));

/** Takes back all changes of the latest turn that changed files. */
export function undoTurnTool({ files, changes, ledger, limits }: UndoDependencies): Tool<output<ReturnType<typeof input>>> {
  const facts = pathFacts(files);
  return Tool.define('UndoTurn', {
    description: 'Take back every change that tools made to files in the latest turn that changed any. Repeat it to go further back.',
    input: input(),
    sideEffect: 'mutating',
    groups: ['fs'],
    title: () => 'Undo the last turn',
    targets: async (_input, { caller }) => (await Promise.all(changes.turnPaths(caller).map((path) => facts.edits(path)))).flat(),
    async verdict(_input, { caller }) {
      const objections = await Promise.all(changes.turnPaths(caller).map((path) => facts.objection(path)));
      return objections.find((objection) => objection !== undefined);
    },
    async execute(_input, context): Promise<ToolResult> {
      const turn = changes.lastTurn(context.caller);
      if (turn.length === 0) throw new ToolError('no_change', 'There is no change to undo in this session.');
      for (const change of lastOfEachFile(turn)) await requireAsLeft(files, change, context);
      const reports: string[] = [];
      for (const change of turn) {
        const undone = await undoChange(files, change, context);
        changes.drop(change);
        if (undone.update !== undefined) ledger.noteWritten(context.caller, undone.update.path, undone.update.stat.version, [undone.after]);
        reports.push(describeUndone(undone, limits.maxDiffLines).text);
      }
      return { output: reports.join('\n\n'), metadata: { files: [...new Set(turn.map(({ path }) => path))], changes: turn.length } };
    },
  });
}

// The turn is newest first; what comes before a file's last change is checked as it is undone.
function lastOfEachFile(turn: readonly FileChange[]): FileChange[] {
  return turn.filter((change, index) => turn.findIndex(({ path }) => path === change.path) === index);
}
