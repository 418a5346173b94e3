import { realpathSync, statSync } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/paths/is-inside.js';

/**
 * The canonical working directory for a command: `cwd` must exist inside one of `roots` by real path. Default: the
 * first root.
 */
export function workingDirectory(cwd: string | undefined, roots: readonly string[]): string {
  const [root = '/'] = roots;
  const wanted = cwd ?? root;
  const real = canonical(wanted);
  if (real === undefined) {
    throw new ToolError(
      'execution_failed',
      `The working directory ${wanted} does not exist or is not a folder; the command was not run. ${advice(wanted, root)}`,
    );
  }
  // The root is allowed by definition.
  if (wanted === root || isAllowed(real, roots)) return real;
  throw new ToolError(
    'path_outside_root',
    `The working directory ${wanted} is outside the workspace ${root}. Use a folder inside it.`,
  );
}

/** Whether a path is an existing folder inside one of `roots` by real path. */
export function isAllowedDirectory(path: string, roots: readonly string[]): boolean {
  const real = canonical(path);
  return real !== undefined && isAllowed(real, roots);
}

function isAllowed(real: string, roots: readonly string[]): boolean {
  return isInside(
    real,
    roots.flatMap((root) => canonical(root) ?? []),
  );
}

function canonical(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function advice(wanted: string, root: string): string {
  return wanted === root ? 'Tell the user that the workspace is missing.' : `Make it again or use ${root}.`;
}
