import type { Toolkit } from '../core/registry/toolkit.js';
import type { SessionDirectory } from './agents/sessions.js';
import type { SubagentSpawner } from './agents/subagents.js';
import type { TeamCoordinator } from './agents/teams.js';
import type { DocumentReader } from './document-reader.js';
import type { FileSystem } from './file-system.js';
import type { HttpClient } from './http-client.js';
import type { ImageResizer } from './image-resizer.js';
import type { Elicitation, McpClient, McpSampling } from './mcp-client.js';
import type { ConfigStore } from './planning/config-store.js';
import type { TaskBoard } from './planning/task-board.js';
import type { TodoStore } from './planning/todo-store.js';
import type { UserInput } from './planning/user-input.js';
import type { SearchProvider } from './search-provider.js';
import type { Shell } from './shell.js';
import type { Summarizer } from './summarizer.js';
import type { SuspensionStore } from './suspension-store.js';

/** Implementations of the embedding program that replace the defaults. All are optional. */
export interface Hosts {
  /** The files of all tools. Default: the disk, confined to the roots. */
  readonly files?: FileSystem | undefined;
  /** Runs the commands of Bash. Default: processes of this machine, started in the root. */
  readonly shell?: Shell | undefined;
  /** Reads PDF pages for Read. Default: the optional package `unpdf`, or else `not_configured`. */
  readonly documents?: DocumentReader | undefined;
  /** Makes images small enough for a model. Default: the optional package `sharp`; without it, images are refused. */
  readonly images?: ImageResizer | undefined;
  /**
   * Makes each call of a suspended turn run once. Default: a store in the memory of this toolkit. If several processes
   * resume turns, pass `fileSuspensions(folder)` or a store over your database.
   */
  readonly suspensions?: SuspensionStore | undefined;
  /** Sends the requests of WebFetch. Default: a client for the public web with the settings of the option `web`. */
  readonly http?: HttpClient | undefined;
  /** Searches for WebSearch, such as `braveSearch(…)`. Default: none, and WebSearch is not offered. */
  readonly search?: SearchProvider | undefined;
  /** Answers questions about a page for WebFetch. Default: none, and WebFetch returns the text of the page. */
  readonly summarizer?: Summarizer | undefined;
  /** Asks the person for AskUserQuestion, such as `terminalInput()`. Default: none, and the tool is not offered. */
  readonly userInput?: UserInput | undefined;
  /** Keeps the settings of Config. Default: `new InMemoryConfigStore()`, which accepts any setting, per session. */
  readonly config?: ConfigStore | undefined;
  /** Keeps the lists of TodoWrite. Default: `createTodoStore()`, in memory. */
  readonly todos?: TodoStore | undefined;
  /** Keeps the tasks of `features.tasks`. Default: `createTaskBoard()`, in memory. */
  readonly tasks?: TaskBoard | undefined;
  /**
   * Runs subagents for Agent, such as `inProcessSpawner` of `./agents`; a function is called once, with the toolkit.
   * Default: none. Agent is then not offered; its calls fail with `not_configured`, with the request in the metadata.
   */
  readonly subagents?: SubagentSpawner | ((toolkit: Toolkit) => SubagentSpawner) | undefined;
  /** The MCP client, such as `McpManager` of `./mcp`. The toolkit does not dispose of it. Default: none. */
  readonly mcp?: McpClient | undefined;
  /** Answers sampling requests of MCP servers with a model. Default: none, and the capability is not declared. */
  readonly mcpSampling?: McpSampling | undefined;
  /** Runs the teams of `features.teams`. Default: `inProcessTeams`, in memory. A function is called once. */
  readonly teams?: TeamCoordinator | ((toolkit: Toolkit) => TeamCoordinator) | undefined;
  /** The sessions of `features.sessions`. Default: `inProcessSessions`, in memory. A function is called once. */
  readonly sessions?: SessionDirectory | ((toolkit: Toolkit) => SessionDirectory) | undefined;
  /** Asks the person for MCP servers. Default: none, and the capability is not declared. */
  readonly elicitation?: Elicitation | undefined;
}
