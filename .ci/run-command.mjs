import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, with a trailing separator. */
export const projectRoot = fileURLToPath(new URL('../', import.meta.url));

const path = join(projectRoot, 'node_modules/.bin') + delimiter + process.env.PATH;

/**
 * Runs a command line, split at spaces, in the folder of the project with its binaries in the PATH. With `show` the
 * output is printed, otherwise collected.
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

/** Runs a command. If it fails, throws an error with its output. */
export function mustRun(line, options) {
  const outcome = runCommand(line, options);
  if (!outcome.ok) throw new Error(`${typeof line === 'string' ? line : line.join(' ')}\n${outcome.output}`);
  return outcome.output;
}
