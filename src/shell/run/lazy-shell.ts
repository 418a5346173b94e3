import type { CallScope } from '../../core/context.js';
import type { LeftCommand } from '../../core/registry/toolkit-processes.js';
import { once } from '../../core/support/once.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../ports/shell.js';

/** A shell whose commands are processes that may go on when they have answered. */
export interface ProcessShell extends Shell {
  /** The commands that may have left something running, of one session or of all. */
  leftCommands(sessionId?: string): readonly LeftCommand[];
  /** Ends what the commands of a session left running. */
  endSession(sessionId: string): Promise<void>;
  /** Ends every command and everything commands left running. No command runs after it. */
  dispose(): Promise<void>;
}

/**
 * Stands for a shell that is made for the first command: most of what an import would load for it is never needed by
 * who runs no command.
 */
export function lazyShell(make: () => Promise<ProcessShell>): ProcessShell {
  let shell: ProcessShell | undefined;
  let isBegun = false;
  let isDisposed = false;
  const made = once(async () => {
    isBegun = true;
    shell = await make();
    // It refuses by itself what comes too late.
    if (isDisposed) await shell.dispose();
    return shell;
  });
  return {
    run: async (request: ShellRequest, scope: CallScope): Promise<ShellOutcome> =>
      (shell ?? (await made())).run(request, scope),
    leftCommands: (sessionId) => shell?.leftCommands(sessionId) ?? [],
    endSession: async (sessionId) => shell?.endSession(sessionId),
    dispose: async () => {
      isDisposed = true;
      if (isBegun) await (await made()).dispose();
    },
  };
}
