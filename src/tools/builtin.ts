import type { Limits } from '../core/limits.js';
import type { Tool } from '../core/tool.js';
import type { FileChanges } from '../files/file-changes.js';
import type { SyntaxChecker } from '../files/syntax-check.js';
import type { FileSystem } from '../host/file-system.js';
import type { Shell } from '../host/shell.js';
import type { ReadLedger } from '../state/read-ledger.js';
import type { TaskManager } from '../state/tasks.js';
import { type AssessBashCommand, bashTool } from './bash.js';
import { editTool } from './edit.js';
import { globTool } from './glob.js';
import { grepTool } from './grep.js';
import { notebookEditTool } from './notebook-edit.js';
import { readTool } from './read.js';
import { taskOutputTool } from './task-output.js';
import { taskStopTool } from './task-stop.js';
import { undoFileTool } from './undo-file.js';
import { undoTurnTool } from './undo-turn.js';
import { writeTool } from './write.js';

/** Everything the built-in tools can reach. */
export interface BuiltinDependencies {
  readonly files: FileSystem;
  /** The same files, with changes recorded where they can be undone. */
  readonly tracked: FileSystem;
  /** The record of changes; without it there is no undo. */
  readonly changes: FileChanges | undefined;
  readonly syntax: SyntaxChecker | undefined;
  readonly shell: Shell;
  readonly ledger: ReadLedger;
  readonly tasks: TaskManager;
  readonly autoBackground: boolean;
  readonly assess: AssessBashCommand;
  readonly readBeforeWrite: boolean;
  readonly limits: Limits;
}

/** The built-in tools, in the order in which models read about them. */
export function builtinTools(dependencies: BuiltinDependencies): readonly Tool[] {
  const { files, tracked, changes, syntax, shell, tasks, autoBackground, ledger, assess, readBeforeWrite, limits } = dependencies;
  const undo = changes === undefined ? undefined : { files, changes, ledger, limits: limits.write };
  return [
    bashTool({ shell, tasks, autoBackground, assess, limits }),
    readTool({ files, ledger, limits: limits.read }),
    writeTool({ files: tracked, ledger, limits: limits.write, readBeforeWrite, syntax }),
    editTool({ files: tracked, ledger, limits: limits.write, readBeforeWrite, syntax }),
    notebookEditTool({ files: tracked, ledger, limits: limits.write, readBeforeWrite }),
    globTool({ files, limits: limits.glob }),
    grepTool({ files, limits: limits.grep }),
    taskOutputTool({ tasks, limits }),
    taskStopTool({ tasks }),
    ...(undo === undefined ? [] : [undoFileTool(undo), undoTurnTool(undo)]),
  ];
}
