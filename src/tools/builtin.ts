import type { SubagentManager } from '../agents/subagent-manager.js';
import type { CommandPaths } from '../core/command-path-facts.js';
import type { Caller } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { Timers } from '../core/support/timers.js';
import type { SecretLookup } from '../core/text/redaction-marks.js';
import type { Scrub } from '../core/text/scrub-excerpt.js';
import type { Todo } from '../core/todo.js';
import type { Tool } from '../core/tool.js';
import type { FileChanges } from '../files/undo/change-log.js';
import type { SessionDirectory } from '../ports/agents/sessions.js';
import type { TeamCoordinator } from '../ports/agents/teams.js';
import type { DocumentReader } from '../ports/document-reader.js';
import type { FileSystem } from '../ports/file-system.js';
import type { HttpClient } from '../ports/http-client.js';
import type { ImageResizer } from '../ports/image-resizer.js';
import type { ConfigStore } from '../ports/planning/config-store.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';
import type { TaskBoard } from '../ports/planning/task-board.js';
import type { TodoStore } from '../ports/planning/todo-store.js';
import type { UserInput } from '../ports/planning/user-input.js';
import type { SearchProvider } from '../ports/search-provider.js';
import type { Shell } from '../ports/shell.js';
import type { Summarizer } from '../ports/summarizer.js';
import type { SessionEvent } from '../sessions/listeners.js';
import type { ReadLedger } from '../sessions/read-ledger.js';
import type { TaskManager } from '../sessions/task-manager.js';
import { agentTool } from './agents/agent.js';
import { sessionStatusTool, sessionsHistoryTool, sessionsListTool, sessionsSendTool } from './agents/sessions.js';
import { subagentsTool } from './agents/subagents.js';
import { sendMessageTool, teamCreateTool, teamDeleteTool } from './agents/teams.js';
import type { SyntaxChecker } from './content/syntax-check.js';
import { applyPatchTool } from './files/apply-patch.js';
import { editTool } from './files/edit.js';
import { globTool } from './files/glob.js';
import { grepTool } from './files/grep.js';
import { listTool } from './files/list.js';
import { notebookEditTool } from './files/notebook-edit.js';
import { readTool } from './files/read.js';
import { undoFileTool, undoTurnTool } from './files/undo.js';
import { writeTool } from './files/write.js';
import { listMcpResourcesTool, type ReadMcpResourceDependencies, readMcpResourceTool } from './mcp/resource-tools.js';
import { type ToolSearchDependencies, toolSearchTool } from './mcp/tool-search.js';
import { type RestartShellDependencies, restartShellTool } from './native/restart-shell.js';
import { viewTool } from './native/view.js';
import { askUserQuestionTool } from './planning/ask-user-question.js';
import { configTool } from './planning/config-tool.js';
import { enterPlanModeTool, exitPlanModeTool } from './planning/plan-mode.js';
import {
  type TaskBoardDependencies,
  taskCreateTool,
  taskGetTool,
  taskListTool,
  taskUpdateTool,
} from './planning/tasks.js';
import { todoReadTool, todoWriteTool } from './planning/todo-tools.js';
import { type AssessBashCommand, bashTool } from './shell/bash.js';
import type { ShellDeadline } from './shell/deadline.js';
import { taskOutputTool, taskStopTool } from './shell/task-tools.js';
import { refusing } from './support/unconfigured-tool.js';
import { type KeptPage, webFetchTool } from './web/fetch.js';
import type { PageCache } from './web/page-cache.js';
import { webSearchTool } from './web/search.js';

/** The dependencies of the built-in tools, and of tools that are added later. */
export interface BuiltinDependencies {
  readonly files: FileSystem;
  /** The same files as `files`. Changes made through this object are recorded if `changes` is defined. */
  readonly tracked: FileSystem;
  readonly changes: FileChanges | undefined;
  readonly syntax: SyntaxChecker | undefined;
  readonly documents: DocumentReader | undefined;
  readonly images: ImageResizer | undefined;
  readonly http: HttpClient;
  /** Whether the permission rules let `tool` follow a redirect to `url` without a new call. */
  readonly mayFollow: (tool: string, url: string, caller: Caller) => boolean;
  readonly pages: PageCache<KeptPage>;
  readonly search: SearchProvider | undefined;
  readonly summarizer: Summarizer | undefined;
  readonly namesUnchanged: boolean;
  readonly shell: Shell;
  readonly deadline: ShellDeadline;
  readonly ledger: ReadLedger;
  readonly tasks: TaskManager;
  readonly autoBackground: boolean;
  readonly interactive: boolean;
  readonly keepsFolder: boolean;
  readonly assess: AssessBashCommand;
  readonly paths: CommandPaths;
  readonly readBeforeWrite: boolean;
  readonly planMode: PlanMode;
  readonly userInput: UserInput | undefined;
  readonly config: ConfigStore;
  /** Makes the scrubber hide this secret from now on. */
  readonly learn: ((secret: string) => void) | undefined;
  readonly todos: TodoStore;
  /** Emits an event that belongs to a session but not to any of its calls. */
  readonly tell: (event: SessionEvent, owner: Caller) => void;
  readonly onTodos: (todos: readonly Todo[], caller: Caller) => void;
  /** If undefined, the toolkit has neither the tools of the task board nor TodoRead. */
  readonly board: TaskBoard | undefined;
  readonly agents: SubagentManager;
  /** Whether a host runs subagents; if not, Agent answers `not_configured`. */
  readonly hasAgents: boolean;
  /** Whether a host runs the members of teams; if not, the team tools answer `not_configured`. */
  readonly hasTeamAgents: boolean;
  /** If undefined, the toolkit has no team tools. */
  readonly teams: (() => Promise<TeamCoordinator>) | undefined;
  /** If undefined, the toolkit has no session tools. */
  readonly sessions: (() => Promise<SessionDirectory>) | undefined;
  /** Without a client the resource tools answer `not_configured`; without a catalogue there is no ToolSearch. */
  readonly mcp: Pick<ReadMcpResourceDependencies, 'client' | 'saveBytes'> & {
    readonly catalogue: ToolSearchDependencies['catalogue'] | undefined;
  };
  readonly timers: Timers | undefined;
  readonly applyPatch: boolean;
  /** If undefined, the toolkit has neither View nor RestartShell. The native tool types of Anthropic need both. */
  readonly native: RestartShellDependencies | undefined;
  /** Formats a path, or a line that begins with a path, for a result. Default: unchanged. */
  readonly shown: ((text: string) => string) | undefined;
  readonly limits: Limits;
  /** Looks up the secret behind a reversible mark. Only tools that change files get it: other tools could reveal it. */
  readonly secretOf?: SecretLookup | undefined;
  /**
   * Scrubs the edges of a shown part of a text, where a credential may be cut; `false` if the toolkit does not scrub.
   */
  readonly scrub: Scrub | false;
}

/** The built-in tools, in the order in which models see them. */
export function builtinTools(dependencies: BuiltinDependencies): readonly Tool[] {
  const { search, userInput, hasAgents, hasTeamAgents, mcp } = dependencies;
  const missing = new Set([
    ...(search === undefined ? ['WebSearch'] : []),
    ...(userInput === undefined ? ['AskUserQuestion'] : []),
    ...(hasAgents ? [] : ['Agent']),
    ...(hasTeamAgents ? [] : ['TeamCreate', 'SendMessage', 'TeamDelete']),
    ...(mcp.client === undefined ? ['ListMcpResources', 'ReadMcpResource'] : []),
  ]);
  return allTools(dependencies).map((tool) => (missing.has(tool.name) ? refusing(tool) : tool));
}

function allTools(dependencies: BuiltinDependencies): readonly Tool[] {
  const {
    files,
    tracked,
    changes,
    syntax,
    shell,
    deadline,
    tasks,
    timers,
    autoBackground,
    interactive,
    keepsFolder,
    ledger,
    assess,
    paths,
    readBeforeWrite,
    planMode,
    limits,
    secretOf,
    scrub,
  } = dependencies;
  const { documents, images, namesUnchanged, http, mayFollow, pages, search, summarizer, learn } = dependencies;
  const { userInput, config, onTodos, board, mcp, agents, hasAgents, applyPatch, native, shown } = dependencies;
  const todos = { todos: dependencies.todos, timeoutMs: limits.resolver.timeoutMs };
  const undo = changes === undefined ? undefined : { files, changes, ledger, limits: limits.write };
  const changing = { ledger, limits: limits.write, readBeforeWrite, syntax, secretOf, scrub, shown };
  const read = readTool({ files, ledger, limits: limits.read, documents, images, namesUnchanged, scrub });
  const list = listTool({ files, limits: limits.list });
  return [
    bashTool({
      ...{ shell, deadline, tasks, timers, autoBackground, interactive, keepsFolder, assess, paths, limits },
      hidesSecrets: scrub !== false,
    }),
    read,
    writeTool({ files: tracked, ...changing }),
    editTool({ files: tracked, ...changing }),
    ...(applyPatch ? [applyPatchTool({ files, changes, ...changing })] : []),
    notebookEditTool({ files: tracked, ...changing }),
    globTool({ files, limits: limits.glob, shown }),
    grepTool({ files, limits: limits.grep, scrub, shown }),
    list,
    taskOutputTool({ tasks, limits }),
    taskStopTool({ tasks }),
    todoWriteTool({ ...todos, onWritten: onTodos }),
    ...(board === undefined ? [] : [todoReadTool(todos), ...boardTools({ board, timeoutMs: todos.timeoutMs })]),
    enterPlanModeTool({ planMode }),
    exitPlanModeTool({ planMode }),
    webFetchTool({ http, mayFollow, limits, pages, summarizer, documents, images, scrub }),
    webSearchTool({ search, limits: limits.web }),
    askUserQuestionTool({ userInput }),
    configTool({ config, timeoutMs: todos.timeoutMs, learn }),
    agentTool({ agents }),
    ...(hasAgents ? [subagentsTool({ agents })] : []),
    ...teamAndSessionTools(dependencies),
    listMcpResourcesTool({ client: mcp.client, limits: limits.mcp }),
    readMcpResourceTool({ ...mcp, limits }),
    ...(mcp.catalogue === undefined ? [] : [toolSearchTool({ catalogue: mcp.catalogue })]),
    ...(undo === undefined ? [] : [undoFileTool(undo), undoTurnTool(undo)]),
    ...(native === undefined ? [] : [viewTool({ files, read, list }), restartShellTool(native)]),
  ];
}

function boardTools(board: TaskBoardDependencies): readonly Tool[] {
  return [taskCreateTool(board), taskGetTool(board), taskUpdateTool(board), taskListTool(board)];
}

function teamAndSessionTools({ teams, sessions, tasks, limits, timers }: BuiltinDependencies): readonly Tool[] {
  const shared = { timeoutMs: limits.resolver.timeoutMs, limits: limits.subagents };
  const ofTeams = teams && { ...shared, teams };
  const ofSessions = sessions && { ...shared, sessions, tasks, timers };
  return [
    ...(ofTeams ? [teamCreateTool(ofTeams), sendMessageTool(ofTeams), teamDeleteTool(ofTeams)] : []),
    ...(ofSessions ? [sessionsListTool(ofSessions), sessionsHistoryTool(ofSessions)] : []),
    ...(ofSessions ? [sessionsSendTool(ofSessions), sessionStatusTool(ofSessions)] : []),
  ];
}
