import { readCall } from './passed-words.js';
import type { SimpleCommand } from './simple-command.js';

/** The context of a command within a command line. */
export interface ReadingScope
  extends Pick<
    SimpleCommand,
    'input' | 'wrapper' | 'at' | 'passed' | 'substituted' | 'background' | 'repeated' | 'forked' | 'functions'
  > {
  /** The text that positions of the syntax tree refer to. */
  readonly source: string;
  readonly depth: number;
}

/** The scope of a whole line. */
export function lineScope(source: string): ReadingScope {
  return {
    source,
    depth: 0,
    input: [],
    wrapper: undefined,
    at: undefined,
    passed: undefined,
    substituted: false,
    background: false,
    repeated: false,
    forked: false,
    functions: [],
  };
}

/** An empty command. It stands for the unknown commands of the line that write the input of a scope. */
const written = readCall({ ...lineScope(''), argv: [], assignments: [], redirections: [], text: '' });

/** The scope of code whose input other commands write (`>(…)`, `coproc`). */
export function receiving(scope: ReadingScope): ReadingScope {
  return { ...scope, input: [...scope.input, written] };
}

/** The scope of code in the background. */
export function forked(scope: ReadingScope): ReadingScope {
  return { ...scope, background: true, forked: scope.forked || scope.repeated };
}
