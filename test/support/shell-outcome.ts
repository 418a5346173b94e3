import type { ShellOutcome } from '../../src/ports/shell.js';

/** How a command ended that did well and wrote nothing, but for what is given. */
export function shellOutcome(change: Partial<ShellOutcome> = {}): ShellOutcome {
  const usual = { exitCode: 0, signal: undefined, output: '', outputFile: '/out', truncated: false };
  return { ...usual, timedOut: false, survivors: [], ...change };
}
