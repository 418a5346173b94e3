import { resolve as absolute, relative, sep } from 'node:path';
import type { Footprint, Target, Verdict } from '../../core/assessment.js';
import type { CallScope } from '../../core/context.js';
import { sensitiveReason } from '../../core/text/sensitive-paths.js';
import type { FileSystem } from '../../ports/file-system.js';
import { GitRepositories } from '../../shell/run/git-repository.js';

/** Facts about paths for permissions and locks. With `exact`, a path never means a file with a look-alike name. */
export function pathFacts(files: FileSystem, spelling?: 'exact') {
  // Resolving a path does not depend on the caller, and is too fast to be worth an abort.
  const scope: CallScope = { caller: { sessionId: '' }, signal: new AbortController().signal };
  const repositories = new GitRepositories();
  const resolve = (path: string) => files.resolve(path, scope, spelling);
  const target = async (kind: 'read' | 'edit', path: string): Promise<Target> => {
    const canonical = await resolve(path);
    return { kind, path: canonical, given: absolute(files.root, path), root: files.root, isInside: true };
  };
  return {
    /** The path for people: relative to the root if the path lies inside, otherwise unchanged. */
    display: (path: string) => display(path, files.root),
    /** The targets that permission rules are matched against: the real path and the given path. */
    reads: async (path: string) => [await target('read', path)],
    edits: async (path: string) => [await target('edit', path)],
    readFootprint: async (path: string): Promise<Footprint> => ({ reads: [await resolve(path)], writes: 'nothing' }),
    editFootprint: async (path: string): Promise<Footprint> => {
      const touched = [await resolve(path)];
      return { reads: touched, writes: touched };
    },
    /** The verdict `ask` if a program such as git, a shell or CI automatically loads or runs the file. */
    objection: async (path: string): Promise<Verdict | undefined> => {
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
