import { posix } from 'node:path';
import { defaultLimits, type Limits } from '../core/limits.js';
import { assertOptions, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { StoreFiles } from '../files/store/file-system.js';
import type { FileSystem } from '../ports/file-system.js';
import type { Shell } from '../ports/shell.js';
import { remoteDocuments } from './documents.js';
import type { RemoteRun } from './run-line.js';
import { remoteShell } from './shell.js';

/** Options of {@link commandBackend}. */
export interface CommandBackendOptions {
  /**
   * The words of a program that runs a POSIX shell line on the other machine and passes on its input, output and exit
   * code: `(line) => ['ssh', 'host', line]`, `(line) => ['docker', 'exec', '-i', 'box', 'sh', '-c', line]`.
   */
  readonly run: RemoteRun;
  /** Absolute canonical path of the workspace on the other machine. */
  readonly root: string;
  /** The limits of the toolkit that uses this backend. Default: `defaultLimits`. */
  readonly limits?: Pick<Limits, 'glob' | 'grep' | 'bash' | 'output'> | undefined;
}

/** Files and commands of another machine, for `hosts: { files, shell }`. */
export interface CommandBackend extends AsyncDisposable {
  readonly files: FileSystem;
  readonly shell: Shell;
}

const kinds: OptionKinds<CommandBackendOptions> = {
  run: kindOf.callback,
  root: kindOf.absolutePath,
  limits: kindOf.record,
};

/**
 * Serves files and commands through a program such as `ssh` or `docker exec`. The other machine needs a POSIX shell
 * with `stat -c`, `mktemp`, `find -print0` and `setsid`. A read of a file runs the program once, a write several times,
 * and Grep once for each file, so Grep is slow in large trees. Folders exist only while they contain files, and links
 * are not served. Throws a TypeError for invalid options.
 */
export function commandBackend(options: CommandBackendOptions): CommandBackend {
  assertOptions('commandBackend', options, kinds, 'run', 'root');
  const { run, root, limits } = options;
  if (!posix.isAbsolute(root))
    throw new TypeError('commandBackend: root must be an absolute path on the other machine');
  const store = remoteDocuments(run, root);
  const files = new StoreFiles({ root, store, ...(limits && { limits }) }, (path) => path);
  const shell = remoteShell(run, root, limits ?? defaultLimits);
  return {
    files,
    shell,
    async [Symbol.asyncDispose]() {
      await shell[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}
