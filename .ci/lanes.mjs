import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectRoot } from './run-command.mjs';

const shownLines = 50;
/**
 * How long output is still read after the gate has ended. A process in its own session could keep the pipe open
 * forever.
 */
const restMs = 1_000;

/**
 * Runs lanes in parallel, and the gates of a lane in sequence. The first failure ends the process groups of all lanes,
 * and shows the last lines of the failed gate. A signal also ends them, and then this process. Resolves with whether
 * all gates passed.
 */
export async function runLanes(lanes, onSignal = () => {}) {
  const running = new Set();
  let failed = false;

  /** Runs one gate. True if it passed. */
  function passes(name, command) {
    const started = performance.now();
    const path = join(projectRoot, 'node_modules/.bin') + delimiter + process.env.PATH;
    const child = spawn('bash', ['-c', `exec 2>&1; ${command}`], {
      cwd: projectRoot,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    running.add(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('exit', () => {
      end(child);
      setTimeout(() => child.stdout.destroy(), restMs).unref();
    });
    return new Promise((resolve) => {
      child.on('close', (code) => {
        running.delete(child);
        if (failed) return resolve(false);
        const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
        console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(9)} ${seconds} s`);
        if (code === 0) return resolve(true);
        failed = true;
        console.log(`${output.trimEnd().split('\n').slice(-shownLines).join('\n')}\n${command}`);
        for (const other of running) end(other);
        resolve(false);
      });
    });
  }

  async function run(lane) {
    for (const [name, command] of Object.entries(lane)) if (failed || !(await passes(name, command))) return;
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      for (const child of running) end(child);
      onSignal();
      process.exit(1);
    });
  await Promise.all(lanes.map(run));
  return !failed;
}

/** Ends a gate and the processes that it started. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
