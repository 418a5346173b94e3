// Names that the package root exported before each subject had its own entry point. Each is a constant of its own,
// because the declarations of a re-export would lack the tag `@deprecated`, which editors show.
import type { Decision, PermissionDecision, PermissionQuestion } from './core/permission-question.js';
import type { TurnOptions } from './core/registry/turn-options.js';
import { editTool as editToolOfEntry } from './tools/files/edit.js';
import { globTool as globToolOfEntry } from './tools/files/glob.js';
import { grepTool as grepToolOfEntry } from './tools/files/grep.js';
import { listTool as listToolOfEntry } from './tools/files/list.js';
import { notebookEditTool as notebookEditToolOfEntry } from './tools/files/notebook-edit.js';
import { readTool as readToolOfEntry } from './tools/files/read.js';
import { writeTool as writeToolOfEntry } from './tools/files/write.js';
import { askUserQuestionTool as askUserQuestionToolOfEntry } from './tools/planning/ask-user-question.js';
import { configTool as configToolOfEntry } from './tools/planning/config-tool.js';
import {
  enterPlanModeTool as enterPlanModeToolOfEntry,
  exitPlanModeTool as exitPlanModeToolOfEntry,
} from './tools/planning/plan-mode.js';
import {
  todoReadTool as todoReadToolOfEntry,
  todoWriteTool as todoWriteToolOfEntry,
} from './tools/planning/todo-tools.js';
import { bashTool as bashToolOfEntry } from './tools/shell/bash.js';
import { webFetchTool as webFetchToolOfEntry } from './tools/web/fetch.js';
import { webSearchTool as webSearchToolOfEntry } from './tools/web/search.js';
import { htmlToMarkdown as htmlToMarkdownOfEntry } from './web/html/to-markdown.js';
import { braveSearch as braveSearchOfEntry } from './web/search/brave.js';
import { exaSearch as exaSearchOfEntry } from './web/search/exa.js';
import { searxngSearch as searxngSearchOfEntry } from './web/search/searxng.js';
import { stubSearch as stubSearchOfEntry } from './web/search/stub.js';
import { tavilySearch as tavilySearchOfEntry } from './web/search/tavily.js';

/** @deprecated Write `Decision<PermissionQuestion>`. */
export type CallDecision = Decision<PermissionQuestion>;
/** @deprecated Write `Exclude<PermissionDecision, { behavior: 'ask' }>`. */
export type PermissionVerdict = Exclude<PermissionDecision, { readonly behavior: 'ask' }>;
/** @deprecated Write `TurnOptions`. */
export type Turn = TurnOptions;
/** @deprecated Import it from `toolwright/tools`. */
export const bashTool = bashToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const editTool = editToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const globTool = globToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const grepTool = grepToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const listTool = listToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const notebookEditTool = notebookEditToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const askUserQuestionTool = askUserQuestionToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const configTool = configToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const enterPlanModeTool = enterPlanModeToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const exitPlanModeTool = exitPlanModeToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const todoReadTool = todoReadToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const todoWriteTool = todoWriteToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const readTool = readToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const webFetchTool = webFetchToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const webSearchTool = webSearchToolOfEntry;
/** @deprecated Import it from `toolwright/tools`. */
export const writeTool = writeToolOfEntry;
/** @deprecated Import it from `toolwright/web`. */
export const braveSearch = braveSearchOfEntry;
/** @deprecated Import it from `toolwright/web`. */
export const exaSearch = exaSearchOfEntry;
/** @deprecated Import it from `toolwright/web`. */
export const searxngSearch = searxngSearchOfEntry;
/** @deprecated Import it from `toolwright/web`. */
export const stubSearch = stubSearchOfEntry;
/** @deprecated Import it from `toolwright/web`. */
export const tavilySearch = tavilySearchOfEntry;
/** @deprecated Import it from `toolwright/web`. */
export const htmlToMarkdown = htmlToMarkdownOfEntry;
