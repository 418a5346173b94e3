import { spawnSync } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../core/text/path-names.js';

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

/**
 * Environment that disables hooks, fsmonitor, pagers, signature checks, lazy fetches and prompts of read-only git
 * commands.
 */
export const safeGitEnv: Readonly<Record<string, string>> = Object.freeze({
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

/**
 * Repository settings that are harmless for read-only git commands. With these settings, git runs no program, loads no
 * further settings and contacts no other machine. Settings that `safeGitEnv` overrides are included.
 */
const harmlessSetting = new RegExp(
  `^(?:core\\.(?:abbrev|autocrlf|bare|bigfilethreshold|checkstat|commentchar|commitgraph|compression|editor|eol|
    filemode|fsmonitor|hookspath|ignorecase|logallrefupdates|longpaths|loosecompression|multipackindex|
    pager|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|
    sharedrepository|sparsecheckout|sparsecheckoutcone|symlinks|trustctime|untrackedcache|whitespace)
  |extensions\\.(?:compatobjectformat|noop|objectformat|preciousobjects|refstorage|worktreeconfig)
  |diff\\.(?:algorithm|colormoved|colormovedws|context|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|
    renamelimit|renames|submodule|tool|wserrorhighlight)
  |merge\\.(?:conflictstyle|ff|log|renames|stat|tool)|remote\\..+\\.(?:url|pushurl|fetch|push|tagopt|prune|gh-resolved|mirror)
  |(?:advice|author|branch|color|column|commit|committer|feature|fetch|gc|gitflow|http|index|init|lfs|log|maintenance|pack|
    pull|push|rebase|receive|rerere|status|tag|user)\\..+)$`.replace(/\s+/g, ''),
);
const queryMs = 5_000;
const maxAnswerBytes = 64_000_000;

/** Facts about a repository, as git reports them. */
interface RepositoryFacts {
  readonly folder: string;
  readonly common: string;
  readonly hooks: string;
  /** Files included by its settings. */
  readonly included: readonly string[];
  readonly hasHarmlessSettings: boolean;
}

/** The content of the index. */
interface TrackedFiles {
  readonly paths: readonly string[];
  readonly hasSubmodules: boolean;
}

/** The repository that contains a folder. Git is queried once, and again when `.git` or the settings change. */
class GitRepository {
  readonly #root: string;
  #index: { readonly state: string; readonly files: TrackedFiles | undefined } | undefined;
  #known: { readonly state: string; readonly facts: RepositoryFacts | undefined } | undefined;
  #wasJustChecked = false;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether git loads or runs a file: the file lies in the git or hooks folder, or the settings include the file. */
  loadsOrRuns(path: string): boolean {
    const facts = this.#currentFacts();
    if (facts === undefined) return false;
    return [facts.folder, facts.common, facts.hooks, ...facts.included].some((each) => isInside(path, [each]));
  }

  /**
   * Whether read-only git commands in an absolute folder use this repository and run no program that it names. The
   * repository must exist, because outside a repository `git diff` compares any two files. There must be no other
   * repository between the folder and the root. All settings must be harmless, and the repository must have no
   * submodules.
   */
  runsNoHooksIn(folder: string): boolean {
    const facts = this.#currentFacts();
    if (facts === undefined || !isInside(folder, [this.#root])) return false;
    for (let each = folder; each !== this.#root; each = dirname(each))
      if (stateOf(join(each, '.git')) !== '' || stateOf(join(each, 'HEAD')) !== '') return false;
    return facts.hasHarmlessSettings && this.#tracked(facts)?.hasSubmodules === false;
  }

  /**
   * The absolute paths that git tracks. Undefined if git cannot list the paths, or lists none because there is no
   * index.
   */
  trackedPaths(): readonly string[] | undefined {
    const facts = this.#currentFacts();
    const { paths = [] } = (facts && this.#tracked(facts)) ?? {};
    return paths.length === 0 ? undefined : paths;
  }

  #tracked({ folder }: RepositoryFacts): TrackedFiles | undefined {
    const state = stateOf(join(folder, 'index'));
    if (this.#index?.state !== state) this.#index = { state, files: queryIndex(this.#root) };
    return this.#index.files;
  }

  /**
   * Checks the setting files at most once per synchronous run, because an assessment needs the facts for each path of
   * its command.
   */
  #currentFacts(): RepositoryFacts | undefined {
    if (this.#wasJustChecked) return this.#known?.facts;
    this.#wasJustChecked = true;
    queueMicrotask(() => {
      this.#wasJustChecked = false;
    });
    return this.#facts();
  }

  #facts(): RepositoryFacts | undefined {
    const { facts } = this.#known ?? {};
    const files = facts === undefined ? [] : settingFiles(facts);
    const state = [join(this.#root, '.git'), ...files].map(stateOf).join(' ');
    if (this.#known?.state === state) return facts;
    const queried = queryGit(this.#root);
    const watched = queried === undefined ? [] : settingFiles(queried);
    this.#known = { state: [join(this.#root, '.git'), ...watched].map(stateOf).join(' '), facts: queried };
    return queried;
  }
}

const maxRepositories = 64;

/** The repositories that contain given paths. */
export class GitRepositories {
  readonly #known = new Map<string, GitRepository>();

  /** Whether git loads or runs a file for a repository that contains the file or a root. */
  loadsOrRuns(path: string, roots: readonly string[]): boolean {
    return [...new Set([...roots, ...foldersAbove(path)])].some((folder) => this.in(folder).loadsOrRuns(path));
  }

  /** The repository of a folder. */
  in(folder: string): GitRepository {
    const repository = this.#known.get(folder) ?? new GitRepository(folder);
    if (this.#known.size >= maxRepositories) this.#known.clear();
    this.#known.set(folder, repository);
    return repository;
  }
}

/** The folders above a path that contain `.git`. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let each = dirname(path); each !== dirname(each); each = dirname(each))
    if (stateOf(join(each, '.git')) !== '') folders.push(each);
  return folders;
}

function settingFiles({ folder, common }: Pick<RepositoryFacts, 'folder' | 'common'>): readonly string[] {
  return [join(common, 'config'), join(folder, 'config.worktree')];
}

function queryGit(root: string): RepositoryFacts | undefined {
  for (let each = root; stateOf(join(each, '.git')) === ''; each = dirname(each))
    if (each === dirname(each)) return undefined;
  const places = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir', '--git-path', 'hooks'];
  const [folder, relation, hooks] = runGit(root, places)?.split('\n') ?? [];
  if (!folder || !relation || !hooks) return undefined;
  const common = resolve(folder, relation);
  const included: string[] = [];
  let hasHarmlessSettings = true;
  for (const file of settingFiles({ folder, common }).filter((each) => stateOf(each) !== '')) {
    const list = isRegular(file) ? runGit(root, ['config', '--file', file, '--list', '-z']) : undefined;
    hasHarmlessSettings &&= list !== undefined;
    for (const entry of list?.split('\0') ?? []) {
      const [key = '', ...value] = entry.split('\n');
      if (key === '') continue;
      hasHarmlessSettings &&= harmlessSetting.test(key);
      if (/^include(?:if\..*)?\.path$/s.test(key))
        included.push(resolve(dirname(file), value.join('\n').replace(/^~(?=\/)/, homedir)));
    }
  }
  return { folder, common, hooks, included, hasHarmlessSettings };
}

// In a sparse index one entry stands for a whole folder. The result is then undefined, because listing the files of the
// folder could fetch them from another machine.
function queryIndex(root: string): TrackedFiles | undefined {
  const entries = runGit(root, ['ls-files', '--stage', '--sparse', '-z', ':/'])?.split('\0').slice(0, -1);
  if (entries === undefined || entries.some((entry) => entry.startsWith('040000 '))) return undefined;
  return {
    paths: entries.map((entry) => resolve(root, entry.slice(entry.indexOf('\t') + 1))),
    hasSubmodules: entries.some((entry) => entry.startsWith('160000 ')),
  };
}

function runGit(cwd: string, words: readonly string[]): string | undefined {
  const { PATH, HOME } = process.env;
  // The queries read `core.hooksPath`, so entry 1 of `safeGitEnv`, which overrides this setting, is replaced.
  const env = { ...safeGitEnv, PATH, HOME, GIT_CONFIG_KEY_1: 'core.pager', GIT_CONFIG_VALUE_1: 'cat' };
  const { status, stdout } = spawnSync('git', words, {
    cwd,
    env,
    timeout: queryMs,
    maxBuffer: maxAnswerBytes,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : undefined;
}

/** The identity and times of the file at a path; empty if no file exists there. */
function stateOf(path: string): string {
  try {
    // A dangling symlink counts as an existing file.
    const { ino, mtimeMs, ctimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path);
    return `${ino} ${mtimeMs} ${ctimeMs} ${size}`;
  } catch {
    return '';
  }
}

/** Whether a file is regular. Reading a named pipe would block. */
function isRegular(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
