import type { ShellOutcome } from '../../src/ports/shell.js';

/** The outcome of a successful command without output, with the given overrides. */
export function shellOutcome(change: Partial<ShellOutcome> = {}): ShellOutcome {
  const usual = { exitCode: 0, signal: undefined, output: '', outputFile: '/out', truncated: false };
  return { ...usual, timedOut: false, survivors: [], ...change };
}
