import { resolve as absolute, relative, sep } from 'node:path';
import type { CallScope } from '../../core/context.js';
import { sensitiveReason } from '../../core/paths/sensitive-paths.js';
import type { Footprint, Target, Verdict } from '../../core/tool.js';
import type { FileSystem } from '../../ports/file-system.js';
import { GitRepositories } from '../../shell/processes/git-repository.js';

/** What the stages before a call want to know about a path in its input. */
export interface PathFacts {
  /** For people: relative to the root where it lies inside, as it is otherwise. */
  display(path: string): string;
  /** What permission rules look at: the real path, and the one that was given. */
  reads(path: string): Promise<Target[]>;
  edits(path: string): Promise<Target[]>;
  readFootprint(path: string): Promise<Footprint>;
  editFootprint(path: string): Promise<Footprint>;
  /**
   * Demands that somebody is asked where the file is one that others run or obey, by its own name or the one it links
   * to.
   */
  objection(path: string): Promise<Verdict | undefined>;
}

/** The facts of paths in one file system; `exact` where a name that only looks like the given one is not meant. */
export function pathFacts(files: FileSystem, spelling?: 'exact'): PathFacts {
  // Where a path leads does not depend on who asks, and takes no time worth stopping.
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
        (repositories.obeys(real, roots) ? 'git obeys what is in this folder' : undefined);
      return reason === undefined ? undefined : { behavior: 'ask', reason };
    },
  };
}

function display(path: string, root: string): string {
  const inner = relative(root, path);
  return inner === '' || inner === '..' || inner.startsWith(`..${sep}`) ? path : inner;
}
