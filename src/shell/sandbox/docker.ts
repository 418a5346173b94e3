import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { posix, relative } from 'node:path';
import { shellNumbers } from '../../core/fixed-limits.js';
import { assertOptions, kindOf } from '../../core/support/check-values.js';
import { isInside } from '../../core/text/path-names.js';
import type { Sandbox, SandboxProgram } from '../../ports/sandbox.js';
import { outputOf, tryProgram } from './run-program-once.js';

/** Options of {@link dockerSandbox}. */
export interface DockerOptions {
  /** The image; it must contain `sh`, and bash for commands that need it. */
  readonly image: string;
  /** Network mode of docker, such as `bridge`. Default `none`. */
  readonly network?: string;
  /**
   * User and group of commands, `UID:GID`. Default: those of this process, because root in the container has no
   * capabilities and cannot write files of another user. If this process runs as root, the default is the user of the
   * image. A rootless daemon needs `0:0`.
   */
  readonly user?: string;
  /** Memory limit such as `2g`. Default: none. */
  readonly memory?: string;
  /** Maximum number of processes. Default 512. */
  readonly maxProcesses?: number;
  /** The docker client. Default `docker` from PATH. */
  readonly file?: string;
  /** Default time limit of a command in milliseconds. Default 300,000. */
  readonly timeoutMs?: number;
}

const { text, number, milliseconds } = kindOf;
const kinds = {
  ...{ image: text, network: text, user: text, memory: text, file: text },
  ...{ maxProcesses: number, timeoutMs: milliseconds },
};
const workspace = '/workspace';
const ownerLabel = 'toolwright.owner';
/** Variables of the docker client. */
const clientNames = /^DOCKER_/;
/** Inherited variables that are meaningful inside the container. */
const sameInside = /^(?:LANG|LANGUAGE|LC_.*|TZ|.*_proxy)$/i;

/**
 * Runs each command in a fresh container through the docker command line. The first root is mounted at `/workspace`,
 * further roots at `/workspace-2` and so on. No other local files are visible, except the `files` of the program. No
 * process outlives its command.
 */
export function dockerSandbox(options: DockerOptions): Sandbox {
  assertOptions('dockerSandbox', options, kinds);
  if (options.image === undefined) throw new TypeError("dockerSandbox: pass image, such as 'node:22'");
  const { file = 'docker', timeoutMs = shellNumbers.sandboxTimeoutMs } = options;
  let works = false;
  return {
    name: 'docker',
    endsWithCommand: true,
    timeoutMs,
    obstacle: async ({ signal }) => {
      if (works) return undefined;
      const complaint = await tryProgram(
        file,
        ['version', '--format', '{{.Server.Version}}'],
        shellNumbers.sandboxProbeMs,
        signal,
      );
      works = complaint === undefined;
      return complaint;
    },
    launch: (program) => {
      const container = `toolwright-${randomBytes(8).toString('hex')}`;
      return {
        file,
        arguments: [
          'run',
          '--name',
          container,
          ...(program.owner === undefined ? [] : ['--label', `${ownerLabel}=${program.owner}`]),
          ...restrictions(options),
          ...(program.isInteractive === true ? ['--interactive', '--tty'] : []),
          ...mounts(program),
          ...variables(program),
          options.image,
          ...shellOf(program),
        ],
        env: clientEnvironment(program),
        end: async () => {
          await tryProgram(file, ['kill', container], shellNumbers.sandboxProbeMs, new AbortController().signal);
        },
        kill: () => {
          const killer = spawn(file, ['kill', container], { detached: true, stdio: 'ignore' });
          killer.on('error', () => {});
          killer.unref();
        },
      };
    },
    hostPath: localPathOf,
    reap: async (isAbandoned) => {
      const format = `{{.ID}} {{.Label "${ownerLabel}"}}`;
      const listed = await outputOf(
        file,
        ['ps', '--filter', `label=${ownerLabel}`, '--format', format],
        shellNumbers.sandboxProbeMs,
      );
      const containers = listed.split('\n').map((line) => line.split(' '));
      const abandoned = containers.flatMap(([id = '', owner = '']) => (id !== '' && isAbandoned(owner) ? [id] : []));
      if (abandoned.length > 0) await outputOf(file, ['kill', ...abandoned], shellNumbers.sandboxProbeMs);
    },
  };
}

function restrictions({ network = 'none', memory, maxProcesses = 512, user = ownUser() }: DockerOptions): string[] {
  const limits = memory === undefined ? [] : ['--memory', memory];
  return [
    '--rm',
    '--init',
    '--network',
    network,
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--pids-limit',
    String(maxProcesses),
    ...(user === undefined ? [] : ['--user', user]),
    ...limits,
  ];
}

function ownUser(): string | undefined {
  const id = process.getuid?.() ?? 0;
  return id === 0 ? undefined : `${id}:${process.getgid?.()}`;
}

function mounts({ roots, cwd, files = [] }: SandboxProgram): string[] {
  const folders = roots.map((root, index) => [root, containerPath(index)] as const);
  const single = files.map((file) => [file, file] as const);
  const mounted = [...folders, ...single].flatMap(([source, target]) => [
    '--mount',
    `type=bind,${csvField(`source=${source}`)},${csvField(`target=${target}`)}`,
  ]);
  const index = roots.findIndex((root) => isInside(cwd, [root]));
  const folder = posix.join(containerPath(Math.max(0, index)), relative(roots[index] ?? cwd, cwd));
  return [...mounted, '--workdir', folder];
}

function containerPath(index: number): string {
  return index === 0 ? workspace : `${workspace}-${index + 1}`;
}

/** The local folder of a path inside the container. */
function localPathOf(path: string, roots: readonly string[]): string | undefined {
  const index = roots.findIndex(
    (_, each) => path === containerPath(each) || path.startsWith(`${containerPath(each)}/`),
  );
  const root = roots[index];
  return root === undefined ? undefined : posix.join(root, posix.relative(containerPath(index), path));
}

/** Quotes a mount option as a field of a CSV line. */
function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `DOCKER_*` variables come from this process only, so that the client uses the daemon that was probed. */
function clientEnvironment({ env }: SandboxProgram): Record<string, string> {
  const given = Object.entries(env).filter(([name]) => !clientNames.test(name));
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    clientNames.test(name) && value !== undefined ? [[name, value]] : [],
  );
  return Object.fromEntries([...given, ...own]);
}

/**
 * The options pass variables by name only: the client reads the values from its environment, so that no secret is on a
 * command line.
 */
function variables({ env, inherited }: SandboxProgram): string[] {
  return Object.keys(env)
    .filter((name) => name !== 'PWD' && !clientNames.test(name) && (!inherited.has(name) || sameInside.test(name)))
    .flatMap((name) => ['--env', name]);
}

function shellOf({ command }: SandboxProgram): string[] {
  return [
    '/bin/sh',
    '-c',
    'if command -v bash >/dev/null 2>&1; then exec bash --noprofile --norc -c -- "$1"; else exec sh -c -- "$1"; fi',
    'sh',
    command,
  ];
}
