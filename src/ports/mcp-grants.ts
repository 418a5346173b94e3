/** An MCP server as JSON, in the usual form: a program that is started (`command`) or an address (`url`). */
export interface StoredMcpConfig {
  /** How it is spoken to. Default: `stdio` with `command`; `http` with `url`, which falls back to `sse` where the server knows no other. */
  readonly type?: 'stdio' | 'http' | 'streamable-http' | 'sse' | undefined;
  /** The program that is started. Default: there is a `url`. */
  readonly command?: string | undefined;
  /** Its arguments. Default none. */
  readonly args?: readonly string[] | undefined;
  /** Variables of the program, besides the harmless ones that every child gets; stores encrypt them. Default none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder that the program starts in. Default: the working directory of this process. */
  readonly cwd?: string | undefined;
  /** Its address, of http or https. Default: there is a `command`. */
  readonly url?: string | undefined;
  /** Headers of each request to it; stores encrypt them. Default none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A call without an answer or progress for so long has failed. Default `limits.mcp.inactivityMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * The folders that it is told as its roots: those of the toolkit, these, or none. Default: those of the toolkit, and
   * none where `args` name folders. `McpServerStatus` shows what it was told.
   */
  readonly roots?: false | 'toolkit' | readonly string[] | undefined;
  /** Only these tools are offered; `*` stands for any characters. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** These tools are not offered, whatever is allowed; `*` stands for any characters. Default none. */
  readonly toolDeny?: readonly string[] | undefined;
  /** Whether what it says of its tools may lower their risk. Default false. */
  readonly trusted?: boolean | undefined;
}

/** What a grant may set otherwise; `env` and `headers` name by name. */
export type McpConfigOverrides = Pick<
  StoredMcpConfig,
  'args' | 'env' | 'cwd' | 'url' | 'headers' | 'timeoutMs' | 'roots'
>;

/** A server that may be granted. */
export interface McpServerDefinition {
  /** A letter, then up to 39 letters, digits, `_` and `-`. Its tools and rules go by it. */
  readonly name: string;
  readonly config: StoredMcpConfig;
  /** False: nobody has it, whatever is granted. Default true. */
  readonly enabled?: boolean | undefined;
}

/** A server as a store keeps it. */
export interface StoredMcpServer {
  /** A UUID. */
  readonly id: string;
  /** Another after each change. */
  readonly version: string;
  readonly definition: McpServerDefinition;
  /** Why its secrets do not open; `env` and `headers` are left out then. Default: they do. */
  readonly problem?: string | undefined;
}

/** What is granted of a server: its tools by name, where `*` stands for any characters. */
export interface McpGrant {
  /** Only these. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** Not these, whatever is allowed. Default none. */
  readonly toolDeny?: readonly string[] | undefined;
  /** False is as good as no grant. Default true. */
  readonly enabled?: boolean | undefined;
}

/** What an agent is granted of a server. */
export interface McpAgentGrant extends McpGrant {
  /** What is otherwise for this agent. Default nothing. */
  readonly configOverrides?: McpConfigOverrides | undefined;
}

/** Whom a grant is for. */
export type McpGrantScope = 'agent' | 'user';

/** A grant as a store keeps it. */
export interface StoredMcpGrant {
  /** A UUID. */
  readonly id: string;
  /** The id of the server. */
  readonly server: string;
  readonly scope: McpGrantScope;
  /** The id of the agent or the user. */
  readonly subject: string;
  /** Without overrides whose secrets do not open. */
  readonly grant: McpAgentGrant;
}

/** A server that an agent and a user may use. */
export interface AccessibleMcpServer {
  readonly id: string;
  readonly name: string;
  /** With the overrides of the agent's grant, and its secrets. */
  readonly config: StoredMcpConfig;
  /** What the agent's grant sets otherwise. Default nothing. */
  readonly overrides?: McpConfigOverrides | undefined;
  /** What each grant leaves of its tools. A tool must pass them all. */
  readonly filters: readonly Pick<McpGrant, 'toolAllow' | 'toolDeny'>[];
  /** Why its secrets do not open: it cannot be used. Default: they do. */
  readonly problem?: string | undefined;
}

/** Somebody wants to use a server. */
export interface NewMcpAccessRequest {
  /** The id of the server. */
  readonly server: string;
  readonly scope: McpGrantScope;
  /** The id of the agent or the user that it is for. */
  readonly subject: string;
  /** The tools that are wanted. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** Who asks, by a name that the installation knows. */
  readonly requestedBy: string;
}

/** A request as a store keeps it. Times are ISO 8601. */
export interface McpAccessRequest extends NewMcpAccessRequest {
  /** A UUID. */
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'rejected';
  readonly createdAt: string;
  readonly reviewedBy?: string | undefined;
  readonly reviewedAt?: string | undefined;
  readonly note?: string | undefined;
}

/** Which entries of a list to answer, in an order that stays. */
export interface ListPage {
  /** Only what follows the entry with this id. Default: from the first on. */
  readonly after?: string | undefined;
  /** At most so many. Default 100. */
  readonly limit?: number | undefined;
}

/** Servers of MCP, who may use them, and who would like to. Methods reject with `invalid_input` for a server that is not there. */
export interface McpGrantStore {
  listServers(page?: ListPage): Promise<readonly StoredMcpServer[]>;
  getServer(id: string): Promise<StoredMcpServer | undefined>;
  /**
   * Keeps a server, and answers what is kept: in the row `id`, else in that of its name, else in a new one; `expected` is the version that it must
   * have, null where there must be none. Rejects with a TypeError that names the field, with `not_configured` for
   * secrets where the store has no box, and with `file_changed` for another version.
   */
  putServer(
    definition: McpServerDefinition,
    how?: { readonly id?: string | undefined; readonly expected?: string | null | undefined },
  ): Promise<StoredMcpServer>;
  /** With its grants and requests. False when there was none; `file_changed` for another version than was expected. */
  removeServer(id: string, how?: { readonly expected?: string | undefined }): Promise<boolean>;
  /** Takes the place of an earlier grant. */
  grantAgent(server: string, agentId: string, grant?: McpAgentGrant): Promise<void>;
  grantUser(server: string, userId: string, grant?: McpGrant): Promise<void>;
  /** False when there was none. */
  revokeAgent(server: string, agentId: string): Promise<boolean>;
  revokeUser(server: string, userId: string): Promise<boolean>;
  listGrants(server: string, scope: McpGrantScope, page?: ListPage): Promise<readonly StoredMcpGrant[]>;
  /**
   * The servers that are granted to the agent, where there is one, and to the user, where there is one; without both,
   * none. By name.
   */
  listAccessible(agentId: string | undefined, userId: string | undefined): Promise<readonly AccessibleMcpServer[]>;
  /** Answers the request that is open already for this server, scope and subject, as it is, where there is one. */
  createRequest(request: NewMcpAccessRequest): Promise<McpAccessRequest>;
  getRequest(id: string): Promise<McpAccessRequest | undefined>;
  listRequests(
    page?: ListPage & { readonly status?: McpAccessRequest['status'] | undefined },
  ): Promise<readonly McpAccessRequest[]>;
  /**
   * Decides about a request. Approval grants what was asked for at the same moment, beside what an earlier grant allows;
   * what that denies stays denied, and one that is switched off allows nothing else then. A second review changes nothing, and answers what the first decided.
   */
  reviewRequest(
    id: string,
    decision: 'approve' | 'reject',
    review: { readonly by: string; readonly note?: string | undefined },
  ): Promise<McpAccessRequest>;
  /** Another after each change of a server or a grant. */
  version(): Promise<string>;
}
