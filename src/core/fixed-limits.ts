/** Numbers of the shell, its sessions and its sandboxes; no option changes them. */
export const shellNumbers = Object.freeze({
  /** Wait after the exit of the shell, for children that are ending. */
  drainMs: 40,
  /** The same wait if the output goes through a pipe, whose reader still has to write the last output to the file. */
  pipeDrainMs: 400,
  /** Wait after SIGKILL until the kernel has removed the processes; an idle machine removes them at once. */
  reapMs: 800,
  /** Delay of the first scan for detached processes. Short, because most processes detach soon after the start. */
  firstScanMs: 20,
  /** Room in a result for the lines after the output. */
  trailerChars: 500,
  /** Room in a result for the lines around the output of a task. */
  statusChars: 200,
  /** Size of a command line: the kernel rejects a longer single argument. */
  maxCommandBytes: 131_000,
  /**
   * How far the scrubber reads beyond a cut, to recognise a secret that the cut splits; longer than a private key in
   * PEM form.
   */
  holdBackChars: 8_192,
  /**
   * For a file up to this size, the omitted characters are counted. For a larger file, the omitted bytes are counted,
   * because counting characters would read the whole file.
   */
  maxCountedBytes: 8_000_000,
  /** Bytes of the newest output that are kept when the middle of a file is dropped. */
  maxTailBytes: 1_048_576,
  /**
   * Extra time for a shell beyond its other limits: enough to start a command, end it and show its output on a busy
   * machine.
   */
  settleGraceMs: 10_000,
  /** Bytes that are read of the output of a hook command: enough for a changed input that contains a large file. */
  maxHookAnswerBytes: 16_777_216,
  /** How long the result of a background command waits for the name of its output file. */
  fileWaitMs: 2_000,
  /** Sessions that are remembered, for instance with their working directory. */
  maxSessions: 1_000,
  /** Names of files and folders that are checked to prove that a search finds no secrets. */
  maxSearchedEntries: 2_000,
  /** Default time limit of a command in a sandbox. */
  sandboxTimeoutMs: 300_000,
  /** After this time without output, a command on a terminal is checked, since it may wait for input. */
  silenceMs: 60_000,
  /** Wait between typing into a terminal and showing its screen. */
  typedMs: 500,
  /** Time for the probe of a sandbox, and for ending the processes inside. */
  sandboxProbeMs: 10_000,
});

/** Numbers for writing files; no option changes them. */
export const fileNumbers = Object.freeze({
  /** How long an update is retried while another program changes the file. */
  raceMs: 2_000,
  /** Longest pause between two of these retries. */
  maxRetryPauseMs: 10,
});

/** Numbers for state that is kept between calls. */
export const stateNumbers = Object.freeze({
  /** Sessions that a rate limiter counts at the same time. No process serves so many; they take about 200 MB. */
  maxRateKeys: 1_000_000,
  /** Suspended turns that one process remembers; each takes some kilobytes. */
  maxSuspendedTurns: 1_000,
  /** Open questions of `toolkit.decide` that may still be answered. */
  maxDecidedCalls: 1_000,
  /** Tools for which a list of LangChain tools keeps the last result. */
  maxLastResults: 100,
  /** Interval of checks whether a call in another process has ended. */
  claimPollMs: 50,
});

/** Numbers of results that no option changes. */
export const outputNumbers = Object.freeze({
  /**
   * Each result keeps at least these characters, however many results a turn has: enough for its beginning, its end,
   * and the name of the file with the rest.
   */
  minKeptChars: 500,
  /**
   * Characters of new text in one progress event; further text follows in further events. Far below
   * `limits.output.maxMetadataChars`.
   */
  maxChunkChars: 65_536,
});

/** Bounds on the work of judging rules and commands; no option changes them. */
export const accessNumbers = Object.freeze({
  /**
   * Rules and names that are remembered as checked for typing errors, for one registry. Above this number all of them
   * are forgotten, so a rule may cause the same warning again.
   */
  maxCheckedRules: 10_000,
  /** Working directories of one command line that are followed through `cd`; more than any line needs. */
  maxFolders: 32,
  /**
   * Lookups on the disk for the paths of one command line. Each file that a path may mean takes one lookup; a path
   * beyond the limit counts as unknown.
   */
  maxLookups: 500,
  /** Folders and patterns of one command line that are listed on the disk. */
  maxWalks: 20,
  /** Lookups on the disk to find the files that a command may change through one file pattern. */
  maxPatternLookups: 100,
  /** Listing a folder of `n` names counts as one lookup plus `floor(n / namesPerLookup)`. */
  namesPerLookup: 100,
  /** A longer path counts as unknown, since no kernel accepts such a path. */
  maxPathChars: 4_096,
  /** Symbolic links that are followed in a row, as many as the kernel follows. */
  maxLinks: 40,
  /** A path with more segments counts as unknown. */
  maxSegments: 1_000,
  /** A longer name counts as unknown. */
  maxNameChars: 1_000,
  /** Characters of a reason or a rule, as they are shown to the person who decides. */
  maxShownChars: 2_000,
});

/** Numbers for MCP servers that no option changes. */
export const mcpNumbers = Object.freeze({
  /** Characters of a description, which every request includes. */
  maxDescriptionChars: 2_000,
  /** Characters of a description in a list of many. */
  maxSummaryChars: 200,
  /** Characters of a name or an address in a list. */
  maxLineChars: 2_000,
  /** Images and sounds of one result. */
  maxAttachments: 20,
  /** Parts of one result. */
  maxParts: 10_000,
  /** Resources in one list. */
  maxResources: 10_000,
  /** Tools that one search makes available. */
  maxFoundTools: 25,
  /**
   * Wait between the end of the input of a server and SIGTERM. All waits of a shutdown together take less than six
   * seconds.
   */
  endGraceMs: 2_000,
  /** Wait between SIGTERM and SIGKILL. */
  killGraceMs: 1_500,
  drainMs: 40,
  reapMs: 800,
  /** Wait for the output that a server wrote before its end. */
  finalOutputMs: 200,
  /**
   * After a transport error, a ping that fails within this time ends the connection. A server that is only slow is
   * checked by `pingMs`.
   */
  probeMs: 1_000,
  /** Time for the request that ends a session over HTTP, and for reading the body of an error response. */
  shortRequestMs: 1_000,
  /** Open requests of a server to the client. */
  maxQuestions: 8,
});

/** Maximum length and number of questions, todos, tasks and settings; no option changes them. */
export const planningNumbers = Object.freeze({
  maxQuestions: 4,
  minOptions: 2,
  maxOptions: 4,
  /** A header is a short label beside its question. */
  maxHeaderChars: 12,
  /** An option that a person chooses, or an entry of a list: one line. */
  maxLineChars: 200,
  /** A question, a todo, an explanation. */
  maxTextChars: 1_000,
  /** A text that is opened on request: a preview, the description of a task. */
  maxPageChars: 10_000,
  maxTodos: 200,
  /** Tasks of one session. */
  maxTasks: 1_000,
  /** Settings of one session, if the store accepts every name. */
  maxSettings: 200,
  /** Wait for a file lock of another process, which normally holds the lock for milliseconds. */
  maxLockWaitMs: 5_000,
});
