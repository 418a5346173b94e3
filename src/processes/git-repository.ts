import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const settings = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'safe.bareRepository': 'explicit',
  'log.showSignature': 'false',
  'diff.submodule': 'short',
  'status.submoduleSummary': 'false',
  'blame.ignoreRevsFile': '',
};

/** Variables with which git, while it looks, starts as little as possible of what a repository names. */
export const quietGit: Readonly<Record<string, string>> = Object.freeze({
  GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
});

/** Settings by which looking starts a program, reads more settings, or reaches another machine. */
const obeyedByLooking =
  /(?:^|\])[ \t]*(?:fsmonitor|hookspath|external|textconv|command|clean|smudge|process|driver|path|attributesfile|worktree|alternaterefscommand|program|showsignature|promisor|partialclone|sshcommand)[ \t]*(?:=|$|[#;])/im;
/** The mode of a submodule in the index. */
const submodule = Buffer.from([0, 0, 0xe0, 0]);
const askMs = 5_000;

interface Places {
  readonly folder: string;
  readonly common: string;
  readonly hooks: string;
}

/** The repository that a workspace is in. Git is asked once where it keeps things, and again when `.git` changes. */
export class GitRepository {
  readonly #root: string;
  #index: { readonly state: string; readonly holds: boolean } | undefined;
  #known: { readonly state: string; readonly places: Places | undefined } | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether git obeys what is in a file, as it lies in its folder or in that of the hooks. */
  obeys(path: string): boolean {
    const places = this.#places();
    if (places === undefined) return false;
    return [places.folder, places.common, places.hooks].some((folder) => isWithin(path, folder));
  }

  /**
   * Whether git in an absolute folder works on this repository, and nothing in that is started by looking: there is one,
   * for without it `git diff` shows files as `diff` does, no other
   * repository lies between the folder and the root, no setting of its own names a program, and it has no submodules.
   */
  isQuietIn(folder: string): boolean {
    const places = this.#places();
    if (places === undefined || !isWithin(folder, this.#root)) return false;
    for (let each = folder; each !== this.#root; each = dirname(each))
      if (stateOf(join(each, '.git')) !== '' || stateOf(join(each, 'HEAD')) !== '') return false;
    const files = [join(places.common, 'config'), join(places.folder, 'config.worktree')];
    return !files.some((file) => obeyedByLooking.test(contentOf(file).toString())) && !this.#hasSubmodules(places);
  }

  #hasSubmodules({ folder }: Places): boolean {
    const index = join(folder, 'index');
    const state = stateOf(index);
    if (this.#index?.state !== state) this.#index = { state, holds: contentOf(index).includes(submodule) };
    return this.#index.holds;
  }

  #places(): Places | undefined {
    const state = stateOf(join(this.#root, '.git'));
    if (this.#known?.state !== state) this.#known = { state, places: askGit(this.#root) };
    return this.#known.places;
  }
}

function askGit(root: string): Places | undefined {
  for (let each = root; stateOf(join(each, '.git')) === ''; each = dirname(each))
    if (each === dirname(each)) return undefined;
  const { PATH, HOME } = process.env;
  const words = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir', '--git-path', 'hooks'];
  const env = { ...quietGit, PATH, HOME };
  // Where the hooks are is asked for, so that setting is left as it is.
  const asked = { ...env, GIT_CONFIG_KEY_1: 'core.pager', GIT_CONFIG_VALUE_1: 'cat' };
  const { status, stdout } = spawnSync('git', words, { cwd: root, env: asked, timeout: askMs, encoding: 'utf8' });
  const [folder, common, hooks] = status === 0 ? stdout.split('\n') : [];
  return folder && common && hooks ? { folder, common: resolve(folder, common), hooks } : undefined;
}

function isWithin(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && !inner.startsWith(sep));
}

/** Which file stands at a path, and since when; empty where there is none. */
function stateOf(path: string): string {
  try {
    const { ino, mtimeMs } = lstatSync(path);
    return `${ino} ${mtimeMs}`;
  } catch {
    return '';
  }
}

/** The content of a regular file; nothing where it cannot be read, as git reads nothing then either. */
function contentOf(path: string): Buffer {
  try {
    // A pipe would be waited for.
    if (statSync(path).isFile()) return readFileSync(path);
  } catch {
    // It is not there.
  }
  return Buffer.alloc(0);
}
