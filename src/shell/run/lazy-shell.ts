import type { CallScope } from '../../core/context.js';
import type { LeftCommand } from '../../core/registry/toolkit-processes.js';
import { once } from '../../core/support/once.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../ports/shell.js';

/** A shell whose commands are processes that may outlive their result. */
export interface ProcessShell extends Shell {
  /** Ended commands whose processes may still run, of one session or of all sessions. */
  leftCommands(sessionId?: string): readonly LeftCommand[];
  /** Ends all commands of a session and their surviving processes. */
  endSession(sessionId: string): Promise<void>;
  /** Ends every command and all surviving processes. No command runs afterwards. */
  dispose(): Promise<void>;
}

/** A shell that is created at the first command, since its imports are large and many hosts run no command. */
export function lazyShell(make: () => Promise<ProcessShell>): ProcessShell {
  let shell: ProcessShell | undefined;
  let isBegun = false;
  let isDisposed = false;
  const made = once(async () => {
    isBegun = true;
    shell = await make();
    // The disposed shell rejects calls that waited for its creation.
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
