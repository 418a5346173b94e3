export * from './core.js';
export { createToolkit } from './create-toolkit.js';
export { type DescribeOptions, describeFromFile } from './custom/describe-from-file.js';
export type {
  CurrentFile,
  FileStat,
  FileSystem,
  FileUpdate,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  NewContent,
  OpenFile,
} from './host/file-system.js';
export type { Hosts } from './host/hosts.js';
export type { Sandbox, SandboxLaunch, SandboxProgram } from './host/sandbox.js';
export type { Shell, ShellOutcome, ShellRequest, Survivor } from './host/shell.js';
export { type AssessOptions, assessCommand, type CommandAssessment, type CommandReason } from './text/command/assess-command.js';
export type { FileSettings, SandboxSettings, ShellSettings, ToolkitOptions } from './toolkit-options.js';
export { bashTool } from './tools/bash.js';
export { editTool } from './tools/edit.js';
export { globTool } from './tools/glob.js';
export { grepTool } from './tools/grep.js';
export { notebookEditTool } from './tools/notebook-edit.js';
export { readTool } from './tools/read.js';
export { taskOutputTool } from './tools/task-output.js';
export { taskStopTool } from './tools/task-stop.js';
export { writeTool } from './tools/write.js';
