/** A process that a command left running. */
export interface Leftover {
  readonly pid: number;
  /** Its command line. */
  readonly command: string;
  /** Absolute path of the file with its output. */
  readonly outputFile: string;
}
