/** Every number of the library, by who uses it. Durations in milliseconds, sizes in bytes or characters, counts begin with `max`. */
export const defaultLimits = Object.freeze({
  call: Object.freeze({
    /** Half an hour: longer than any sane tool call, so that no run hangs for ever. 0 = none. */
    timeoutMs: 1_800_000,
    /** How long a tool that listens to its signal may clean up after it; longer than the shell needs from TERM to KILL. */
    abortGraceMs: 3_000,
    /** A hook that has not answered by then has failed. */
    hookTimeoutMs: 60_000,
    /** A rate limiter that has not answered by then has refused. */
    limiterTimeoutMs: 10_000,
    /** Calls of one run that work at the same time, where their footprints allow it. */
    maxConcurrent: 10,
    /** JSON text of one input; the largest file content a model can send is far below. */
    maxInputChars: 16_000_000,
    /** Nesting of one input; deeper is an attack or an accident. */
    maxInputDepth: 64,
    /** How often permission and hooks may rewrite one input before the call is refused. */
    maxRewrites: 3,
  }),
  approval: Object.freeze({
    /** A person has two minutes; then the call is denied. 0 = waits for ever. */
    timeoutMs: 120_000,
    /** Characters of a title in a prompt; the preview holds the rest. */
    maxTitleChars: 200,
  }),
  resolver: Object.freeze({
    /** Loading a tool by name, or making one that is made on first use, may start a server, not more. */
    timeoutMs: 10_000,
    /** A file with the description of a tool, which every request carries. */
    maxDescriptionBytes: 16_000,
  }),
  output: Object.freeze({
    /** Every character is sent again with each later request; 30,000 is about 8,000 tokens. */
    maxChars: 30_000,
    /** The results of one turn together, about 50,000 tokens; past it the last of the long ones are cut. 0 = none. */
    maxTurnChars: 200_000,
    /** Texts of the metadata of one result together, all of which pass the scrubber; one that does not fit becomes a mark. */
    maxMetadataChars: 200_000,
    /** Entries of all lists and objects of the metadata of one result; a mark tells how many are left out. */
    maxMetadataItems: 10_000,
    /** Nesting of the metadata of one result; a mark stands for what is deeper. */
    maxMetadataDepth: 32,
  }),
  read: Object.freeze({
    /** Lines of one page when no limit is given. */
    maxLines: 2_000,
    /** Longer lines are cut and read on by column. */
    maxLineChars: 2_000,
    /** One page, whatever its lines; about 25,000 tokens. */
    maxChars: 100_000,
    /** Up to here the whole content is hashed to notice changes; beyond, identity, times and shown pages. */
    hashMaxBytes: 8_000_000,
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
  glob: Object.freeze({
    maxFiles: 100,
    /** A walk that takes longer answers with what it has. */
    timeoutMs: 20_000,
  }),
  grep: Object.freeze({
    /** Default `head_limit`; 0 there means no limit. */
    headLimit: 250,
    /** Longer lines are cut in the output. */
    maxLineChars: 2_000,
    timeoutMs: 20_000,
    /** Files larger than this are skipped by the JavaScript engine, as binaries are. */
    maxFileBytes: 256_000_000,
    /** What one search may hold in memory. */
    maxResultBytes: 20_000_000,
  }),
  bash: Object.freeze({
    timeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    backgroundTimeoutMs: 1_800_000,
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
  tasks: Object.freeze({
    /** A finished task can be read for an hour. */
    archiveMs: 3_600_000,
    maxTasks: 1_000,
    /** How long TaskOutput waits when nothing else is said, and at most. */
    waitMs: 30_000,
    maxWaitMs: 600_000,
  }),
  web: Object.freeze({
    timeoutMs: 30_000,
    /** After decompression. */
    maxBytes: 10_000_000,
    maxRedirects: 5,
    cacheMs: 900_000,
  }),
  subagents: Object.freeze({
    maxConcurrent: 8,
    /** The depth at which a policy lets an agent start no further ones. */
    maxDepth: 1,
    maxChildren: 5,
    archiveMs: 3_600_000,
    maxTurns: 20,
  }),
  mcp: Object.freeze({
    pingMs: 30_000,
    reconnectMinMs: 2_000,
    reconnectMaxMs: 60_000,
    maxReconnects: 10,
  }),
  retry: Object.freeze({
    /** 1 = no retry. */
    maxAttempts: 1,
    baseMs: 500,
    maxMs: 30_000,
  }),
});

/** Numbers of the shell that follow from the kernel and from what commands do, not from anybody's taste: no option changes them. */
export const shellNumbers = Object.freeze({
  /** After the shell has exited, for children that are just ending. */
  drainMs: 40,
  /** The same where programs of our own carry the last output to the file. */
  pipeDrainMs: 400,
  /** After KILL, for the kernel to take the processes away: at once where it is not busy. */
  reapMs: 800,
  /** What leaves its command mostly does so soon after the start; then it is looked for once before the regular looks. */
  earlyLookMs: 20,
  /** Kept free in a result for the lines that follow the output. */
  trailerChars: 500,
  /** The same for the lines around the output of a task. */
  statusChars: 200,
  /** The kernel takes no longer single argument. */
  maxCommandBytes: 131_000,
  /** How far a window is widened past its cut, so that a secret across the cut is still seen whole; longer than a private key in PEM form. */
  holdBackChars: 8_192,
  /** Up to here missing characters are counted; beyond, bytes are, because counting would mean reading everything. */
  maxCountedBytes: 8_000_000,
  /** The newest output that stays when the middle of a file is taken out, at most. */
  maxTailBytes: 1_048_576,
  /** How much longer than it should take a shell may be silent: enough to start a command, to end it and to show its output on a busy machine. */
  settleGraceMs: 10_000,
  /** What is read of the output of a hook command: room for a new input with a large file in it. */
  maxHookAnswerBytes: 16_777_216,
  /** How long the answer of a background command waits for the name of its output file. */
  fileWaitMs: 2_000,
  /** Working directories that are remembered, one for each session. */
  maxSessions: 1_000,
  /** Files and folders that are looked at by name to prove that a search meets no secrets; more are not worth the time. */
  maxSearchedEntries: 2_000,
  /** Default time limit of a command in a sandbox. */
  sandboxTimeoutMs: 300_000,
  /** How long a sandbox may take to show that it works, and to end what is inside. */
  sandboxProbeMs: 10_000,
});

/** What writing files keeps to; nobody needs to set it. */
export const fileNumbers = Object.freeze({
  /** So long a change is made anew when another program changed the file meanwhile. */
  raceMs: 2_000,
  /** Longest pause before that. */
  maxRestMs: 10,
  /** After so long without work a search thread ends. */
  idleThreadMs: 10_000,
});

/** What is remembered between calls where an option says nothing else. */
export const stateNumbers = Object.freeze({
  /** Sessions that a rate limiter counts at the same time: more than one process serves, and some 200 MB at most. */
  maxRateKeys: 1_000_000,
});

/** Numbers of results that no option changes. */
export const outputNumbers = Object.freeze({
  /** What stays of a result at the least, however many share a turn: the beginning and the end of it, and where the rest is. */
  minKeptChars: 500,
  /** New text in one progress event; more goes on in further ones. Far below what metadata may come to. */
  maxChunkChars: 65_536,
});

/** Numbers of the judgement of rules and commands, which bound its work; no option changes them. */
export const accessNumbers = Object.freeze({
  /** Folders that a command line may be in, as far as it is followed; more than any line needs. */
  maxFolders: 32,
  /** Paths of one command line that are looked at on the disk, each place that they may mean counted; what is left then may be anything. */
  maxLooks: 500,
  /** Folders and patterns of one command line whose names are looked through. */
  maxWalks: 20,
  /** Looks at the disk for what one pattern stands for that names a file to change. */
  maxPatternLooks: 100,
  /** Names in a folder that cost as much as one more look. */
  namesPerLook: 100,
  /** No kernel takes a longer path: it is taken to mean anything. */
  maxPathChars: 4_096,
  /** Links that are followed one after the other, as many as the kernel follows. */
  maxLinks: 40,
  /** More folders than any path has: such a path is taken to mean anything. */
  maxSegments: 1_000,
  /** A longer name is taken to mean anything. */
  maxNameChars: 1_000,
  /** Characters of a reason or a rule, as they are shown to the person who decides. */
  maxShownChars: 2_000,
  /** Permissions inside others that are known, besides what running turns need; those that were asked longest ago are forgotten. */
  maxInnerPermissions: 100,
});

type Numbers<Group> = { readonly [Name in keyof Group]: number };

/** A full set of limits, one group for each part of the library. */
export type Limits = { readonly [Group in keyof typeof defaultLimits]: Numbers<(typeof defaultLimits)[Group]> };

/** Some limits of some groups; what is missing keeps its default. */
export type LimitOverrides = {
  readonly [Group in keyof Limits]?: { readonly [Name in keyof Limits[Group]]?: number | undefined } | undefined;
};
