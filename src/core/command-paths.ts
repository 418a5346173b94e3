/**
 * Facts about the paths of a command. A path is as the command spells it, unless a function says that it is absolute.
 */
export interface CommandPaths {
  /**
   * Whether a path, or everything that a pattern matches, is inside the workspace and so may be read without a question;
   * links are followed.
   */
  readonly isInside?: (path: string) => boolean;
  /** Whether a person may be asked about a recursive deletion, which is otherwise refused. */
  readonly allowRecursiveDelete?: (path: string) => boolean;
  /** Whether a folder with everything below it, or every match of a pattern, is free of secrets. */
  readonly holdsNoSecrets?: (pathOrPattern: string) => boolean;
  /** Whether git in a folder uses the repository of the workspace and runs no program that git settings name. */
  readonly isOwnRepository?: (folder: string) => boolean;
  /**
   * Whether programs load or run a file automatically (rc files, hooks, CI). No allow rule covers a change of such a
   * file.
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
   * Whether the git repository with its top at the root tracks a file for which `test` is true; undefined if unknown.
   * Default: undefined.
   */
  readonly tracks?: (test: (path: string) => boolean) => boolean | undefined;
}
