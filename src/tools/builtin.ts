import type { Limits } from '../core/limits.js';
import type { Tool } from '../core/tool.js';
import type { FileSystem } from '../host/file-system.js';
import type { Shell } from '../host/shell.js';
import type { ReadLedger } from '../state/read-ledger.js';
import type { TaskManager } from '../state/tasks.js';
import { type AssessBashCommand, bashTool } from './bash.js';
import { editTool } from './edit.js';
import { globTool } from './glob.js';
import { grepTool } from './grep.js';
import { readTool } from './read.js';
import { taskOutputTool } from './task-output.js';
import { taskStopTool } from './task-stop.js';
import { writeTool } from './write.js';

/** Everything the built-in tools can reach. */
export interface BuiltinDependencies {
  readonly files: FileSystem;
  readonly shell: Shell;
  readonly ledger: ReadLedger;
  readonly tasks: TaskManager;
  readonly autoBackground: boolean;
  readonly assess: AssessBashCommand;
  readonly readBeforeWrite: boolean;
  readonly limits: Limits;
}

/** The built-in tools, in the order in which models read about them. */
export function builtinTools({
  files,
  shell,
  tasks,
  autoBackground,
  ledger,
  assess,
  readBeforeWrite,
  limits,
}: BuiltinDependencies): readonly Tool[] {
  return [
    bashTool({ shell, tasks, autoBackground, assess, limits }),
    readTool({ files, ledger, limits: limits.read }),
    writeTool({ files, ledger, limits: limits.write, readBeforeWrite }),
    editTool({ files, ledger, limits: limits.write, readBeforeWrite }),
    globTool({ files, limits: limits.glob }),
    grepTool({ files, limits: limits.grep }),
    taskOutputTool({ tasks, limits }),
    taskStopTool({ tasks }),
  ];
}
