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
import { hostIdentity, isEndedHost } from '../files/disk/host-identity.js';
import type { OutputStore } from '../ports/output-store.js';

const prefix = 'toolwright-';
const { O_APPEND, O_CREAT, O_DIRECTORY = 0, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR } = constants;

/** A new, empty file of a {@link SpillFolder}, opened for reading and appending. Whoever asked for it closes `fd`. */
export interface SpillFile {
  /** Absolute and canonical. */
  readonly path: string;
  readonly fd: number;
}

/**
 * A private folder (0700) for output that is too long for a result, with private files (0600). It is made on first use
 * and removed, with the files that were made through it and nothing else, by {@link dispose}. On Linux it is held open,
 * so that nothing goes through a link that somebody put in its place.
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

  /** A name that no other folder on this machine has, now or later; it says which process made it. */
  get owner(): string {
    return basename(this.#open());
  }

  /** Makes an empty file called `kind` with a number, such as `bash-7.txt`. */
  create(kind: string): SpillFile {
    const path = this.#claim(kind);
    try {
      const fd = openSync(this.#held(path), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
      this.#files.add(path);
      return { path, fd };
    } catch (cause) {
      throw refused(cause, path);
    }
  }

  /** Saves a text, or bytes, as a file of its own and answers its path. */
  async save(content: string | Uint8Array): Promise<string> {
    const path = this.#claim('output', typeof content === 'string' ? 'txt' : 'bin');
    try {
      this.#files.add(path);
      await writeFile(this.#held(path), content, { flag: 'wx', mode: 0o600 });
      return path;
    } catch (cause) {
      throw refused(cause, path);
    }
  }

  /** True for the {@link owner} name of a process of this machine that has ended without tidying up. */
  isAbandoned(owner: string): boolean {
    return owner.startsWith(prefix) && isEndedHost(owner.slice(prefix.length, -7));
  }

  /**
   * Removes the folders that ended processes left beside this one: their plain files, then the folder when it is empty.
   */
  removeAbandoned(): void {
    const parent = dirname(this.#open());
    for (const name of readdirSync(parent)) {
      if (this.isAbandoned(name)) removeFolder(join(parent, name));
    }
  }

  /** Removes what was made. Further use answers `storage_failed`. */
  dispose(): void {
    this.#isDisposed = true;
    const path = this.#path;
    if (path === undefined) return;
    this.#path = undefined;
    if (this.#descriptor !== undefined || isOwnFolder(path))
      for (const file of this.#files) quietly(() => unlinkSync(this.#held(file)));
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
      throw new ToolError('storage_failed', 'The toolkit was disposed; its folder for output is gone.');
    if (this.#path !== undefined) return this.#path;
    try {
      this.#path = mkdtempSync(join(realpathSync(this.#parent), `${prefix}${hostIdentity()}-`));
      if (process.platform === 'linux') this.#descriptor = openSync(this.#path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    } catch (cause) {
      throw refused(cause, this.#parent);
    }
    return this.#path;
  }

  /** A path for system calls that leads to the same name in the very folder that was made. */
  #held(path: string): string {
    return this.#descriptor === undefined ? path : join(`/proc/self/fd/${this.#descriptor}`, basename(path));
  }

  #claim(kind: string, ending = 'txt'): string {
    return join(this.#open(), `${kind}-${++this.#count}.${ending}`);
  }
}

/** A real directory of this user at exactly this path: a link put in its place is not followed. */
function isOwnFolder(path: string): boolean {
  try {
    const stat = lstatSync(path);
    return (
      stat.isDirectory() &&
      realpathSync(path) === path &&
      (process.getuid === undefined || stat.uid === process.getuid())
    );
  } catch {
    return false;
  }
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

function quietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // What cannot be removed stays; there is nobody to tell.
  }
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
