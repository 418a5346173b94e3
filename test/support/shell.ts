import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostShell, SpillFolder } from 'toolwright/tools';
import { onTestFinished } from 'vitest';
import type { CallScope } from '../../src/core/context.js';
import type { LimitOverrides } from '../../src/core/limits.js';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import type { ShellOutcome, ShellRequest } from '../../src/ports/shell.js';
import type { HostShellOptions } from '../../src/shell/run/host-shell.js';

/** A real shell in its own workspace. Both are removed after the test. */
export interface ShellBench {
  readonly root: string;
  readonly shell: HostShell;
  readonly folder: SpillFolder;
  run(command: string, request?: Partial<ShellRequest>, signal?: AbortSignal): Promise<ShellOutcome>;
}

/** Makes such a shell. The given limits override the defaults. */
export function shellBench(
  options: Partial<HostShellOptions> & { readonly overrides?: LimitOverrides } = {},
): ShellBench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'shell-test-')));
  const folder = new SpillFolder();
  const { overrides, ...rest } = options;
  const shell = new HostShell({ roots: [root], folder, limits: resolveLimits(overrides), ...rest });
  onTestFinished(async () => {
    await shell.dispose();
    folder.dispose();
    rmSync(root, { recursive: true, force: true });
  });
  const run: ShellBench['run'] = (command, request = {}, signal = new AbortController().signal) =>
    shell.run({ command, ...request }, scopeOf(signal));
  return { root, shell, folder, run };
}

/** A scope for one caller. */
export function scopeOf(signal: AbortSignal = new AbortController().signal, sessionId = 's1'): CallScope {
  return { caller: { sessionId }, signal };
}

/** The leftover processes of a shell. */
export function leftoversOf(shell: HostShell) {
  return shell.leftCommands().flatMap((command) => command.leftovers());
}

/** Living processes whose command line holds `text`. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => Number(pid) !== process.pid && commandLine(pid).includes(text))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** A unique number of seconds, by which the process of a `sleep` is found. */
export function uniqueSeconds(): string {
  return `9${Math.random().toFixed(9).slice(2)}`;
}
