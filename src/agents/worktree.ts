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
  /**
   * Removes the worktree unless its commit or a file, even an ignored file, was changed. Resolves with whether the
   * worktree remains.
   */
  close(): Promise<boolean>;
}

/** Makes the worktree of a subagent. Rejects with `execution_failed` and the reason if git fails. */
export type OpenWorktree = (id: string, scope: CallScope) => Promise<Worktree>;

/** The folder of worktrees below the root; its `.gitignore` excludes the folder from git and searches. */
const folder = '.toolwright';
const worktrees = `${folder}/worktrees`;
const ignore = `${folder}/.gitignore`;
// Disables hooks and fsmonitor, because they run programs of the repository.
const git = 'git -c core.hooksPath=/dev/null -c core.fsmonitor=false';

/** Makes worktrees of the git repository at `root`, through the shell. Without a root, worktrees are refused. */
export function gitWorktrees(shell: Shell, root: string | undefined): OpenWorktree {
  return async (id, scope) => {
    if (root === undefined) throw noWorktree('the files of this workspace are not on a disk');
    const path = join(root, worktrees, id);
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
      ...[folder, worktrees, ignore].map((place) => `{ ! test -L ${place} || { echo '${place} is a link'; false; }; }`),
      `mkdir -p ${worktrees}`,
      `printf '*\\n' > ${ignore}`,
      `${git} worktree add --quiet --detach ${quoted} HEAD`,
    ];
    const printed = await run(make, scope.signal)
      .then(({ exitCode, output }) => {
        if (exitCode === 0) return output;
        throw noWorktree(output.trim().split('\n').at(-1) || 'there is no git repository with a commit');
      })
      .catch(async (thrown: unknown) => {
        // git may have been killed halfway.
        await remove([], '--force').catch(() => {});
        throw thrown;
      });
    const [commit = '', prefix = ''] = printed.split('\n');
    return {
      path,
      cwd: join(path, prefix),
      close: async () => {
        const isUnchanged = `test -z "$(${git} -C ${quoted} status --porcelain --ignored)"`;
        const isSame = `test "$(${git} -C ${quoted} rev-parse HEAD)" = ${commit}`;
        return (await remove([isUnchanged, isSame])).exitCode !== 0;
      },
    };
  };
}

function noWorktree(why: string): ToolError {
  return new ToolError('execution_failed', `A git worktree could not be made: ${why}. Leave isolation out.`);
}
