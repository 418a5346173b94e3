import { join } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Shell, ShellOutcome } from '../host/shell.js';
import { shellQuote } from '../text/shell-quote.js';

/** A git worktree that one subagent works in. */
export interface Worktree {
  /** Absolute. */
  readonly path: string;
  /** The folder in it that stands for the root of the workspace. */
  readonly cwd: string;
  /** Removes it where nothing changed there; answers whether it is still there. */
  close(): Promise<boolean>;
}

/** Makes the worktree of a subagent. Rejects with `execution_failed` and the reason where git makes none. */
export type OpenWorktree = (id: string, scope: CallScope) => Promise<Worktree>;

/** Where worktrees stand, below the root; a file in it has git and searches leave it out. */
const folder = '.toolwright';
// No program that the repository names runs on the way.
const git = 'git -c core.hooksPath=/dev/null -c core.fsmonitor=false';

/** Worktrees of the repository that `root` is in, on a disk, made by the shell that commands run in. */
export function gitWorktrees(shell: Shell, root: string | undefined): OpenWorktree {
  return async (id, scope) => {
    if (root === undefined) throw noWorktree('the files of this workspace are on no disk');
    const path = join(root, folder, 'worktrees', id);
    const run = async (command: string, signal = scope.signal): Promise<ShellOutcome> =>
      await shell.run({ command, cwd: root, isBackground: true }, { caller: scope.caller, signal });
    const quoted = shellQuote(path);
    const made = await run(
      `${git} rev-parse --verify --quiet HEAD && mkdir -p ${folder}/worktrees && printf '*\\n' > ${folder}/.gitignore && ` +
        `${git} rev-parse --show-prefix && ${git} worktree add --quiet --detach ${quoted} HEAD && cd ${quoted} && pwd -P`,
    );
    const [commit = '', prefix = '', place] = made.output.split('\n');
    // A link on the way would lead out of the workspace.
    if (made.exitCode !== 0 || place !== path)
      throw noWorktree(made.output.trim() || 'there is no git repository with a commit');
    return {
      path,
      cwd: join(path, prefix),
      close: async () => {
        const isUnchanged = `test -z "$(${git} status --porcelain)" && test "$(${git} rev-parse HEAD)" = ${commit}`;
        const removed = await run(
          `cd ${quoted} && ${isUnchanged} && cd ${shellQuote(root)} && ${git} worktree remove ${quoted}`,
          new AbortController().signal,
        );
        return removed.exitCode !== 0;
      },
    };
  };
}

function noWorktree(why: string): ToolError {
  return new ToolError('execution_failed', `A git worktree could not be made: ${why}. Leave isolation out.`);
}
