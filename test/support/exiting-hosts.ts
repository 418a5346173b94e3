import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compiled } from './compiled-programs.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** A program with its own shell that prints `ready` and its folder once its command runs. */
export interface ExitingHost {
  readonly pid: number;
  readonly folder: string;
  readonly lines: string[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/**
 * Starts such a program, which ends in the given way: `exit`, `throw`, `reject`, `left`, or by a signal. `command`
 * leaves a background process.
 */
export async function startHost(command: string, way: string): Promise<ExitingHost> {
  const root = temporaryFolder();
  const child = spawn(
    process.execPath,
    [compiled('test/support/exiting-host'), root, `${command} echo up${way === 'left' ? '' : '; wait'}`, way],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const lines: string[] = [];
  const ended = new Promise<Awaited<ExitingHost['ended']>>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await until(() => lines.some((line) => line.startsWith('ready')));
  return { pid: child.pid ?? 0, folder: lines[0]?.slice('ready '.length) ?? '', lines, ended };
}
