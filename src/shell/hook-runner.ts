import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import type { CallScope } from '../core/context.js';
import type { HookCommand, HookCommandOutcome, HookRunner } from '../host/hook-runner.js';
import type { OutputStore } from '../host/output-store.js';
import type { Shell } from '../host/shell.js';
import { shellQuote } from '../text/shell-quote.js';

const maxAnswerBytes = 1_000_000;

/** Runs hook commands through a shell, with the event in a private file: standard output and error are kept apart, and nothing is left behind. */
export function shellHookRunner(shell: Shell, store: OutputStore): HookRunner {
  return {
    run: async ({ command, input }: HookCommand, scope: CallScope): Promise<HookCommandOutcome> => {
      const files = await Promise.all([input, '', ''].map((text) => store.save(text, scope)));
      const [stdin = '', stdout = '', stderr = ''] = files;
      try {
        const line = `{ ${command}\n} < ${shellQuote(stdin)} > ${shellQuote(stdout)} 2> ${shellQuote(stderr)}`;
        const { exitCode } = await shell.run({ command: line }, scope);
        return { exitCode, stdout: readHead(stdout), stderr: readHead(stderr) };
      } finally {
        for (const file of files) rmSync(file, { force: true });
      }
    },
  };
}

function readHead(path: string): string {
  const buffer = Buffer.alloc(maxAnswerBytes);
  const file = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, maxAnswerBytes, 0));
  } finally {
    closeSync(file);
  }
}
