import picomatch, { type PicomatchOptions } from 'picomatch';

/**
 * Returns a function that tests whether a text matches the globs. Uses the package `picomatch`, which no other file
 * imports. In brackets, `!` negates as in a shell, and POSIX classes such as `[:alpha:]` are supported.
 */
export function globMatcher(glob: string | readonly string[], options: PicomatchOptions): (text: string) => boolean {
  return picomatch(glob as string | string[], { posix: true, ...options });
}

/**
 * Makes a test of names by one path segment of a shell pattern. If the segment has a collating symbol `[[.x.]]` or an
 * equivalence class `[[=x=]]`, whose meaning depends on the locale, every name passes.
 */
export function shellMatcher(segment: string): (name: string) => boolean {
  return /\[.*\[[.=]/s.test(segment) ? () => true : globMatcher(segment, { nocase: true });
}
