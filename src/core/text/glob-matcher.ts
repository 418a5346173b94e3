import picomatch, { type PicomatchOptions } from 'picomatch';

/**
 * A test for texts by globs, as `picomatch`; only this file imports the package. In brackets, `!` negates as in a shell,
 * and POSIX classes such as `[:alpha:]` are known.
 */
export function globMatcher(glob: string | readonly string[], options: PicomatchOptions): (text: string) => boolean {
  return picomatch(glob as string | string[], { posix: true, ...options });
}

/**
 * A test for the names that a pattern segment of a shell matches. Every name passes if the pattern has a collating symbol
 * or an equivalence class (`[[.x.]]`, `[[=x=]]`), because their meaning depends on the locale.
 */
export function shellMatcher(segment: string): (name: string) => boolean {
  return /\[.*\[[.=]/s.test(segment) ? () => true : globMatcher(segment, { nocase: true });
}
