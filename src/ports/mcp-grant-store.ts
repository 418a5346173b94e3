/** The JSON config of an MCP server: a program (`command`) or a `url`. Stores encrypt `env` and `headers`. */
export interface StoredMcpConfig {
  /** The transport. Default: `stdio` for `command`; `http` for `url`, or `sse` if the server supports only that. */
  readonly type?: 'stdio' | 'http' | 'streamable-http' | 'sse' | undefined;
  /** The program to start. Default none; then `url` is required. */
  readonly command?: string | undefined;
  /** The arguments of the program. Default none. */
  readonly args?: readonly string[] | undefined;
  /** Environment variables of the program, in addition to those that every child process gets. Default none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder that the program starts in. Default: the working directory of this process. */
  readonly cwd?: string | undefined;
  /** The http or https address of the server. Default none; then `command` is required. */
  readonly url?: string | undefined;
  /** Headers of each request to the server. Default none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds after which a call without answer or progress has failed. Default `limits.mcp.inactivityMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * The MCP roots that the server gets. Default: the roots of the toolkit, or none if `args` name folders.
   * `McpServerStatus` shows the MCP roots.
   */
  readonly roots?: false | 'toolkit' | readonly string[] | undefined;
  /** Only these tools are offered; `*` stands for any characters. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** These tools are not offered even if `toolAllow` has them; `*` stands for any characters. Default none. */
  readonly toolDeny?: readonly string[] | undefined;
  /** Whether the tool annotations of the server may lower the risk of its tools. Default false. */
  readonly trusted?: boolean | undefined;
}

/** Fields of the config that a grant may override; `env` and `headers` are merged by name. */
export type McpConfigOverrides = Pick<
  StoredMcpConfig,
  'args' | 'env' | 'cwd' | 'url' | 'headers' | 'timeoutMs' | 'roots'
>;

/** A server that may be granted. */
export interface McpServerDefinition {
  /** A letter, then up to 39 letters, digits, `_` and `-`. Names of tools and rules contain this name. */
  readonly name: string;
  readonly config: StoredMcpConfig;
  /** False: no grant of this server applies. Default true. */
  readonly enabled?: boolean | undefined;
}

/** A stored server. */
export interface StoredMcpServer {
  /** A UUID. */
  readonly id: string;
  /** Changes with each change of this server. */
  readonly version: string;
  readonly definition: McpServerDefinition;
  /** Why the secrets of the server cannot be decrypted; `env` and `headers` are then absent. Default: no problem. */
  readonly problem?: string | undefined;
}

/** A grant of a server's tools, selected by name; `*` matches any characters. */
export interface McpGrant {
  /** Only these tools. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** Not these tools, even if `toolAllow` has them. Default none. */
  readonly toolDeny?: readonly string[] | undefined;
  /** False: the grant does not apply. Default true. */
  readonly enabled?: boolean | undefined;
}

/** A grant for an agent. */
export interface McpAgentGrant extends McpGrant {
  /** Overrides of the config for this agent. Default none. */
  readonly configOverrides?: McpConfigOverrides | undefined;
}

/** The kind of subject of a grant. */
export type McpGrantScope = 'agent' | 'user';

/** A stored grant. */
export interface StoredMcpGrant {
  /** A UUID. */
  readonly id: string;
  /** The id of the server. */
  readonly server: string;
  readonly scope: McpGrantScope;
  /** The id of the agent or the user. */
  readonly subject: string;
  /** The grant, without overrides whose secrets cannot be decrypted. */
  readonly grant: McpAgentGrant;
  /** Why the secrets of the overrides cannot be decrypted, so that the grant cannot be used. Default: no problem. */
  readonly problem?: string | undefined;
}

/** A server that an agent and a user may use. */
export interface AccessibleMcpServer {
  readonly id: string;
  readonly name: string;
  /** The config, including secrets and the overrides of the agent's grant. */
  readonly config: StoredMcpConfig;
  /** The overrides of the agent's grant. Default none. */
  readonly overrides?: McpConfigOverrides | undefined;
  /** The filters of all grants. A tool must pass all filters. */
  readonly filters: readonly Pick<McpGrant, 'toolAllow' | 'toolDeny'>[];
  /** Why the secrets of the server cannot be decrypted, so that the server cannot be used. Default: no problem. */
  readonly problem?: string | undefined;
}

/** A new request to use a server. */
export interface NewMcpAccessRequest {
  /** The id of the server. */
  readonly server: string;
  readonly scope: McpGrantScope;
  /** The id of the agent or user that would get access. */
  readonly subject: string;
  /** The requested tools. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** The requester, under the name that the installation uses. */
  readonly requestedBy: string;
}

/** A stored request. Times are ISO 8601. */
export interface McpAccessRequest extends NewMcpAccessRequest {
  /** A UUID. */
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'rejected';
  readonly createdAt: string;
  readonly reviewedBy?: string | undefined;
  readonly reviewedAt?: string | undefined;
  readonly note?: string | undefined;
}

/** A page of a list in a stable order. */
export interface ListPage {
  /** Only entries after the entry with this id. Default: from the first. */
  readonly after?: string | undefined;
  /** The maximum number of entries. Default 100. */
  readonly limit?: number | undefined;
}

/** MCP servers with their grants and access requests. Methods reject with `invalid_input` for an unknown server. */
export interface McpGrantStore {
  listServers(page?: ListPage): Promise<readonly StoredMcpServer[]>;
  getServer(id: string): Promise<StoredMcpServer | undefined>;
  /**
   * Stores a server in the row `id`, else in the row with its name, else in a new row. `expected` is the required
   * current version; null if there must be no row yet. Rejects with a TypeError that names the field of an invalid
   * definition, with `not_configured` for secrets without encryption, and with `file_changed` for another version.
   */
  putServer(
    definition: McpServerDefinition,
    how?: { readonly id?: string | undefined; readonly expected?: string | null | undefined },
  ): Promise<StoredMcpServer>;
  /** Removes a server, its grants and requests; false without such a server. Rejects with `file_changed`. */
  removeServer(id: string, how?: { readonly expected?: string | undefined }): Promise<boolean>;
  /** Grants a server to an agent; replaces an earlier grant. */
  grantAgent(server: string, agentId: string, grant?: McpAgentGrant): Promise<void>;
  grantUser(server: string, userId: string, grant?: McpGrant): Promise<void>;
  /** Resolves with false if there was no such grant. */
  revokeAgent(server: string, agentId: string): Promise<boolean>;
  revokeUser(server: string, userId: string): Promise<boolean>;
  listGrants(server: string, scope: McpGrantScope, page?: ListPage): Promise<readonly StoredMcpGrant[]>;
  /**
   * The servers granted to both agent and user, sorted by name. If one is undefined, only the other is checked; if both
   * are, the list is empty.
   */
  listAccessible(agentId: string | undefined, userId: string | undefined): Promise<readonly AccessibleMcpServer[]>;
  /** Creates a request, or returns the pending request with the same server, scope and subject unchanged. */
  createRequest(request: NewMcpAccessRequest): Promise<McpAccessRequest>;
  getRequest(id: string): Promise<McpAccessRequest | undefined>;
  listRequests(
    page?: ListPage & { readonly status?: McpAccessRequest['status'] | undefined },
  ): Promise<readonly McpAccessRequest[]>;
  /**
   * Decides on a request. An approval adds the requested tools to an enabled earlier grant, in the same transaction;
   * tools that an earlier grant denies stay denied. A second review changes nothing and returns the first decision.
   */
  reviewRequest(
    id: string,
    decision: 'approve' | 'reject',
    review: { readonly by: string; readonly note?: string | undefined },
  ): Promise<McpAccessRequest>;
  /** Changes with each change of a server or a grant. */
  version(): Promise<string>;
}
