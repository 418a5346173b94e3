import { maxInputChars, maxTimeoutMs } from './shared-defaults.js';

/**
 * The limits that the option `limits` changes, grouped by the part that uses them. The end of a name gives the unit:
 * `Ms`, `Bytes`, `Chars` or `Pixels`; any other limit is a count.
 */
export const defaultLimits = Object.freeze({
  /** Every call of every tool. */
  call: Object.freeze({
    /** Deadline of one call, long enough for any useful call. Ends calls that hang. 0 = no deadline. */
    timeoutMs: 1_800_000,
    /**
     * Time for a tool that listens to its signal to clean up after an abort. Longer than the time between SIGTERM and
     * SIGKILL of the shell.
     */
    abortGraceMs: 3_000,
    /** A hook that has not answered after this time has failed. */
    hookTimeoutMs: 60_000,
    /** A rate limiter that has not answered after this time refuses the call. */
    limiterTimeoutMs: 10_000,
    /** Characters of one input as JSON text; the largest file content that a model can send is far smaller. */
    maxInputChars: maxInputChars,
    /** Nesting depth of one input; a deeper input is an attack or an accident. */
    maxInputDepth: 64,
    /** How often permission decisions and hooks may rewrite one input before the call is refused. */
    maxRewrites: 3,
  }),
  /** Questions to a person. */
  approval: Object.freeze({
    /** Time for a person to answer; then the call is denied. 0 = no time limit. */
    timeoutMs: 120_000,
    /** Characters of a title in a prompt; the preview shows the rest. */
    maxTitleChars: 200,
  }),
  /** Loading and making tools. */
  resolver: Object.freeze({
    /** Time to load a tool by name, or to make a tool on first use: long enough to start a server. */
    timeoutMs: 10_000,
    /** Size of a file that contains a tool description, which every request includes. */
    maxDescriptionBytes: 16_000,
  }),
  /** Sizes of results. */
  output: Object.freeze({
    /** Characters of one result, about 8,000 tokens. Each later request sends the result again. */
    maxChars: 30_000,
    /**
     * Characters of all results of one turn together, about 50,000 tokens. Above this limit long results are cut, the
     * last results first. 0 = no limit.
     */
    maxTurnChars: 200_000,
    /**
     * Characters of all texts in the metadata of one result together, since the scrubber reads each text. A mark
     * replaces a text that does not fit.
     */
    maxMetadataChars: 200_000,
    /**
     * Entries of all lists and objects in the metadata of one result together; a mark gives the number of entries left
     * out.
     */
    maxMetadataItems: 10_000,
    /** Nesting depth of the metadata of one result; a mark replaces deeper values. */
    maxMetadataDepth: 32,
  }),
  /** Read. */
  read: Object.freeze({
    /** Lines of one page when no limit is given. */
    maxLines: 2_000,
    /** Longer lines are cut; `column` reads the rest. */
    maxLineChars: 2_000,
    /** Characters of one page, even if it has few lines; about 25,000 tokens. */
    maxChars: 100_000,
    /**
     * Up to this size a hash of the whole content detects changes of a file. Changes of a larger file are detected by
     * inode, times and the pages that were shown.
     */
    hashMaxBytes: 8_000_000,
    /** The largest file that `toolkit.files.read` returns. */
    maxWholeBytes: 10_000_000,
    /** All file content in the read cache. */
    maxCacheBytes: 64_000_000,
    /** A larger file is not cached. */
    maxCachedFileBytes: 8_000_000,
    /** Files whose state is remembered to detect changes; the oldest are forgotten first. */
    maxSeenFiles: 10_000,
    /** A larger notebook is shown as JSON text. */
    maxNotebookBytes: 50_000_000,
    /** Pages of a PDF in one result. */
    maxPdfPages: 20,
    /** Size of a PDF. Even a few pages need the whole PDF in memory. */
    maxPdfBytes: 200_000_000,
    /** Longer side of an image: the maximum of the large providers. */
    maxImagePixels: 8_000,
    /** Characters of an image in base64: the maximum of the large providers. */
    maxImageBase64Chars: 5_242_880,
    /** A larger image is refused even if it could be resized. */
    maxImageBytes: 100_000_000,
    /** An image with more pixels is refused as a decompression bomb. */
    maxUnpackedPixels: 200_000_000,
    /** Longer side of an image after resizing; models see no finer detail. */
    resizedImagePixels: 1_568,
  }),
  /** Write, Edit, NotebookEdit and the undo history. */
  write: Object.freeze({
    /** The largest file that Edit loads into memory. */
    maxFileBytes: 512_000_000,
    /** Changed lines shown after a write or an edit. */
    maxDiffLines: 200,
    /** Changes that can be undone; the oldest are forgotten first. */
    maxUndoChanges: 1_000,
    /** Bytes of content that are kept for undo. */
    maxUndoBytes: 100_000_000,
  }),
  /** Glob, and the list of `toolkit.files`. */
  glob: Object.freeze({
    /** Files in one result of Glob: the newest if more match. */
    maxFiles: 100,
    /** Files in one result of `toolkit.files.list`: the newest if there are more. */
    maxListed: 10_000,
    /** After this time a walk returns the files that it has found so far. */
    timeoutMs: 20_000,
  }),
  /** List. */
  list: Object.freeze({
    /** Entries of one folder that are listed when no limit is given. */
    maxEntries: 1_000,
  }),
  /** Grep. */
  grep: Object.freeze({
    /** Default `head_limit`; a `head_limit` of 0 means no limit. */
    headLimit: 250,
    /** Longer lines are cut in the output. */
    maxLineChars: 2_000,
    /** After this time a search returns the matches that it has found so far. */
    timeoutMs: 20_000,
    /** The JavaScript engine skips larger files, as it skips binary files. */
    maxFileBytes: 256_000_000,
    /** Memory for the results of one search. */
    maxResultBytes: 20_000_000,
  }),
  /** Bash, with its background commands. */
  bash: Object.freeze({
    /** Time for a command without a `timeout`. */
    timeoutMs: 120_000,
    /** The longest `timeout` of a command. */
    maxTimeoutMs: maxTimeoutMs,
    /** Time for a background command without a `timeout`. */
    backgroundTimeoutMs: 1_800_000,
    /** The longest `timeout` of a background command. */
    maxBackgroundTimeoutMs: 7_200_000,
    /** Wait between SIGTERM and SIGKILL. */
    killGraceMs: 2_000,
    /** Output kept on disk for one command; above this limit the middle is dropped. */
    maxFileBytes: 100_000_000,
    /** Characters of the latest output in each progress event. */
    maxProgressChars: 2_000,
    /** Minimum interval between two progress events. */
    progressMs: 100,
    /** Characters of one command line. */
    maxCommandChars: 100_000,
  }),
  /** Background tasks, and TaskOutput. */
  tasks: Object.freeze({
    /** How long a finished task can still be read. */
    archiveMs: 3_600_000,
    /** Tasks that are kept, running and ended. */
    maxTasks: 1_000,
    /** How long TaskOutput waits if it has no `timeout`. */
    waitMs: 30_000,
    /** The longest `timeout` of TaskOutput. */
    maxWaitMs: 600_000,
  }),
  /** WebFetch and WebSearch. */
  web: Object.freeze({
    /** Time for one request, including redirects and the body. */
    timeoutMs: 30_000,
    /** Size of one response body after decompression. */
    maxBytes: 10_000_000,
    /** Redirects that one request follows. */
    maxRedirects: 5,
    /** How long a fetched page stays in the cache of its session. */
    cacheMs: 900_000,
    /** Cached pages of all sessions together; the oldest are dropped first. */
    maxCacheBytes: 50_000_000,
    /** Results of one search. */
    maxResults: 10,
    /** Pages of a fetched PDF that are read. */
    maxPdfPages: 100,
  }),
  /** MCP servers whose tools the toolkit uses; each limit applies to one server. */
  mcp: Object.freeze({
    /** Time from the start of a server to its answer to `initialize`. */
    connectTimeoutMs: 30_000,
    /** Interval of pings; a server that misses two counts as disconnected. */
    pingMs: 30_000,
    /** A call fails after this time without an answer or a progress report. */
    inactivityMs: 60_000,
    /** Time for one call, even if it reports progress. */
    maxCallMs: 600_000,
    /** The pause before the first restart of a server; doubled for each further restart. */
    reconnectMinMs: 2_000,
    /** The longest pause before a restart. */
    reconnectMaxMs: 60_000,
    /** Restarts in a row without success; then the server stays `failed` until the program restarts it. */
    maxReconnects: 10,
    /** A connection that lasts this long resets the count of restarts. */
    stableMs: 60_000,
    /** Changes of a list within this time are handled as one. */
    listDebounceMs: 300,
    /** Tools of one server; further tools are left out. */
    maxToolsPerServer: 10_000,
    /** Pages of one list. */
    maxPages: 1_000,
    /** Characters of the schema of one tool as JSON text. */
    maxSchemaChars: 100_000,
    /** Nesting depth of the schema of one tool, counting lists and objects. */
    maxSchemaDepth: 64,
    /**
     * Size of one message of a server, such as the result of a call. A larger message is dropped while it is received.
     */
    maxMessageBytes: 32_000_000,
    /**
     * If the definitions of all tools of a server have more characters, these tools are offered only through
     * ToolSearch.
     */
    deferOverChars: 40_000,
    /** Characters of text in one answer of a server; above this limit the middle is dropped. */
    maxResultChars: 10_000_000,
    /** Characters at the end of the stderr of a server that error messages show. */
    stderrChars: 4_000,
  }),
  /** For `serveMcp({ limits })`. */
  mcpServer: Object.freeze({
    /** Connections over HTTP at the same time. */
    maxSessions: 100,
    /**
     * When all connections are in use, a new connection may replace a connection that has had no open request for this
     * time.
     */
    idleMs: 600_000,
    /**
     * Size of one message of a client: room for an input of `call.maxInputChars` characters and the fields around it.
     */
    maxMessageBytes: 20_000_000,
    /** Latest messages of one connection that are kept for a client that reconnects. */
    maxEvents: 1_000,
    /** Characters of these messages as JSON text; the latest message is kept at any length. */
    maxEventChars: 4_000_000,
    /** Resources on one page of a list. */
    maxPageResources: 500,
    /** Time for a person to answer a question of the client; then the call is denied. */
    askTimeoutMs: 120_000,
  }),
  /** Agents, their teams and their messages. */
  subagents: Object.freeze({
    /** Agents at this depth cannot start subagents. */
    maxDepth: 1,
    /** Subagents that run at the same time, in all sessions together. */
    maxConcurrent: 8,
    /** Running subagents of one agent. */
    maxChildren: 5,
    /** Subagents that one session may start in total, including ended subagents. */
    maxTotal: 50,
    /** Model rounds of one subagent; in the last round the subagent is asked to conclude. */
    maxTurns: 20,
    /** How long an ended subagent can be resumed. */
    archiveMs: 3_600_000,
    /** Time for a steered subagent, or for a team that shuts down, to stop its current work. */
    settleMs: 500,
    /** Background subagents that end within this time are announced together. */
    announceMs: 1_000,
    /** The longest delay of an announcement, even if further subagents end. */
    maxAnnounceMs: 10_000,
    /** Unread messages of one agent. */
    maxMessages: 200,
    /** Characters of one message. */
    maxMessageChars: 20_000,
  }),
});

type Numbers<Group> = { readonly [Name in keyof Group]: number };

/** A full set of limits, one group for each part of the library. */
export type Limits = { readonly [Group in keyof typeof defaultLimits]: Numbers<(typeof defaultLimits)[Group]> };

/** New values for some limits; any other limit keeps its default. */
export type LimitOverrides = {
  readonly [Group in keyof Limits]?: { readonly [Name in keyof Limits[Group]]?: number | undefined } | undefined;
};
