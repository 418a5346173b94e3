import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellNumbers } from '../../core/fixed-limits.js';
import { assertOptions, kindOf } from '../../core/support/check-values.js';
import { isInside } from '../../core/text/path-names.js';
import type { Sandbox, SandboxProgram } from '../../ports/sandbox.js';
import { hiddenInHome, isOfSystem, namesIn, ownHomes, pathsOf, shownInHome } from './home-paths.js';
import { canonical, isSocket, MountPlan } from './mount-plan.js';
import { tryProgram } from './run-program-once.js';

/** Options of {@link bubblewrapSandbox}; the default is the strictest sandbox. */
export interface BubblewrapOptions {
  /** Whether commands may use the network, which includes abstract Unix sockets. Default false. */
  readonly network?: boolean;
  /** Absolute paths of files and folders that appear empty in the sandbox, in addition to the home folders. */
  readonly hide?: readonly string[];
  /**
   * Folders below the home folder that can be read, such as `.config/my-tool`, in addition to the usual tool folders.
   * The rest of the home folder appears empty.
   */
  readonly home?: readonly string[];
  /** Absolute paths of further writable folders. */
  readonly writable?: readonly string[];
  /** The bubblewrap program. Default `bwrap` from PATH. */
  readonly file?: string;
  /** Default time limit of a command in milliseconds. Default 300,000. */
  readonly timeoutMs?: number;
}

const { flag, text, texts, milliseconds } = kindOf;
const kinds = { network: flag, hide: texts, home: texts, writable: texts, file: text, timeoutMs: milliseconds };

/** Folders that are private to each command and empty at first. */
const temporary = ['/tmp', '/var/tmp', '/run'];
const secretSystemFiles = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
];

/**
 * Runs commands in Linux namespaces, through bubblewrap. Commands can read everything except the home folders and the
 * hidden paths. They can write to the roots. They can also write to `/tmp`, `/var/tmp`, `/run` and the user's
 * `~/.cache`, which are empty at first except for read-only tool caches in `~/.cache`. They have no network unless it
 * is allowed, and no process outlives its command.
 *
 * Home folders are the home folder of the account, the folder in `HOME`, `/root` and all folders in `/home`. Files
 * elsewhere can be read with the rights of the user, even if a home folder links to them. Unix sockets need no network:
 * the sockets that are open when a command starts are hidden, except in the roots. Known limitation: a socket that is
 * created later, or by a container, can be reached unless it is in a folder that appears empty. Abstract sockets cannot
 * be reached without a network.
 */
export function bubblewrapSandbox(options: BubblewrapOptions = {}): Sandbox {
  assertOptions('bubblewrapSandbox', options, kinds);
  const { file = 'bwrap', timeoutMs = shellNumbers.sandboxTimeoutMs } = options;
  let works = false;
  return {
    name: 'bubblewrap',
    endsWithCommand: true,
    timeoutMs,
    obstacle: async ({ signal }) => {
      if (works) return undefined;
      if (process.platform !== 'linux') return 'bubblewrap runs on Linux only';
      const words = [...mounts({ roots: [] }, options), ...isolation(options), '--', '/bin/sh', '-c', 'true'];
      const complaint = await tryProgram(file, words, shellNumbers.sandboxProbeMs, signal);
      works = complaint === undefined;
      return complaint;
    },
    launch: (program) => ({
      file,
      arguments: [
        ...mounts(program, options),
        ...isolation(options, program.isInteractive),
        ...['--chdir', program.cwd, '--', ...shellOf(program)],
      ],
      env: program.env,
    }),
  };
}

function isolation({ network = false }: BubblewrapOptions, isInteractive = false): string[] {
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    // A separate session keeps commands from typing into the terminal of this program (TIOCSTI); an interactive command
    // has its own terminal.
    ...(isInteractive ? [] : ['--new-session']),
    // The shell is the first process of its PID namespace. Bubblewrap sees the end of the shell only after the kernel
    // has ended all other processes of the namespace.
    ...['--cap-drop', 'ALL', '--die-with-parent', '--as-pid-1'],
  ];
}

function mounts(
  { roots, files = [] }: Pick<SandboxProgram, 'roots' | 'files'>,
  { network = false, writable = [], hide = [], home: shown = [] }: BubblewrapOptions,
): string[] {
  const plan = new MountPlan();
  const open = [...roots, ...writable].map((path) => canonical(path) ?? path);
  const own = ownHomes();
  const accounts = isInside('/home', open) ? namesIn('/home').map((name) => join('/home', name)) : ['/home'];
  const homes = [...own, '/root', ...accounts].flatMap((path) => canonical(path) ?? []);
  for (const home of homes) if (!isInside(home, open)) plan.show(home, 'empty');
  for (const path of temporary) plan.show(path, 'scratch');
  // If the workspace is or contains a home folder, the program data in that home folder are hidden.
  const programData = homes.filter((home) => isInside(home, open)).flatMap(dataOfPrograms);
  for (const path of programData) plan.show(path, 'scratch');
  // An earlier command may have created a symlink in a writable folder, to make its target readable (symlink attack).
  const mayMislead = (path: string) => {
    if (!isInside(path, open)) return false;
    const others = programData.filter((other) => !isInside(path, [other])).flatMap((other) => canonical(other) ?? []);
    const real = canonical(path) ?? path;
    return real !== path && isInside(real, [...homes, ...temporary, ...others]);
  };
  for (const path of own) {
    plan.keepLink(path);
    const home = canonical(path) ?? path;
    const requested = shown.map((name) => join(home, name));
    const tools = [...shownInHome.flatMap((name) => pathsOf(home, name)), ...requested];
    // Some tools, such as go, need a writable cache.
    const cache = join(home, '.cache');
    if ((canonical(cache) ?? cache) === cache && !isInside(cache, [...open, ...requested])) plan.show(cache, 'scratch');
    for (const tool of tools) if (!mayMislead(tool)) plan.show(tool, 'read');
    for (const name of hiddenInHome) for (const secret of pathsOf(home, name)) plan.show(secret, 'empty');
  }
  if (network) plan.show('/run/systemd/resolve', 'read');
  for (const path of socketsOutside(open)) plan.show(path, 'empty');
  for (const path of [...roots, ...writable, ...files]) plan.show(path, 'write');
  for (const path of [...systemSecrets(), ...hide]) plan.hide(path);
  return plan.arguments();
}

/** The entries of a home folder that begin with a dot, where programs keep data. Links to system paths do not count. */
function dataOfPrograms(home: string): readonly string[] {
  const names = namesIn(home).filter((name) => name.startsWith('.') && name !== '.git');
  return names.map((name) => join(home, name)).filter((path) => !isOfSystem(canonical(path) ?? '/'));
}

/** Unix sockets of local programs, which a network namespace does not isolate. */
function socketsOutside(folders: readonly string[]): readonly string[] {
  try {
    const paths = readFileSync('/proc/net/unix', 'utf8').matchAll(/ (\/.*)$/gm);
    return [...paths].flatMap(([, path = '']) => (isSocket(path) && !isInside(path, folders) ? [path] : []));
  } catch {
    return [];
  }
}

/** Files that only root may read; hidden because commands may run as root. */
function systemSecrets(): readonly string[] {
  const keys = namesIn('/etc/ssh').filter((name) => name.endsWith('_key'));
  return [...secretSystemFiles, ...keys.map((name) => `/etc/ssh/${name}`)];
}

/**
 * Runs the command in a nested shell, because the kernel ignores most signals for the first process of a namespace. The
 * command may rely on these signals. If the inner shell is killed, the message of the outer shell is discarded, because
 * the exit status reports the same.
 */
function shellOf({ command, isInteractive = false }: SandboxProgram): string[] {
  const bash = '/bin/bash --noprofile --norc';
  const start = (words: string) => `(exec ${words} -c -- "$1" 2>&3 3>&-)`;
  const muteStderr = 'exec 3>&2 2>/dev/null; ';
  const script = isInteractive
    ? // With job control the command is the foreground group of the terminal, so that Ctrl-C reaches it and does not
      // end bubblewrap. The shell finds the terminal through its stderr, which is redirected only afterwards.
      `if [ -x /bin/bash ]; then exec ${bash} -m -c '${muteStderr}${bash} -c -- "$1" 2>&3 3>&-; exit $?' sh "$1"; ` +
      'else exec /bin/sh -c -- "$1"; fi'
    : `${muteStderr}if [ -x /bin/bash ]; then ${start(bash)}; else ${start('/bin/sh')}; fi; exit $?`;
  return ['/bin/sh', '-c', script, 'sh', command];
}
