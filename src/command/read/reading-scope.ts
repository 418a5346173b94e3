import type { ShellFunction } from './shell-syntax.js';
import { type CommandInput, noInput, type ShellLoop, type SimpleCommand } from './simple-command.js';
import type { Variables } from './variables.js';

/** Where in a command line the reader stands: what surrounds a command, and what its shell knows there. */
export interface ReadingScope {
  /** The text that positions of the syntax tree count in. */
  readonly source: string;
  readonly depth: number;
  readonly variables: Variables;
  readonly definitions: Map<string, ShellFunction>;
  readonly input: CommandInput;
  readonly wrapper: string | undefined;
  readonly guessed: boolean;
  readonly substituted: boolean;
  readonly background: boolean;
  /** True for a stage of a pipe. */
  readonly piped: boolean;
  readonly loops: readonly ShellLoop[];
  readonly forkedLoops: number;
  readonly condition: boolean;
  readonly functions: readonly string[];
}

/** The scope a whole line is read in. */
export function lineScope(source: string): ReadingScope {
  return {
    source,
    depth: 0,
    variables: new Map(),
    definitions: new Map(),
    input: noInput,
    wrapper: undefined,
    guessed: false,
    substituted: false,
    background: false,
    piped: false,
    loops: [],
    forkedLoops: 0,
    condition: false,
    functions: [],
  };
}

/** The scope of what is started without waiting for it. */
export function forked(scope: ReadingScope): ReadingScope {
  return { ...scope, background: true, forkedLoops: scope.loops.length };
}

/** The scope of the body of a loop. */
export function insideLoop(loop: ShellLoop, scope: ReadingScope): ReadingScope {
  return { ...scope, loops: [...scope.loops, loop], condition: false };
}

/** What a command keeps of the scope it stands in. */
export function surroundings(
  scope: ReadingScope,
): Omit<SimpleCommand, 'argv' | 'assignments' | 'redirections' | 'text'> {
  const { input, wrapper, guessed, substituted, background, loops, forkedLoops, condition, functions } = scope;
  return { input, wrapper, guessed, substituted, background, loops, forkedLoops, condition, functions };
}
