import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The result of a finished program. */
export interface ProgramOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script as a separate program, without input and with the given keys only. */
export function runProgram(
  script: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = projectRoot,
): Promise<ProgramOutcome> {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [script, ...argv], {
    cwd,
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...output }));
  });
}
