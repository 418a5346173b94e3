/**
 * Numbers of the shell that follow from the kernel and from what commands do, not from anybody's taste: no option
 * changes them.
 */
export const shellNumbers = Object.freeze({
  /** After the shell has exited, for children that are just ending. */
  drainMs: 40,
  /** The same where programs of our own carry the last output to the file. */
  pipeDrainMs: 400,
  /** After KILL, for the kernel to take the processes away: at once where it is not busy. */
  reapMs: 800,
  /**
   * What leaves its command mostly does so soon after the start; then it is looked for once before the regular looks.
   */
  earlyLookMs: 20,
  /** Kept free in a result for the lines that follow the output. */
  trailerChars: 500,
  /** The same for the lines around the output of a task. */
  statusChars: 200,
  /** The kernel takes no longer single argument. */
  maxCommandBytes: 131_000,
  /**
   * How far a window is widened past its cut, so that a secret across the cut is still seen whole; longer than a
   * private key in PEM form.
   */
  holdBackChars: 8_192,
  /** Up to here missing characters are counted; beyond, bytes are, because counting would mean reading everything. */
  maxCountedBytes: 8_000_000,
  /** The newest output that stays when the middle of a file is taken out, at most. */
  maxTailBytes: 1_048_576,
  /**
   * How much longer than it should take a shell may be silent: enough to start a command, to end it and to show its
   * output on a busy machine.
   */
  settleGraceMs: 10_000,
  /** What is read of the output of a hook command: room for a new input with a large file in it. */
  maxHookAnswerBytes: 16_777_216,
  /** How long the answer of a background command waits for the name of its output file. */
  fileWaitMs: 2_000,
  /** Working directories that are remembered, one for each session. */
  maxSessions: 1_000,
  /**
   * Files and folders that are looked at by name to prove that a search meets no secrets; more are not worth the time.
   */
  maxSearchedEntries: 2_000,
  /** Default time limit of a command in a sandbox. */
  sandboxTimeoutMs: 300_000,
  /** A command on a terminal that has put out nothing for so long is looked at: it may wait for input. */
  silenceMs: 60_000,
  /** How long a program has to answer what was typed, before its screen is shown. */
  typedMs: 500,
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
  /** Suspended turns whose calls one process knows; each is some kilobytes. */
  maxSuspendedTurns: 1_000,
  /** Questions that were decided on and may be answered. */
  maxDecidedCalls: 1_000,
  /** Tools whose last result a list for LangChain keeps. */
  maxLastResults: 100,
  /** How often a call that another process has in hands is looked at. */
  claimPollMs: 50,
});

/** Numbers of results that no option changes. */
export const outputNumbers = Object.freeze({
  /**
   * What stays of a result at the least, however many share a turn: the beginning and the end of it, and where the rest
   * is.
   */
  minKeptChars: 500,
  /** New text in one progress event; more goes on in further ones. Far below what metadata may come to. */
  maxChunkChars: 65_536,
});

/** Numbers of the judgement of rules and commands, which bound its work; no option changes them. */
export const accessNumbers = Object.freeze({
  /** Rules and names of one registry that were checked for slips; past it each is checked, and warned of, again. */
  maxCheckedRules: 10_000,
  /** Folders that a command line may be in, as far as it is followed; more than any line needs. */
  maxFolders: 32,
  /**
   * Paths of one command line that are looked at on the disk, each place that they may mean counted; what is left then
   * may be anything.
   */
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
  /**
   * Permissions inside others that are known, besides what running turns need; those that were asked longest ago are
   * forgotten.
   */
  maxInnerPermissions: 100,
});

/** What is shown of MCP servers, and how their processes end; no option changes it. */
export const mcpNumbers = Object.freeze({
  /** Characters of a description, which every request carries. */
  maxDescriptionChars: 2_000,
  /** The same in a list of many. */
  maxSummaryChars: 200,
  /** A name or an address in a list. */
  maxLineChars: 2_000,
  /** Images and sounds of one result. */
  maxAttachments: 20,
  /** Parts of one result. */
  maxParts: 10_000,
  /** Resources in one list. */
  maxResources: 10_000,
  /** Tools that one search makes available. */
  maxFoundTools: 25,
  /** From the end of the input of a server to TERM; with all that follows less than six seconds. */
  endGraceMs: 2_000,
  /** From TERM to KILL. */
  killGraceMs: 1_500,
  drainMs: 40,
  reapMs: 800,
  /** What a server wrote before its end may take so long to come in. */
  lastWordsMs: 200,
  /** A server that may be gone, since a request could not be sent, has so long to answer a ping. */
  probeMs: 1_000,
  /** How long a server behind an address has to hear that its session is over. */
  farewellMs: 1_000,
  /** What a server may ask of us at the same time. */
  maxQuestions: 8,
});

/** How long the texts of questions, todos, tasks and settings may be, and how many there may be; no option changes them. */
export const planningNumbers = Object.freeze({
  maxQuestions: 4,
  minOptions: 2,
  maxOptions: 4,
  /** A header stands on a chip beside its question. */
  maxHeaderChars: 12,
  /** What a person chooses or a list names: one line. */
  maxLineChars: 200,
  /** A question, a todo, an explanation. */
  maxTextChars: 1_000,
  /** What is read on purpose: a preview, the description of a task. */
  maxPageChars: 10_000,
  maxTodos: 200,
  /** Tasks of one session. */
  maxTasks: 1_000,
  /** Settings of one session where any is taken. */
  maxSettings: 200,
  /** How long a file that another process works on is waited for; it needs it for milliseconds. */
  maxLockWaitMs: 5_000,
});
