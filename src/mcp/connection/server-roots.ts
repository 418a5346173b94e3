import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { McpServerConfig } from './server-config.js';

/**
 * The folders that a server is told as its roots. A list is taken as it is. By default a server whose arguments name
 * folders keeps to those: programs such as server-filesystem give up the folders of their arguments for any roots.
 */
export function rootsOf(
  { roots, args = [], cwd = process.cwd() }: McpServerConfig,
  ofToolkit: (() => readonly string[]) | undefined,
): (() => readonly string[]) | undefined {
  if (roots === false) return undefined;
  if (roots === undefined && args.some((arg) => mayNameFolder(arg, cwd))) return undefined;
  return roots === undefined || roots === 'toolkit' ? ofToolkit : () => roots;
}

/** Whether an argument, or what follows its first `=`, is a path of something other than a file: a script is a file. */
function mayNameFolder(arg: string, cwd: string): boolean {
  const path = /^-{1,2}[\w-]+=(.*)$/s.exec(arg)?.[1] ?? arg;
  if (path.startsWith('-') || path === '') return false;
  try {
    return statSync(resolve(cwd, path)).isDirectory();
  } catch {
    // A folder that is not there yet, or a text that is no path at all.
    return isAbsolute(path) || /^(?:~|\.{1,2}(?:[\\/]|$)|\$\{)/.test(path);
  }
}
