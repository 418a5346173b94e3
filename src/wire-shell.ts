import type { Limits } from './core/limits.js';
import type { Leftover } from './core/toolkit.js';
import type { Sandbox } from './host/sandbox.js';
import type { Shell, ShellOutcome } from './host/shell.js';
import { type CommandGuard, guardShell } from './shell/guarded-shell.js';
import { onHostExit } from './shell/host-exit.js';
import { HostShell, type HostShellOptions } from './shell/host-shell.js';
import { sandboxShell } from './shell/sandboxed-shell.js';
import { rememberDirectories } from './shell/session-directories.js';
import type { SpillFolder } from './state/spill-folder.js';
import type { Scrubber } from './text/scrubber.js';
import type { SandboxSettings, ShellSettings } from './toolkit-options.js';

/** What the shell of a toolkit is made from. */
export interface ShellParts {
  /** Canonical folders that commands may run in; the first is the workspace. */
  readonly roots: readonly string[];
  readonly spill: SpillFolder;
  readonly limits: Limits;
  readonly scrubber: Scrubber | false;
  readonly guard: CommandGuard;
  readonly settings: ShellSettings;
  /** Replaces the processes of this machine. */
  readonly shell: Shell | undefined;
  readonly sandbox: Sandbox | SandboxSettings | undefined;
}

/** The shell of a toolkit. */
export interface WiredShell {
  /** For the model: guarded, and in the sandbox when there is one. */
  readonly guarded: Shell;
  /** For what the host itself configured, such as hook commands: this machine, unguarded. */
  readonly own: Shell;
  /** Folders in which sessions stand now, where `cd` lasts. */
  folders(): readonly string[];
  /** What commands left running. */
  leftovers(): readonly Leftover[];
  dispose(): Promise<void>;
}

/** Puts the shell together: processes, sandbox, working directory, guard. */
export function wireShell({ roots, spill, limits, scrubber, guard, settings, shell, sandbox }: ShellParts): WiredShell {
  const options: HostShellOptions = {
    roots,
    folder: spill,
    limits,
    env: settings.env,
    separateOutput: settings.separateOutput,
    ...(scrubber === false ? {} : { scrubber, learnSecrets: (values: readonly string[]) => scrubber.learn(values) }),
  };
  const own = new HostShell(options);
  const confined = sandbox === undefined ? undefined : confine(sandbox, options, shell ?? own);
  const base = confined?.shell ?? shell ?? own;
  const lasting =
    settings.cwdPersists === true ? rememberDirectories(base, { folder: spill, roots, hostPath: confined?.hostPath }) : undefined;
  // The host's own shell may never start a process that would tidy up at exit.
  const forget = shell === undefined ? undefined : onHostExit(() => spill.dispose());
  const hosts = confined === undefined ? [own] : [own, confined.inside];
  return {
    guarded: guardShell(lasting ?? base, guard),
    own,
    folders: () => lasting?.directories() ?? [],
    leftovers: () => hosts.flatMap((host) => host.leftovers()),
    dispose: async () => {
      forget?.();
      await Promise.all(hosts.map((host) => host.dispose()));
    },
  };
}

function confine(
  sandbox: Sandbox | SandboxSettings,
  options: HostShellOptions,
  outside: Shell,
): { readonly shell: Shell; readonly inside: HostShell; hostPath(directory: string, outcome: ShellOutcome): string | undefined } {
  const { driver, onUnavailable, allowDisable } = 'driver' in sandbox ? sandbox : { driver: sandbox };
  const inside = new HostShell({ ...options, sandbox: driver });
  const hostPath = (directory: string, { sandbox: ranIn }: ShellOutcome) =>
    ranIn === undefined || driver.hostPath === undefined ? directory : driver.hostPath(directory, options.roots);
  return { inside, hostPath, shell: sandboxShell({ sandbox: driver, inside, outside, onUnavailable, allowDisable }) };
}
