export { lintRules, type RuleWarning } from './access/rules/lint-rules.js';
export {
  type AssessOptions,
  assessCommand,
  type CommandAssessment,
  type CommandReason,
} from './command/assess-command.js';
export * from './core.js';
export { createToolkit } from './create-toolkit.js';
export { type DescribeOptions, describeFromFile } from './custom/describe-from-file.js';
export { cacheReads, type ReadCacheOptions } from './files/cached-files.js';
export { HostFiles, type HostFilesOptions, hostFiles } from './files/host-files.js';
export { type FileMount, mountFiles } from './files/mounted-files.js';
export { type PdfPackage, pdfDocuments } from './files/read/pdf-documents.js';
export { type SharpPackage, sharpImages } from './files/read/sharp-images.js';
export { type AgentKind, contextFileNames, contextStore } from './files/store/context-store.js';
export { MemoryDocuments } from './files/store/memory-documents.js';
export { isMemoryName, type MemoryListener, memoryStore } from './files/store/memory-store.js';
export { StoreFiles, type StoreFilesOptions } from './files/store/store-files.js';
export { trackFiles } from './files/tracked-files.js';
export type { FileChange } from './files/undo/file-change.js';
export { FileChanges, type FileChangesOptions } from './files/undo/file-changes.js';
export type { ConfigStore, Setting, SettingValue } from './host/config-store.js';
export type { DocumentPages, DocumentReader, PageRange } from './host/documents.js';
export type { DocumentOwner, DocumentTable, FileStore, StoredDocument } from './host/file-store.js';
export type {
  CurrentFile,
  FileEntry,
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
export type { ImageBounds, ImageResizer, StoredImage } from './host/images.js';
export type { Sandbox, SandboxLaunch, SandboxProgram } from './host/sandbox.js';
export type { Shell, ShellOutcome, ShellRequest, Survivor } from './host/shell.js';
export type { BoardTask, BoardTaskChange, NewBoardTask, TaskBoard } from './host/task-board.js';
export type { TodoStore } from './host/todo-store.js';
export type { QuestionOption, UserAnswers, UserInput, UserQuestion } from './host/user-input.js';
export {
  type ConfigStoreOptions,
  createConfigStore,
  type SettingOptions,
} from './state/planning/create-config-store.js';
export { createTaskBoard, type TaskBoardOptions } from './state/planning/create-task-board.js';
export { createTodoStore } from './state/planning/create-todo-store.js';
export { type TerminalStreams, terminalInput } from './state/planning/terminal-input.js';
export { ReadLedger, type SeenFile } from './state/read-ledger.js';
export type { FileSettings, SandboxSettings, ShellSettings, ToolkitOptions } from './toolkit-options.js';
export { askUserQuestionTool } from './tools/ask-user-question.js';
export { bashTool } from './tools/bash.js';
export type { BashProgress } from './tools/bash-progress.js';
export { configTool } from './tools/config.js';
export { type SyntaxChecker, syntaxChecker } from './tools/content/syntax-check.js';
export { editTool } from './tools/edit.js';
export { enterPlanModeTool } from './tools/enter-plan-mode.js';
export { exitPlanModeTool } from './tools/exit-plan-mode.js';
export { globTool } from './tools/glob.js';
export { grepTool } from './tools/grep.js';
export { listTool } from './tools/list.js';
export { notebookEditTool } from './tools/notebook-edit.js';
export { readTool } from './tools/read.js';
export { taskCreateTool } from './tools/task-create.js';
export { taskGetTool } from './tools/task-get.js';
export { taskListTool } from './tools/task-list.js';
export { taskOutputTool } from './tools/task-output.js';
export { taskStopTool } from './tools/task-stop.js';
export { taskUpdateTool } from './tools/task-update.js';
export { todoReadTool } from './tools/todo-read.js';
export { todoWriteTool } from './tools/todo-write.js';
export { undoFileTool } from './tools/undo-file.js';
export { undoTurnTool } from './tools/undo-turn.js';
export { writeTool } from './tools/write.js';
