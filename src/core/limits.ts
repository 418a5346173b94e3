import { maxInputChars, maxTimeoutMs } from './shared-defaults.js';

/**
 * The limits that the option `limits` changes, grouped by the part that uses them. The end of a name gives the unit:
 * `Ms`, `Bytes`, `Chars` or `Pixels`; any other limit is a count.
 */
export const defaultLimits = Object.freeze({
  /** Every call of every tool. */
  call: Object.freeze({
    /** Half an hour: longer than any sane tool call, so that no run hangs for ever. 0 = none. */
    timeoutMs: 1_800_000,
    /**
     * How long a tool that listens to its signal may clean up after an abort; longer than the shell needs from SIGTERM
     * to SIGKILL.
     */
    abortGraceMs: 3_000,
    /** A hook that has not answered after this time has failed. */
    hookTimeoutMs: 60_000,
    /** A rate limiter that has not answered after this time refuses the call. */
    limiterTimeoutMs: 10_000,
    /** JSON text of one input; the largest file content that a model can send is far smaller. */
    maxInputChars: maxInputChars,
    /** Nesting of one input; a deeper input is an attack or an accident. */
    maxInputDepth: 64,
    /** How often permission decisions and hooks may rewrite one input before the call is refused. */
    maxRewrites: 3,
  }),
  /** Questions to a person. */
  approval: Object.freeze({
    /** A person has two minutes; then the call is denied. 0 = waits for ever. */
    timeoutMs: 120_000,
    /** Characters of a title in a prompt; the preview holds the rest. */
    maxTitleChars: 200,
  }),
  /** Loading and making tools. */
  resolver: Object.freeze({
    /** Loading a tool by name, or making a tool on first use: long enough to start a server. */
    timeoutMs: 10_000,
    /** Size of a file with the description of a tool. Every request includes the description. */
    maxDescriptionBytes: 16_000,
  }),
  /** Sizes of results. */
  output: Object.freeze({
    /** Every character is sent again with each later request; 30,000 is about 8,000 tokens. */
    maxChars: 30_000,
    /**
     * All results of one turn together, about 50,000 tokens; above this limit long results are cut, the last results
     * first. 0 = none.
     */
    maxTurnChars: 200_000,
    /**
     * All texts of the metadata of one result together, since each passes the scrubber; a mark replaces a text that
     * does not fit.
     */
    maxMetadataChars: 200_000,
    /** Entries of all lists and objects of the metadata of one result; a mark gives the number of entries left out. */
    maxMetadataItems: 10_000,
    /** Nesting of the metadata of one result; a mark replaces deeper values. */
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
     * Up to this size a hash of the whole content detects changes. Above it, changes are detected by inode, times and
     * the pages that were shown.
     */
    hashMaxBytes: 8_000_000,
    /** The largest file that `toolkit.files.read` returns. */
    maxWholeBytes: 10_000_000,
    /** File content in the read cache. */
    maxCacheBytes: 64_000_000,
    /** A larger file is not cached. */
    maxCachedFileBytes: 8_000_000,
    /** Files whose state is remembered to notice changes; the oldest are forgotten first. */
    maxSeenFiles: 10_000,
    /** A larger notebook is shown as JSON text. */
    maxNotebookBytes: 50_000_000,
    /** Pages of a PDF in one result. */
    maxPdfPages: 20,
    /** Size of a PDF, which is loaded whole even for a few of its pages. */
    maxPdfBytes: 200_000_000,
    /** Longer side of an image that the large providers accept. */
    maxImagePixels: 8_000,
    /** Base64 characters of an image that the large providers accept. */
    maxImageBase64Chars: 5_242_880,
    /** A larger image is refused even if it could be resized. */
    maxImageBytes: 100_000_000,
    /** An image with more pixels is refused as a decompression bomb. */
    maxUnpackedPixels: 200_000_000,
    /** Longer side of an image after resizing; models see no finer detail. */
    resizedImagePixels: 1_568,
  }),
  /** Write, Edit, NotebookEdit, and what undo keeps. */
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
    /** Files that Glob names; the newest if there are more. */
    maxFiles: 100,
    /** Files that `toolkit.files.list` names; the newest if there are more. */
    maxListed: 10_000,
    /** After this time a walk returns the files that it has found so far. */
    timeoutMs: 20_000,
  }),
  /** List. */
  list: Object.freeze({
    /** Names of one folder when no limit is given. */
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
    /** Memory of the results of one search. */
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
    /** The tail sent with each progress event. */
    maxProgressChars: 2_000,
    /** At most one progress event in this time. */
    progressMs: 100,
    /** Characters of one command line. */
    maxCommandChars: 100_000,
  }),
  /** Background tasks, and TaskOutput. */
  tasks: Object.freeze({
    /** A finished task can be read for an hour. */
    archiveMs: 3_600_000,
    /** Tasks that are kept, running and ended. */
    maxTasks: 1_000,
    /** How long TaskOutput waits without a `timeout`. */
    waitMs: 30_000,
    /** The most that TaskOutput waits. */
    maxWaitMs: 600_000,
  }),
  /** WebFetch and WebSearch. */
  web: Object.freeze({
    /** One request, with its redirects and its body. */
    timeoutMs: 30_000,
    /** Size of one response body after decompression. */
    maxBytes: 10_000_000,
    /** Redirects that one request follows. */
    maxRedirects: 5,
    /** How long a fetched page stays in the cache of its session. */
    cacheMs: 900_000,
    /** Cached pages of all sessions together; the oldest are dropped first. */
    maxCacheBytes: 50_000_000,
    /** Results of a search. */
    maxResults: 10,
    /** Pages of a document that are read as one text. */
    maxPdfPages: 100,
  }),
  /** Each MCP server as a source of tools. */
  mcp: Object.freeze({
    /** From the start of a server to its answer to `initialize`. */
    connectTimeoutMs: 30_000,
    /** Interval of pings; a server that misses two counts as disconnected. */
    pingMs: 30_000,
    /** A call without an answer or progress for so long has failed. */
    inactivityMs: 60_000,
    /** One call, even while it reports progress. */
    maxCallMs: 600_000,
    /** The first pause before a server is started again; doubled each time. */
    reconnectMinMs: 2_000,
    /** The longest pause between two starts. */
    reconnectMaxMs: 60_000,
    /** Attempts in a row; after that the server stays failed until it is restarted by hand. */
    maxReconnects: 10,
    /** After a connection of this length the attempts are counted from 0 again. */
    stableMs: 60_000,
    /** Changes of a list within this time are handled as one. */
    listDebounceMs: 300,
    /** Tools of one server; further tools are left out. */
    maxToolsPerServer: 10_000,
    /** Pages of one list. */
    maxPages: 1_000,
    /** JSON text of the schema of one tool. */
    maxSchemaChars: 100_000,
    /** Nesting of the schema of one tool, lists and objects counted. */
    maxSchemaDepth: 64,
    /** One message of a server, such as the result of a call. A longer message is dropped while it is received. */
    maxMessageBytes: 32_000_000,
    /** If all definitions of a server together are longer, its tools are offered only through ToolSearch. */
    deferOverChars: 40_000,
    /** Text of one answer of a server; above this limit the middle is dropped. */
    maxResultChars: 10_000_000,
    /** The end of what a server wrote to stderr, for error messages. */
    stderrChars: 4_000,
  }),
  /** For `serveMcp({ limits })`. */
  mcpServer: Object.freeze({
    /** Connections over HTTP at the same time. */
    maxSessions: 100,
    /**
     * When all connections are in use, a new connection may replace a connection that had no open request for this
     * time.
     */
    idleMs: 600_000,
    /** One message of a client; a little larger than an input of `call.maxInputChars` when it is sent. */
    maxMessageBytes: 20_000_000,
    /** Messages of one connection that are kept for a client that reconnects. */
    maxEvents: 1_000,
    /** JSON text of these kept messages; the latest message is kept at any length. */
    maxEventChars: 4_000_000,
    /** Resources on one page of a list. */
    maxPageResources: 500,
    /** A person who is asked by the client has two minutes; then the call is denied. */
    askTimeoutMs: 120_000,
  }),
  /** Agents, their teams and their messages. */
  subagents: Object.freeze({
    /** The depth at which agents start no subagents. */
    maxDepth: 1,
    /** Subagents that run at the same time, in all sessions together. */
    maxConcurrent: 8,
    /** Running subagents of one agent. */
    maxChildren: 5,
    /** Subagents that one session may start in all, ended ones included. */
    maxTotal: 50,
    /** Model rounds of one subagent; in the last round the subagent is told to conclude. */
    maxTurns: 20,
    /** An ended subagent can be resumed for an hour. */
    archiveMs: 3_600_000,
    /** How long a subagent that is steered, or a team that is shut down, has to stop its current work. */
    settleMs: 500,
    /** Ends of background subagents within this time are announced together. */
    announceMs: 1_000,
    /** The longest wait of an announcement, even while further subagents end. */
    maxAnnounceMs: 10_000,
    /** Messages that wait for one agent. */
    maxMessages: 200,
    /** Characters of one message. */
    maxMessageChars: 20_000,
  }),
});

type Numbers<Group> = { readonly [Name in keyof Group]: number };

/** A full set of limits, one group for each part of the library. */
export type Limits = { readonly [Group in keyof typeof defaultLimits]: Numbers<(typeof defaultLimits)[Group]> };

/** Some limits of some groups; what is missing keeps its default. */
export type LimitOverrides = {
  readonly [Group in keyof Limits]?: { readonly [Name in keyof Limits[Group]]?: number | undefined } | undefined;
};
