import type { SimpleCommand } from '../parse/simple-command.js';

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

/**
 * A deny rule. It checks one command. Some rules also check the earlier stages of its pipe and the substitutions in its
 * words.
 */
export type DenyRule = (command: SimpleCommand) => Denial | readonly Denial[] | undefined;
