import {
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../core/error.js';
import { ifPossible } from '../core/support/check-values.js';
import { quietly } from '../core/support/listeners.js';
import { isEndedProcess, processIdentity } from '../files/disk/process-identity.js';
import type { OutputStore } from '../ports/output-store.js';

const prefix = 'toolwright-';
const { O_APPEND, O_CREAT, O_DIRECTORY = 0, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR } = constants;

/** A new, empty file of a {@link SpillFolder}, opened for reading and appending. The caller closes `fd`. */
export interface SpillFile {
  /** Absolute and canonical. */
  readonly path: string;
  readonly fd: number;
}

/**
 * A private folder (0700) for output that is too long for a result, with private files (0600). The folder is created on
 * first use. {@link dispose} removes the folder with the files created through it, and nothing else. On Linux the
 * folder stays open, so that a symlink put in its place is not followed (symlink race).
 */
export class SpillFolder implements OutputStore {
  readonly #parent: string;
  readonly #files = new Set<string>();
  #path: string | undefined;
  #descriptor: number | undefined;
  #count = 0;
  #isDisposed = false;

  /** `parent` defaults to the folder for temporary files of the system. */
  constructor(options: { readonly parent?: string } = {}) {
    this.#parent = options.parent ?? tmpdir();
  }

  /** The canonical path, or undefined before the first use. */
  get path(): string | undefined {
    return this.#path;
  }

  /** A unique name of this folder on this machine; it contains the process id. */
  get owner(): string {
    return basename(this.#open());
  }

  /** Creates an empty file named by `kind` and a number, such as `bash-7.txt`. */
  create(kind: string): SpillFile {
    const path = this.#claim(kind);
    try {
      const fd = openSync(this.#throughDescriptor(path), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
      this.#files.add(path);
      return { path, fd };
    } catch (cause) {
      throw refused(cause, path);
    }
  }

  /** Saves content as a new file and returns its path. */
  async save(content: string | Uint8Array): Promise<string> {
    const path = this.#claim('output', typeof content === 'string' ? 'txt' : 'bin');
    try {
      this.#files.add(path);
      await writeFile(this.#throughDescriptor(path), content, { flag: 'wx', mode: 0o600 });
      return path;
    } catch (cause) {
      throw refused(cause, path);
    }
  }

  /** Whether an {@link owner} name belongs to a process of this machine that has ended without cleaning up. */
  isAbandoned(owner: string): boolean {
    return owner.startsWith(prefix) && isEndedProcess(owner.slice(prefix.length, -7));
  }

  /** Removes the folders of ended processes beside this folder: first their regular files, then the empty folders. */
  removeAbandoned(): void {
    const parent = dirname(this.#open());
    for (const name of readdirSync(parent)) {
      if (this.isAbandoned(name)) removeFolder(join(parent, name));
    }
  }

  /** Removes the folder and its files. Later use fails with `storage_failed`. */
  dispose(): void {
    this.#isDisposed = true;
    const path = this.#path;
    if (path === undefined) return;
    this.#path = undefined;
    if (this.#descriptor !== undefined || isOwnFolder(path))
      for (const file of this.#files) quietly(() => unlinkSync(this.#throughDescriptor(file)));
    this.#files.clear();
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
    if (isOwnFolder(path)) quietly(() => rmdirSync(path));
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #open(): string {
    if (this.#isDisposed)
      throw new ToolError('storage_failed', 'The toolkit was disposed, and its output folder was removed.');
    if (this.#path !== undefined) return this.#path;
    try {
      this.#path = mkdtempSync(join(realpathSync(this.#parent), `${prefix}${processIdentity()}-`));
      if (process.platform === 'linux') this.#descriptor = openSync(this.#path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    } catch (cause) {
      throw refused(cause, this.#parent);
    }
    return this.#path;
  }

  /** A path through the open descriptor, so that it leads into the created folder. */
  #throughDescriptor(path: string): string {
    return this.#descriptor === undefined ? path : join(`/proc/self/fd/${this.#descriptor}`, basename(path));
  }

  #claim(kind: string, ending = 'txt'): string {
    return join(this.#open(), `${kind}-${++this.#count}.${ending}`);
  }
}

/** Whether a path is a directory of this user; symlinks are not followed. */
function isOwnFolder(path: string): boolean {
  const stat = ifPossible(() => lstatSync(path));
  const isOwn = stat?.isDirectory() === true && ifPossible(() => realpathSync(path)) === path;
  return isOwn && (process.getuid === undefined || stat.uid === process.getuid());
}

function removeFolder(path: string): void {
  if (!isOwnFolder(path)) return;
  quietly(() => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isFile()) quietly(() => unlinkSync(join(path, entry.name)));
    }
    rmdirSync(path);
  });
}

function refused(cause: unknown, path: string): ToolError {
  if (ToolError.is(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolError(
    'storage_failed',
    `Output cannot be kept in ${path}: ${reason}. Free some space or set TMPDIR to a writable folder.`,
    { cause },
  );
}
