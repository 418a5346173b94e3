import type { SimpleCommand } from '../parse/simple-command.js';

/** The groups of commands that are denied. */
export type DenyCategory =
  | 'destructive-files'
  | 'disk'
  | 'system-control'
  | 'fork-bomb'
  | 'remote-code'
  | 'reverse-shell'
  | 'eval-injection';

/** A finding of a deny rule. `targets` are the known target paths of a deletion. */
export interface Denial {
  readonly category: DenyCategory;
  readonly text: string;
  readonly targets?: readonly string[];
}

/** A deny rule: checks a command, and where it matters also the commands before it in the pipe and inside its words. */
export type DenyRule = (command: SimpleCommand) => Denial | readonly Denial[] | undefined;
