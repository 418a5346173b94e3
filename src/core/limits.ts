import { maxInputChars, maxTimeoutMs } from './wire-numbers.js';

/**
 * Every number of the library, by who uses it. Durations in milliseconds, sizes in bytes or characters, counts begin
 * with `max`.
 */
export const defaultLimits = Object.freeze({
  /** Each call, whatever its tool. */
  call: Object.freeze({
    /** Half an hour: longer than any sane tool call, so that no run hangs for ever. 0 = none. */
    timeoutMs: 1_800_000,
    /**
     * How long a tool that listens to its signal may clean up after it; longer than the shell needs from TERM to KILL.
     */
    abortGraceMs: 3_000,
    /** A hook that has not answered by then has failed. */
    hookTimeoutMs: 60_000,
    /** A rate limiter that has not answered by then has refused. */
    limiterTimeoutMs: 10_000,
    /** JSON text of one input; the largest file content a model can send is far below. */
    maxInputChars: maxInputChars,
    /** Nesting of one input; deeper is an attack or an accident. */
    maxInputDepth: 64,
    /** How often permission and hooks may rewrite one input before the call is refused. */
    maxRewrites: 3,
  }),
  /** Questions to a person. */
  approval: Object.freeze({
    /** A person has two minutes; then the call is denied. 0 = waits for ever. */
    timeoutMs: 120_000,
    /** Characters of a title in a prompt; the preview holds the rest. */
    maxTitleChars: 200,
  }),
  /** What finds or makes tools. */
  resolver: Object.freeze({
    /** Loading a tool by name, or making one that is made on first use, may start a server, not more. */
    timeoutMs: 10_000,
    /** A file with the description of a tool, which every request carries. */
    maxDescriptionBytes: 16_000,
  }),
  /** What results may come to. */
  output: Object.freeze({
    /** Every character is sent again with each later request; 30,000 is about 8,000 tokens. */
    maxChars: 30_000,
    /** The results of one turn together, about 50,000 tokens; past it the last of the long ones are cut. 0 = none. */
    maxTurnChars: 200_000,
    /**
     * Texts of the metadata of one result together, all of which pass the scrubber; one that does not fit becomes a
     * mark.
     */
    maxMetadataChars: 200_000,
    /** Entries of all lists and objects of the metadata of one result; a mark tells how many are left out. */
    maxMetadataItems: 10_000,
    /** Nesting of the metadata of one result; a mark stands for what is deeper. */
    maxMetadataDepth: 32,
  }),
  /** Read. */
  read: Object.freeze({
    /** Lines of one page when no limit is given. */
    maxLines: 2_000,
    /** Longer lines are cut and read on by column. */
    maxLineChars: 2_000,
    /** One page, whatever its lines; about 25,000 tokens. */
    maxChars: 100_000,
    /** Up to here the whole content is hashed to notice changes; beyond, identity, times and shown pages. */
    hashMaxBytes: 8_000_000,
    /** A file that `toolkit.files.read` gives whole. */
    maxWholeBytes: 10_000_000,
    /** Content that is kept in memory where reads are cached. */
    maxCacheBytes: 64_000_000,
    /** A larger file is not kept. */
    maxCachedFileBytes: 8_000_000,
    /** States of files that are remembered to notice changes; the oldest go first. */
    maxSeenFiles: 10_000,
    /** A notebook that is larger is shown as the text it is. */
    maxNotebookBytes: 50_000_000,
    /** Pages of a document at once. */
    maxPdfPages: 20,
    /** A document is read as a whole, however few of its pages are asked for. */
    maxPdfBytes: 200_000_000,
    /** Longer side of an image as the large providers take it. */
    maxImagePixels: 8_000,
    /** Characters of an image in base64, as the large providers take it. */
    maxImageBase64Chars: 5_242_880,
    /** An image that is larger is not read, not even to make it smaller. */
    maxImageBytes: 100_000_000,
    /** An image that unpacks to more pixels is made to exhaust memory. */
    maxUnpackedPixels: 200_000_000,
    /** Longer side of an image that has to be made smaller; more detail than that no model sees. */
    resizedImagePixels: 1_568,
  }),
  /** Write, Edit, NotebookEdit, and what undo keeps. */
  write: Object.freeze({
    /** The largest file that Edit takes into memory. */
    maxFileBytes: 512_000_000,
    /** Changed lines shown after a write or an edit. */
    maxDiffLines: 200,
    /** Changes that can be taken back; the oldest are forgotten first. */
    maxUndoChanges: 1_000,
    /** Bytes of content that are kept to take changes back. */
    maxUndoBytes: 100_000_000,
  }),
  /** Glob, and the list of `toolkit.files`. */
  glob: Object.freeze({
    /** Files that Glob names; the newest where there are more. */
    maxFiles: 100,
    /** Files that `toolkit.files.list` names; the newest where there are more. */
    maxListed: 10_000,
    /** A walk that takes longer answers with what it has. */
    timeoutMs: 20_000,
  }),
  /** List. */
  list: Object.freeze({
    /** Names of one folder when no limit is given. */
    maxEntries: 1_000,
  }),
  /** Grep. */
  grep: Object.freeze({
    /** Default `head_limit`; 0 there means no limit. */
    headLimit: 250,
    /** Longer lines are cut in the output. */
    maxLineChars: 2_000,
    /** A search that takes longer answers with what it has. */
    timeoutMs: 20_000,
    /** Files larger than this are skipped by the JavaScript engine, as binaries are. */
    maxFileBytes: 256_000_000,
    /** What one search may hold in memory. */
    maxResultBytes: 20_000_000,
  }),
  /** Bash, with its background commands. */
  bash: Object.freeze({
    /** Time for a command that asks for none. */
    timeoutMs: 120_000,
    /** The most that a command may ask for. */
    maxTimeoutMs: maxTimeoutMs,
    /** The same for a command in the background that asks for none. */
    backgroundTimeoutMs: 1_800_000,
    /** The most that one in the background may ask for. */
    maxBackgroundTimeoutMs: 7_200_000,
    /** From TERM to KILL. */
    killGraceMs: 2_000,
    /** Output kept on disk for one command; past it the middle goes. */
    maxFileBytes: 100_000_000,
    /** The tail sent with each progress event. */
    maxProgressChars: 2_000,
    /** At most one progress event in this time. */
    progressMs: 100,
    /** One command line. */
    maxCommandChars: 100_000,
  }),
  /** Background tasks, and TaskOutput. */
  tasks: Object.freeze({
    /** A finished task can be read for an hour. */
    archiveMs: 3_600_000,
    /** Tasks that are kept, running and ended. */
    maxTasks: 1_000,
    /** How long TaskOutput waits when nothing else is said. */
    waitMs: 30_000,
    /** The most that TaskOutput waits. */
    maxWaitMs: 600_000,
  }),
  /** WebFetch and WebSearch. */
  web: Object.freeze({
    /** One request, with its redirects and its body. */
    timeoutMs: 30_000,
    /** After decompression. */
    maxBytes: 10_000_000,
    /** Redirects that one request follows. */
    maxRedirects: 5,
    /** How long a page that a session has read is kept for it. */
    cacheMs: 900_000,
    /** Pages of all sessions together; the oldest go first. */
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
    /** A server is asked whether it is there so often; two answers that do not come are its end. */
    pingMs: 30_000,
    /** A call without an answer or progress for so long has failed. */
    inactivityMs: 60_000,
    /** One call, whatever its progress. */
    maxCallMs: 600_000,
    /** The first pause before a server is started again; doubled each time. */
    reconnectMinMs: 2_000,
    /** The longest pause between two starts. */
    reconnectMaxMs: 60_000,
    /** Attempts in a row; then the server has failed until it is restarted by hand. */
    maxReconnects: 10,
    /** A server that was there for so long has its attempts counted anew. */
    stableMs: 60_000,
    /** Changes of a list within this time are one. */
    listDebounceMs: 300,
    /** Tools of one server; the rest is left out. */
    maxToolsPerServer: 10_000,
    /** Pages of one list. */
    maxPages: 1_000,
    /** JSON text of the schema of one tool. */
    maxSchemaChars: 100_000,
    /** Nesting of the schema of one tool, lists and objects counted. */
    maxSchemaDepth: 64,
    /** One message of a server, such as the result of a call; a longer one is dropped while it comes in. */
    maxMessageBytes: 32_000_000,
    /** Definitions of one server that are longer together are offered by ToolSearch only. */
    deferOverChars: 40_000,
    /** Text of one answer of a server; past it the middle goes. */
    maxResultChars: 10_000_000,
    /** The end of what a server wrote to stderr, for error messages. */
    stderrChars: 4_000,
  }),
  /** For `serveMcp({ limits })`. */
  mcpServer: Object.freeze({
    /** Connections over HTTP at the same time. */
    maxSessions: 100,
    /** A connection without an open request for so long makes room for a new one where all are taken. */
    idleMs: 600_000,
    /** One message of a client; a little more than `call.maxInputChars` as it is sent. */
    maxMessageBytes: 20_000_000,
    /** Messages of one connection that are kept to be sent again to a client that lost it. */
    maxEvents: 1_000,
    /** Their JSON text; the latest message is kept whatever its length. */
    maxEventChars: 4_000_000,
    /** Resources on one page of a list. */
    maxPageResources: 500,
    /** A person who is asked by the client has two minutes; then the call is denied. */
    askTimeoutMs: 120_000,
  }),
  /** Agents, their teams and their messages. */
  subagents: Object.freeze({
    /** The depth at which an agent starts no further ones. */
    maxDepth: 1,
    /** Subagents that run at the same time, in all sessions together. */
    maxConcurrent: 8,
    /** Running subagents of one agent. */
    maxChildren: 5,
    /** Subagents that one session may start, whatever became of them. */
    maxTotal: 50,
    /** Rounds of the model of one subagent; in the last it has to conclude. */
    maxTurns: 20,
    /** One that has ended can be resumed for an hour. */
    archiveMs: 3_600_000,
    /** How long one that is told to start again, or a team that is told to end, has to come to rest. */
    settleMs: 500,
    /** Ends of background subagents within this time are announced together. */
    announceMs: 1_000,
    /** An end is announced after this time at the latest, however many follow it. */
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
