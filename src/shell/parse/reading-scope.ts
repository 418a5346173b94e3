import type { SimpleCommand } from './simple-command.js';

/** Where in a command line the reader stands: what surrounds a command. */
export interface ReadingScope
  extends Pick<SimpleCommand, 'input' | 'wrapper' | 'at' | 'substituted' | 'background' | 'forked' | 'functions'> {
  /** The text that positions of the syntax tree count in. */
  readonly source: string;
  readonly depth: number;
  /** True in a loop. */
  readonly repeated: boolean;
}

/** The scope a whole line is read in. */
export function lineScope(source: string): ReadingScope {
  return {
    source,
    depth: 0,
    input: [],
    wrapper: undefined,
    at: undefined,
    substituted: false,
    background: false,
    repeated: false,
    forked: false,
    functions: [],
  };
}

/** The scope of what is started without waiting for it. */
export function forked(scope: ReadingScope): ReadingScope {
  return { ...scope, background: true, forked: scope.forked || scope.repeated };
}
