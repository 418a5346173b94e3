import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, with a separator at its end. */
export const projectRoot = fileURLToPath(new URL('../', import.meta.url));

const path = join(projectRoot, 'node_modules/.bin') + delimiter + process.env.PATH;

/**
 * Runs a command line, whose words are split at spaces, in the project's folder with its own binaries in the PATH.
 * Without `show` the output is collected instead of printed.
 */
export function runCommand(line, { show = false, cwd = projectRoot, env = {}, timeoutMs = 0 } = {}) {
  const [command, ...args] = typeof line === 'string' ? line.split(' ') : line;
  const started = performance.now();
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', ...(show ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    ...(timeoutMs > 0 ? { timeout: timeoutMs, killSignal: 'SIGKILL' } : {}),
  });
  const output = [stdout, stderr, error?.message, signal === null ? undefined : `ended by ${signal}`]
    .filter(Boolean)
    .join('\n');
  return { ok: status === 0, output, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** Runs and shows the output only when the command fails, and then throws. */
export function mustRun(line, options) {
  const outcome = runCommand(line, options);
  if (!outcome.ok) throw new Error(`${typeof line === 'string' ? line : line.join(' ')}\n${outcome.output}`);
  return outcome.output;
}
