import type { Limits } from '../core/limits.js';
import type { LeftCommand, Leftover } from '../core/registry/toolkit-processes.js';
import type { Shell } from '../ports/shell.js';
import type { Scrubber } from '../secrets/scrubber.js';
import type { SpillFolder } from '../sessions/spill-folder.js';
import { onHostExit } from '../shell/processes/host-exit.js';
import { chooseSandbox, type SandboxParts } from '../shell/run/choose-sandbox.js';
import { type ShellDeadline, shellDeadline } from '../shell/run/deadline-shell.js';
import type { HostShellOptions } from '../shell/run/host-shell.js';
import { lazyShell, type ProcessShell } from '../shell/run/lazy-shell.js';
import { rememberDirectories } from '../shell/run/session-directories.js';
import type { ToolkitOptions } from './toolkit-options.js';

/** What the shell of a toolkit is made with, besides its options. */
export interface ShellParts {
  /** Canonical folders that commands may run in; the first is the workspace. */
  readonly roots: readonly string[];
  readonly spill: SpillFolder;
  readonly limits: Limits;
  readonly scrubber: Scrubber | false;
}

/** The shell of a toolkit. */
export interface WiredShell {
  /** For the model, once a guard is put around it: in the sandbox when there is one. */
  readonly unguarded: Shell;
  /** How long it is waited for. */
  readonly deadline: ShellDeadline;
  /** For what the host itself configured, such as hook commands: this machine, unguarded. */
  readonly own: Shell;
  /** Folders in which sessions stand now, where `cd` lasts. */
  folders(): readonly string[];
  /** What commands left running, of one session or of all. */
  leftovers(sessionId?: string): readonly Leftover[];
  /** The commands that may have left something running, of one session. */
  leftCommands(sessionId: string): readonly LeftCommand[];
  /** Ends what the commands of a session left running, and answers what that was. */
  endSession(sessionId: string): Promise<readonly Leftover[]>;
  dispose(): Promise<void>;
}

/** Puts the shell together: processes, sandbox, working directory. */
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
  const outside = shell === undefined ? own : keptShell(shell, options);
  const inside: SandboxParts['inside'] = (driver) => hostShell({ ...options, sandbox: driver });
  const confined = sandbox === undefined ? undefined : chooseSandbox(sandbox, { roots, limits, outside, inside });
  const base = confined ?? outside;
  const withDirectories =
    settings.cwdPersists === true
      ? rememberDirectories(base, { folder: spill, roots, hostPath: confined?.hostPath.bind(confined) })
      : undefined;
  // The host's own shell may never start a process that would tidy up at exit.
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

/** A shell of the embedding program may keep no file of its own. */
function keptShell(shell: Shell, options: HostShellOptions): Shell {
  return {
    run: async (request, scope) => {
      if (request.onStart === undefined) return await shell.run(request, scope);
      const { runToFile } = await import('../shell/output/output-to-file.js');
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
