import { join } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { shellQuote } from '../core/text/shell-quote.js';
import type { Shell, ShellOutcome } from '../ports/shell.js';

/** A git worktree that one subagent works in. */
export interface Worktree {
  readonly path: string;
  /** The folder in the worktree that corresponds to the root of the workspace. */
  readonly cwd: string;
  /** Removes the worktree if nothing changed in it; resolves with whether it still exists. */
  close(): Promise<boolean>;
}

/** Makes the worktree of a subagent. Rejects with `execution_failed` and the reason if git fails. */
export type OpenWorktree = (id: string, scope: CallScope) => Promise<Worktree>;

/** The folder of worktrees below the root; a `.gitignore` in it excludes it from git and searches. */
const folder = '.toolwright';
// Disables hooks and fsmonitor, because they run programs of the repository.
const git = 'git -c core.hooksPath=/dev/null -c core.fsmonitor=false';

/** Makes worktrees of the git repository at `root`, through the shell. Without a root they are refused. */
export function gitWorktrees(shell: Shell, root: string | undefined): OpenWorktree {
  return async (id, scope) => {
    if (root === undefined) throw noWorktree('the files of this workspace are not on a disk');
    const path = join(root, folder, 'worktrees', id);
    const quoted = shellQuote(path);
    const run = async (commands: readonly string[], signal: AbortSignal): Promise<ShellOutcome> => {
      const request = { command: commands.join(' && '), cwd: root, isBackground: true };
      return await shell.run(request, { caller: scope.caller, signal });
    };
    const remove = (conditions: readonly string[], how = '') =>
      run([...conditions, `${git} worktree remove ${how} ${quoted}`], new AbortController().signal);
    const make = [
      `${git} rev-parse --verify --quiet HEAD`,
      `${git} rev-parse --show-prefix`,
      // A symbolic link could lead out of the workspace. A link that is made after this check is not detected (TOCTOU).
      `{ ! test -L ${folder} && ! test -L ${folder}/worktrees || { echo '${folder} is a link'; false; }; }`,
      `mkdir -p ${folder}/worktrees`,
      `printf '*\\n' > ${folder}/.gitignore`,
      `${git} worktree add --quiet --detach ${quoted} HEAD`,
    ];
    const made = await run(make, scope.signal).catch(async (thrown: unknown) => {
      await remove([], '--force').catch(() => {});
      throw thrown;
    });
    const [commit = '', prefix = ''] = made.output.split('\n');
    if (made.timedOut) await remove([], '--force').catch(() => {});
    if (made.exitCode !== 0)
      throw noWorktree(made.output.trim().split('\n').at(-1) || 'there is no git repository with a commit');
    return {
      path,
      cwd: join(path, prefix),
      close: async () => {
        const isUnchanged = `test -z "$(${git} -C ${quoted} status --porcelain)"`;
        const isSame = `test "$(${git} -C ${quoted} rev-parse HEAD)" = ${commit}`;
        return (await remove([isUnchanged, isSame])).exitCode !== 0;
      },
    };
  };
}

function noWorktree(why: string): ToolError {
  return new ToolError('execution_failed', `A git worktree could not be made: ${why}. Leave isolation out.`);
}
