import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { shellNumbers } from '../core/numbers.js';
import type { Sandbox, SandboxProgram } from '../host/sandbox.js';
import { isInside } from '../text/is-inside.js';
import { tryProgram } from './try-program.js';

/** How a bubblewrap sandbox differs from the strictest one. */
export interface BubblewrapOptions {
  /** Lets commands reach the network. Default false. */
  readonly network?: boolean;
  /** Files and folders that look empty inside, besides the home folder. Absolute. */
  readonly hide?: readonly string[];
  /**
   * Folders below the home folder that can be read, such as `.config/my-tool`, besides those that tools are kept in: the
   * rest of it looks empty.
   */
  readonly home?: readonly string[];
  /** More folders that can be written to. Absolute. */
  readonly writable?: readonly string[];
  /** The program. Default `bwrap` from PATH. */
  readonly file?: string;
  /** Default time limit of a command, milliseconds. Default 300,000. */
  readonly timeoutMs?: number;
}

/** What of the home folder can be read: folders that compilers, interpreters and packages are kept in. */
const toolchains = `.cargo .rustup .nvm .npm .pyenv .rbenv .nodenv .goenv .jenv .asdf .volta .fnm .bun .deno .sdkman go
  .go .dotnet .nuget/packages .ghcup .cabal .stack .opam .julia .elan .pixi .gem .conda miniconda3 anaconda3 miniforge3
  .m2/repository .m2/wrapper .gradle/wrapper .gradle/caches .yarn/berry .local/bin .local/lib .local/pipx
  .local/share/pnpm .local/share/fnm .local/share/mise .local/share/uv .local/share/virtualenvs .local/share/pipx
  .cache/pip .cache/uv .cache/yarn .cache/pnpm .cache/go-build .cache/ms-playwright .cache/node`.split(/\s+/);
/** What in these folders is no tool. */
const credentials =
  `.cargo/credentials .cargo/credentials.toml .cargo/config .cargo/config.toml .gem/credentials .npm/_logs
  .cabal/config .opam/config .julia/servers .conda/.condarc .m2/repository/settings.xml`.split(/\s+/);
const systemPlaces = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'];

/**
 * Commands in namespaces of their own, through bubblewrap on Linux: everything can be read but the home folder, the
 * hidden places and the sockets in `/run`, only the roots and an empty `/tmp` can be written, there is no network unless allowed, and no
 * process outlives its command.
 */
export function bubblewrapSandbox(options: BubblewrapOptions = {}): Sandbox {
  const { file = 'bwrap', timeoutMs = shellNumbers.sandboxTimeoutMs } = options;
  let works = false;
  return {
    name: 'bubblewrap',
    endsWithCommand: true,
    timeoutMs,
    obstacle: async ({ signal }) => {
      if (works) return undefined;
      if (process.platform !== 'linux') return 'bubblewrap runs on Linux only';
      const words = [...isolation(options), '--', '/bin/sh', '-c', 'true'];
      const complaint = await tryProgram(file, words, shellNumbers.sandboxProbeMs, signal);
      works = complaint === undefined;
      return complaint;
    },
    launch: (program) => ({
      file,
      arguments: [...isolation(options), ...folders(program, options), '--', ...shellOf(program)],
      env: program.env,
    }),
  };
}

function isolation({ network = false }: BubblewrapOptions): string[] {
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run'],
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : ['--unshare-net']),
    // As the first process of its namespace, the shell is not gone for bubblewrap until the kernel has ended all others
    // in it.
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--as-pid-1'],
  ];
}

function folders(
  { roots, cwd, files = [] }: SandboxProgram,
  { writable = [], hide = [], home: shown = [] }: BubblewrapOptions,
): string[] {
  const home = realHome();
  const open = [...roots, ...writable];
  const writing = [...open, ...files].flatMap((path) => ['--bind', path, path]);
  const hidden = [...systemSecrets(), ...hide].flatMap((path) => hiding(path));
  if (home === undefined) return [...writing, ...hidden, '--chdir', cwd];
  const below = (name: string) => join(home, name);
  const tools = [...toolchains, ...shown]
    .map(below)
    .flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : []));
  const secrets = credentials.map(below).flatMap((path) => hiding(path));
  // A workspace may be the home folder itself, or hold it: there what programs keep in it is taken away.
  const shared = isInside(home, open)
    ? [
        ...writing,
        ...dotted(home)
          .map(below)
          .flatMap((path) => hiding(path, 'writable')),
        ...tools,
      ]
    : ['--tmpfs', home, ...tools, ...writing, '--remount-ro', home];
  return [...shared, ...secrets, ...hidden, '--chdir', cwd];
}

/** The home folder with its links followed; undefined where there is none. */
function realHome(): string | undefined {
  try {
    const home = realpathSync(homedir());
    return home === '/' ? undefined : home;
  } catch {
    return undefined;
  }
}

function dotted(home: string): readonly string[] {
  return readdirSync(home).filter((name) => name.startsWith('.') && name !== '.git');
}

/** What only the administrator may read; a command that runs as one could. */
function systemSecrets(): readonly string[] {
  try {
    const keys = readdirSync('/etc/ssh').filter((name) => name.endsWith('_key'));
    return [...systemPlaces, ...keys.map((name) => `/etc/ssh/${name}`)];
  } catch {
    return systemPlaces;
  }
}

/** An empty folder or an unreadable file in the place of what is there. */
function hiding(path: string, access: 'read-only' | 'writable' = 'read-only'): string[] {
  const closed = access === 'writable' ? [] : ['--remount-ro', path];
  try {
    return statSync(path).isDirectory() ? ['--tmpfs', path, ...closed] : ['--ro-bind', '/dev/null', path];
  } catch {
    // What is not there, or out of reach for this user, is so inside too.
    return [];
  }
}

/**
 * A shell that runs the command in another one: the kernel keeps most signals from a first process, and the command may
 * count on them. What the outer one says of the inner one's death goes nowhere, as the exit status tells it.
 */
function shellOf({ command }: SandboxProgram): string[] {
  const start = (words: string) => `(exec ${words} -c -- "$1" 2>&3 3>&-)`;
  return [
    '/bin/sh',
    '-c',
    `exec 3>&2 2>/dev/null; if [ -x /bin/bash ]; then ${start('/bin/bash --noprofile --norc')}; else ` +
      `${start('/bin/sh')}; fi; exit $?`,
    'sh',
    command,
  ];
}
