/**
 * Facts about the paths of a command. Paths are spelled as in the command, unless a function says that its path is
 * absolute.
 */
export interface CommandPaths {
  /**
   * Whether a path, or everything that a pattern matches, is inside the folders that a command may read without a
   * question; links are followed. Default: true for every relative path without `..`.
   */
  readonly isInside?: (path: string) => boolean;
  /**
   * Whether a person may be asked about a recursive deletion, which is otherwise denied. The function gets each target
   * path, `~` included. It is not called, and the deletion is denied, in four cases: the line changes the folder;
   * another program starts the deletion; the line cannot be parsed completely; a word of the command is neither plain
   * nor quoted text. Default: never.
   */
  readonly allowRecursiveDelete?: (path: string) => boolean;
  /**
   * Whether a folder with everything below it, or every match of a file pattern, is free of secrets. A command may
   * search such places without a question. Default: never.
   */
  readonly holdsNoSecrets?: (pathOrPattern: string) => boolean;
  /**
   * Whether read-only git commands in a folder start no other program. True if git uses the repository of the workspace
   * there, and the settings of that repository do not name a program to start. Default: true only for the start folder.
   */
  readonly isOwnRepository?: (folder: string) => boolean;
  /**
   * Whether a file is auto-executed: other programs load or run the file by themselves (rc files, hooks, CI), so that a
   * change has effects after the command. No allow rule covers such a change. Files of shells, logins, services and git
   * always count. Default: no other file.
   */
  readonly isAutoExecuted?: (path: string) => boolean;
  /** @deprecated The old name of {@link isAutoExecuted}, until 1.0. */
  readonly isObeyed?: (path: string) => boolean;
  /**
   * The absolute folders that a command may start in, the root first; relative patterns of rules are resolved against
   * these folders. Default: the root.
   */
  readonly folders?: () => readonly string[];
  /**
   * An absolute path with its links followed, as far as the path exists; `..` after a link is the parent of its target.
   * Default: the path as it is.
   */
  readonly real?: (path: string) => string;
  /**
   * The real paths that match an absolute shell pattern now; undefined if finding them takes more than `maxLookups`
   * lookups on the disk. Default: no paths.
   */
  readonly matched?: (pattern: string, maxLookups?: number) => readonly string[] | undefined;
  /**
   * Whether a folder has a file below it for which `test` is true; undefined if the folder has too many files to check.
   * Default: undefined.
   */
  readonly holds?: (folder: string, test: (path: string) => boolean) => boolean | undefined;
  /**
   * Whether the git repository at the root tracks a file for which `test` is true; undefined if unknown.
   * Default: undefined.
   */
  readonly tracks?: (test: (path: string) => boolean) => boolean | undefined;
}
