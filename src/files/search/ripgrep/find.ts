import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { optionalPackage } from '../../../core/support/optional-package.js';

/** The environment variable that names the ripgrep program; `off` switches it off. */
export const ripgrepVariable = 'TOOLWRIGHT_RIPGREP';

/**
 * Returns the program in `option`, else in the environment variable `TOOLWRIGHT_RIPGREP`, else in the optional package
 * `@vscode/ripgrep`, else in a folder of `PATH`. Undefined if there is no program, if `option` is false, or if the
 * variable is `off`. Also undefined if the program that the option or the variable names cannot be run.
 */
export async function findRipgrep(
  option: string | false | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  if (option === false) return undefined;
  if (option !== undefined) return (await isProgram(option)) ? option : undefined;
  const named = environment[ripgrepVariable];
  if (named === 'off') return undefined;
  if (named !== undefined && named !== '') return (await isProgram(named)) ? named : undefined;
  const bundled = await bundledRipgrep();
  if (bundled !== undefined && (await isProgram(bundled))) return bundled;
  return onPath(environment.PATH ?? environment.Path ?? '');
}

async function bundledRipgrep(): Promise<string | undefined> {
  try {
    return ((await optionalPackage('@vscode/ripgrep')) as { readonly rgPath: string }).rgPath;
  } catch {
    // The package is not installed, or throws while loading because it has no program for this platform.
    return undefined;
  }
}

async function onPath(path: string): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const folder of path.split(delimiter)) {
    // With a relative folder the program would depend on the working directory.
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, name);
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return isAbsolute(path) && (await stat(path)).isFile();
  } catch {
    return false;
  }
}
