import type { SimpleCommand } from './simple-command.js';

/** The position of a command within a command line. */
export interface ReadingScope
  extends Pick<SimpleCommand, 'input' | 'wrapper' | 'at' | 'substituted' | 'background' | 'forked' | 'functions'> {
  /** The text that positions of the syntax tree refer to. */
  readonly source: string;
  readonly depth: number;
  /** True in a loop. */
  readonly repeated: boolean;
}

/** The scope of a whole line. */
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

/** The scope of code that is started without waiting for it. */
export function forked(scope: ReadingScope): ReadingScope {
  return { ...scope, background: true, forked: scope.forked || scope.repeated };
}
