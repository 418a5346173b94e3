import type { Limits } from '../core/limits.js';
import type { LeftCommand, Leftover } from '../core/registry/toolkit-processes.js';
import type { Scrubber } from '../ports/scrubber.js';
import type { Shell } from '../ports/shell.js';
import type { SpillFolder } from '../sessions/spill-folder.js';
import { chooseSandbox, type SandboxParts } from '../shell/run/choose-sandbox.js';
import { onHostExit } from '../shell/run/host-exit.js';
import type { HostShellOptions } from '../shell/run/host-shell.js';
import { lazyShell, type ProcessShell } from '../shell/run/lazy-shell.js';
import { rememberDirectories } from '../shell/run/session-directories.js';
import { type ShellDeadline, shellDeadline } from '../tools/shell/deadline.js';
import type { ToolkitOptions } from './options.js';

export interface ShellParts {
  /** Canonical folders that commands may run in; the first is the workspace. */
  readonly roots: readonly string[];
  readonly spill: SpillFolder;
  readonly limits: Limits;
  readonly scrubber: Scrubber | false;
}

export interface WiredShell {
  /**
   * The shell for commands of the model, in the sandbox if there is one. The caller of {@link wireShell} has to add the
   * guard.
   */
  readonly unguarded: Shell;
  readonly deadline: ShellDeadline;
  /**
   * The shell for commands that the host configured, such as hooks. These commands run on this machine, without a
   * guard.
   */
  readonly own: Shell;
  /** The current working directories of sessions, with `cwdPersists`. */
  folders(): readonly string[];
  /** Processes that commands left running, of one session or of all sessions. */
  leftovers(sessionId?: string): readonly Leftover[];
  /** Commands of a session that may have left processes running. */
  leftCommands(sessionId: string): readonly LeftCommand[];
  /** Ends processes that commands of a session left running, and returns them. */
  endSession(sessionId: string): Promise<readonly Leftover[]>;
  dispose(): Promise<void>;
}

/**
 * Creates the shell of a toolkit: the shell of the host or of this process, in the sandbox if there is one, with a
 * working directory for each session.
 */
export function wireShell(given: ToolkitOptions, { roots, spill, limits, scrubber }: ShellParts): WiredShell {
  const { shell: settings = {}, sandbox, timers, hosts: { shell } = {} } = given;
  const options: HostShellOptions = {
    roots,
    folder: spill,
    limits,
    timers,
    env: settings.env,
    separateOutput: settings.separateOutput,
    ...(scrubber === false ? {} : { scrubber, learnSecrets: (values: readonly string[]) => scrubber.learn?.(values) }),
  };
  const own = hostShell(options);
  const outside = shell === undefined ? own : withOutputToFile(shell, options);
  const inside: SandboxParts['inside'] = (driver) => hostShell({ ...options, sandbox: driver });
  const confined = sandbox === undefined ? undefined : chooseSandbox(sandbox, { roots, limits, outside, inside });
  const base = confined ?? outside;
  const withDirectories =
    settings.cwdPersists === true
      ? rememberDirectories(base, { folder: spill, roots, hostPath: confined?.hostPath.bind(confined) })
      : undefined;
  // If the host passes its own shell, `own` may never start, and then it registers no clean-up. So the folder is
  // deleted here when the process exits.
  const forget = shell === undefined ? undefined : onHostExit(() => spill.dispose());
  const hosts = () => [own, ...(confined?.hosts() ?? [])];
  const leftCommands = (sessionId?: string) => hosts().flatMap((host) => host.leftCommands(sessionId));
  const leftovers = (sessionId?: string) => leftCommands(sessionId).flatMap((command) => command.leftovers());
  return {
    unguarded: withDirectories ?? base,
    deadline: shellDeadline(limits.bash, confined?.limitMs),
    own,
    folders: () => withDirectories?.directories() ?? [],
    leftovers,
    leftCommands,
    endSession: async (sessionId) => {
      withDirectories?.endSession(sessionId);
      const left = leftovers(sessionId);
      await Promise.all(hosts().map((host) => host.endSession(sessionId)));
      await confined?.endSession(sessionId);
      return left;
    },
    dispose: async () => {
      forget?.();
      await Promise.all(hosts().map((host) => host.dispose()));
    },
  };
}

/** Writes the output of commands with `onStart` to a file, because a shell of the host may not support `onStart`. */
function withOutputToFile(shell: Shell, options: HostShellOptions): Shell {
  return {
    run: async (request, scope) => {
      if (request.onStart === undefined) return await shell.run(request, scope);
      const { runToFile } = await import('../shell/output/run-to-file.js');
      return await runToFile(shell, request, scope, options);
    },
  };
}

function hostShell(options: HostShellOptions): ProcessShell {
  return lazyShell(async () => {
    const { HostShell } = await import('../shell/run/host-shell.js');
    return new HostShell(options);
  });
}
