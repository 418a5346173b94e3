import type { output } from 'zod/v4/core';
import type { ToolContext } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { lazily } from '../core/support/lazy-value.js';
import { Tool, type ToolResult } from '../core/tool.js';
import { pathFacts } from '../files/paths/path-facts.js';
import type { FileChange } from '../files/undo/file-change.js';
import { undoChange } from '../files/undo/undo-change.js';
import { planUndo, type StayingFile } from '../files/undo/undo-plan.js';
import { describeUndone } from '../files/undo/undo-report.js';
import { inputObject } from './support/input-object.js';
import type { UndoDependencies } from './undo-file.js';

const input = lazily(() => inputObject({}));

/**
 * Takes back all changes of the latest turn that changed files. Where some of its files have to stay as they are, it
 * refuses and names them; asked once more it takes back the others. A turn of which all has to stay is refused and
 * passed over, so that the one before can be reached.
 */
export function undoTurnTool({
  files,
  changes,
  ledger,
  limits,
}: UndoDependencies): Tool<output<ReturnType<typeof input>>> {
  const facts = pathFacts(files);
  const takeBack = async (change: FileChange, context: ToolContext): Promise<string> => {
    const undone = await undoChange(files, change, context);
    changes.drop(change);
    if (undone.update !== undefined)
      ledger.noteWritten(context.caller, undone.update.path, undone.update.stat.version, [undone.after]);
    return describeUndone(undone, limits.maxDiffLines).text;
  };
  return Tool.define('UndoTurn', {
    description:
      'Take back every change that tools made to files in the latest turn that changed any. Repeat it to go ' +
      'further back.',
    input: input(),
    sideEffect: 'mutating',
    groups: ['fs'],
    title: () => 'Undo the last turn',
    targets: async (_input, { caller }) =>
      (await Promise.all(changes.turnPaths(caller).map((path) => facts.edits(path)))).flat(),
    async verdict(_input, { caller }) {
      const objections = await Promise.all(changes.turnPaths(caller).map((path) => facts.objection(path)));
      return objections.find((objection) => objection !== undefined);
    },
    async execute(_input, context): Promise<ToolResult> {
      const turn = changes.lastTurn(context.caller);
      if (turn.length === 0) throw new ToolError('no_change', 'There is no further change to undo in this session.');
      const { back, stays } = await planUndo(files, turn, context);
      const left = turn.filter((change) => !back.includes(change));
      if (back.length === 0) {
        changes.passOver(left);
        throw refused(stays, 'UndoTurn, called again, goes on with the turn before.');
      }
      if (stays.length > 0) {
        const refusal = refused(
          stays,
          `UndoTurn, called again, leaves that and takes back the rest: ${pathsOf(back).join(', ')}.`,
        );
        if (!changes.repeatsRefusal(context.caller, `${turn[0]?.turn} ${refusal.message}`)) throw refusal;
      }
      const reports: string[] = [];
      for (const change of back)
        reports.push(await takeBack(change, context).catch((thrown) => Promise.reject(halfway(thrown, reports))));
      changes.passOver(left);
      return {
        output: [...reports, ...notes(stays, turn)].join('\n\n'),
        metadata: {
          files: pathsOf(back),
          changes: back.length,
          ...(stays.length === 0 ? {} : { left: stays.map(({ path }) => path) }),
        },
      };
    },
  });
}

function refused(stays: readonly StayingFile[], next: string): ToolError {
  const whole = 'The latest turn that changed files cannot be taken back whole.';
  const message = `${whole} Nothing was undone. ${staying(stays)} ${next}`;
  return new ToolError('file_changed', message, { metadata: { left: stays.map(({ path }) => path) } });
}

function notes(stays: readonly StayingFile[], turn: readonly FileChange[]): string[] {
  const left = stays.length === 0 ? [] : [`[Left as it is: ${staying(stays)}]`];
  return turn.some(({ isTurnCut }) => isTurnCut === true)
    ? [...left, '[The turn made more changes than are kept on record: the oldest were forgotten and stay]']
    : left;
}

function staying(stays: readonly StayingFile[]): string {
  return stays.map(({ path, why }) => `${path} stays: ${why}.`).join(' ');
}

/** What fails in between tells what was taken back before it. */
function halfway(thrown: unknown, reports: readonly string[]): unknown {
  if (!ToolError.is(thrown) || reports.length === 0) return thrown;
  const { code, message, metadata = {} } = thrown;
  return new ToolError(code, `${message} This was taken back before; UndoTurn, called again, goes on with the rest:`, {
    cause: thrown,
    metadata,
    partialOutput: reports.join('\n\n'),
  });
}

function pathsOf(changes: readonly FileChange[]): string[] {
  return [...new Set(changes.map(({ path }) => path))];
}
