import { execFile } from 'node:child_process';

/** Runs a program to see whether it works: undefined when it ends with code 0 within `limitMs`, else what it said. */
export function tryProgram(
  file: string,
  words: readonly string[],
  limitMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, [...words], { timeout: limitMs, signal, encoding: 'utf8' }, (error, _, complaint) => {
      if (error === null) resolve(undefined);
      else
        resolve(
          error.code === 'ENOENT' ? `${file} is not installed` : firstLine(complaint) || firstLine(error.message),
        );
    });
  });
}

/** What a program prints; empty when it fails or takes longer than `limitMs`. */
export function outputOf(file: string, words: readonly string[], limitMs: number): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, [...words], { timeout: limitMs, encoding: 'utf8' }, (error, output) =>
      resolve(error === null ? output : ''),
    );
  });
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 300) ?? '';
}
