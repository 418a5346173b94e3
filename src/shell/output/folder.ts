/** The private folder in which a shell keeps the output of its commands, in private files. */
export interface OutputFolder {
  /** A name, unique on this machine, that marks the processes of this shell. */
  readonly owner: string;
  /** Creates an empty file, opened for reading and appending. */
  create(kind: string): { readonly path: string; readonly fd: number };
  /** Whether the owner is a process that has ended without cleaning up. */
  isAbandoned(owner: string): boolean;
  /** Removes folders of ended processes. */
  removeAbandoned(): void;
  /** Removes the folder and its files. */
  dispose(): void;
}
