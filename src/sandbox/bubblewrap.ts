import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { shellNumbers } from '../core/numbers.js';
import type { Sandbox, SandboxProgram } from '../host/sandbox.js';
import { tryProgram } from './try-program.js';

/** How a bubblewrap sandbox differs from the strictest one. */
export interface BubblewrapOptions {
  /** Lets commands reach the network. Default false. */
  readonly network?: boolean;
  /**
   * Files and folders that look empty inside, besides the usual places of credentials below the home folder. Absolute.
   */
  readonly hide?: readonly string[];
  /** More folders that can be written to. Absolute. */
  readonly writable?: readonly string[];
  /** The program. Default `bwrap` from PATH. */
  readonly file?: string;
  /** Default time limit of a command, milliseconds. Default 300,000. */
  readonly timeoutMs?: number;
}

const credentialPlaces = `.ssh .aws .azure .gnupg .kube .docker .netrc .npmrc .pypirc .git-credentials
  .config/gcloud .config/gh .config/git/credentials .cargo/credentials.toml .password-store`.split(/\s+/);
const systemPlaces = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'];

/**
 * Commands in namespaces of their own, through bubblewrap on Linux: everything can be read but the hidden places and
 * the sockets in `/run`, only the roots and an empty `/tmp` can be written, there is no network unless allowed, and no
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
  { writable = [], hide = [] }: BubblewrapOptions,
): string[] {
  const writing = [...roots, ...writable, ...files].flatMap((path) => ['--bind', path, path]);
  const hidden = [...credentialPlaces.map((place) => join(homedir(), place)), ...systemSecrets(), ...hide].flatMap(
    hiding,
  );
  return [...writing, ...hidden, '--chdir', cwd];
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
function hiding(path: string): string[] {
  try {
    return statSync(path).isDirectory() ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
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
