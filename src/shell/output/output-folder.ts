/** Where a shell keeps the output of its commands; a private folder with private files. */
export interface OutputFolder {
  /** A name that no other folder on this machine has, now or later. Processes are marked with it. */
  readonly owner: string;
  /** Makes an empty file, opened for reading and appending. */
  create(kind: string): { readonly path: string; readonly fd: number };
  /** True for the owner name of a process that has ended without tidying up. */
  isAbandoned(owner: string): boolean;
  /** Removes what ended processes left behind. */
  removeAbandoned(): void;
  /** Removes everything that was made. */
  dispose(): void;
}
