import { closeSync, fstatSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import type { CallScope } from '../../core/context.js';
import { shellNumbers } from '../../core/fixed-limits.js';
import { shellQuote } from '../../core/text/shell-quote.js';
import type { OutputStore } from '../../ports/output-store.js';
import type { Shell } from '../../ports/shell.js';

const { maxHookAnswerBytes } = shellNumbers;

/**
 * Runs hook commands through a shell. Standard input is a private file with the event; standard output and error are
 * captured in two others. All three files are removed afterwards. Background processes of a hook command keep running.
 * Rejects if a successful command printed more than `maxHookAnswerBytes`, since the unread rest may contain the answer.
 */
export function shellHookRunner(shell: Shell, store: OutputStore) {
  return async (command: string, input: string, scope: CallScope) => {
    const files = await Promise.all([input, '', ''].map((text) => store.save(text, scope)));
    const [stdin = '', stdout = '', stderr = ''] = files;
    try {
      const line = `{ ${command}\n} < ${shellQuote(stdin)} > ${shellQuote(stdout)} 2> ${shellQuote(stderr)}`;
      const { exitCode } = await shell.run({ command: line }, scope);
      return { exitCode, stdout: exitCode === 0 ? readWhole(stdout) : readHead(stdout), stderr: readHead(stderr) };
    } finally {
      for (const file of files) rmSync(file, { force: true });
    }
  };
}

function readWhole(path: string): string {
  if (statSync(path).size <= maxHookAnswerBytes) return readHead(path);
  throw new Error(
    `the hook command printed more than ${maxHookAnswerBytes} bytes; print the answer, and write logs to a file`,
  );
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(maxHookAnswerBytes, fstatSync(file).size));
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}
