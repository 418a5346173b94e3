import { resolve as absolute, relative, sep } from 'node:path';
import type { CallScope } from '../../core/context.js';
import { sensitiveReason } from '../../core/text/sensitive-paths.js';
import type { Footprint, Target, Verdict } from '../../core/tool.js';
import type { FileSystem } from '../../ports/file-system.js';
import { GitRepositories } from '../../shell/run/git-repository.js';

/** The facts that permission checks and locks need about a path in the input of a call. */
export interface PathFacts {
  /** The path for people: relative to the root if the path lies inside, otherwise unchanged. */
  display(path: string): string;
  /** The targets that permission rules are matched against: the real path and the given path. */
  reads(path: string): Promise<Target[]>;
  edits(path: string): Promise<Target[]>;
  readFootprint(path: string): Promise<Footprint>;
  editFootprint(path: string): Promise<Footprint>;
  /**
   * The verdict `ask` if programs run the file at the given or real path automatically (rc files, hooks, CI), or if git
   * loads or runs files in its folder.
   */
  objection(path: string): Promise<Verdict | undefined>;
}

/** The facts of paths in one file system; with `exact`, a name in another spelling is another file. */
export function pathFacts(files: FileSystem, spelling?: 'exact'): PathFacts {
  // Resolving a path does not depend on the caller, and is too fast to be worth an abort.
  const scope: CallScope = { caller: { sessionId: '' }, signal: new AbortController().signal };
  const repositories = new GitRepositories();
  const resolve = (path: string) => files.resolve(path, scope, spelling);
  const target = async (kind: 'read' | 'edit', path: string): Promise<Target> => {
    const canonical = await resolve(path);
    return { kind, path: canonical, given: absolute(files.root, path), root: files.root, isInside: true };
  };
  return {
    display: (path) => display(path, files.root),
    reads: async (path) => [await target('read', path)],
    edits: async (path) => [await target('edit', path)],
    readFootprint: async (path) => ({ reads: [await resolve(path)], writes: 'nothing' }),
    editFootprint: async (path) => {
      const touched = [await resolve(path)];
      return { reads: touched, writes: touched };
    },
    objection: async (path) => {
      const real = await resolve(path);
      const roots = files.roots ?? [files.root];
      const reason =
        sensitiveReason(path, roots) ??
        (real === path ? undefined : sensitiveReason(real, roots)) ??
        (repositories.loadsOrRuns(real, roots) ? 'git loads or runs files in this folder' : undefined);
      return reason === undefined ? undefined : { behavior: 'ask', reason };
    },
  };
}

function display(path: string, root: string): string {
  const inner = relative(root, path);
  return inner === '' || inner === '..' || inner.startsWith(`..${sep}`) ? path : inner;
}
