import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { ToolError } from '../core/error.js';
import { stateNumbers } from '../core/fixed-limits.js';
import { assertOptions, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { undefinedFor } from '../core/support/os-error-code.js';
import { waitFor } from '../core/support/timers.js';
import { isEndedProcess, processIdentity } from '../files/disk/process-identity.js';
import type { SettledCall, SuspensionStore } from '../ports/suspension-store.js';

/** Options of {@link fileSuspensions}. */
export interface FileSuspensionsOptions {
  /** Milliseconds after which a turn is deleted, at least `suspensionTtlMs`. Default 7 days. */
  readonly keepMs?: number | undefined;
}

const kinds: OptionKinds<FileSuspensionsOptions> = { keepMs: kindOf.milliseconds };
const week = 7 * 24 * 60 * 60 * 1_000;

/**
 * Stores suspended turns for several processes of one machine in a folder. A second `claim` of a call returns its
 * stored result. If no result is stored, `claim` returns `claimed` when the process that claimed the call has ended,
 * and waits while that process runs. Results are stored as the model received them, in files that only this user can
 * read. Throws a TypeError for a path that is not absolute.
 */
export function fileSuspensions(folder: string, options: FileSuspensionsOptions = {}): SuspensionStore {
  assertOptions('fileSuspensions', options, kinds);
  if (!isAbsolute(folder)) throw new TypeError(`fileSuspensions takes an absolute path, not ${JSON.stringify(folder)}`);
  const { keepMs = week } = options;
  const turnOf = (id: string) => join(folder, named(id));
  const pathOf = (id: string, callId: string) => join(turnOf(id), named(callId));
  const failed = (cause: unknown): never => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `fileSuspensions cannot use ${folder}: ${reason}. The folder must be writable and stay while turns wait.`;
    throw new ToolError('storage_failed', message, { cause });
  };
  const store: SuspensionStore = {
    async claim(id, callId, { signal }) {
      if ((await mkdir(turnOf(id), { recursive: true, mode: 0o700 })) !== undefined) await forgetOld(folder, keepMs);
      const path = pathOf(id, callId);
      if (await placeOnce(path, processIdentity())) return 'new';
      for (;;) {
        // Checked before the result is read, because a process may store the result just before it ends.
        const isEnded = isEndedProcess(await readFile(path, 'utf8'));
        const settled = await readSettled(`${path}.result`);
        if (settled !== undefined) return settled;
        if (isEnded || signal.aborted) return 'claimed';
        await waitFor(stateNumbers.claimPollMs, signal);
      }
    },
    async settle(id, callId, settled) {
      const path = pathOf(id, callId);
      const temporary = await writeNew(path, JSON.stringify(settled));
      await rename(temporary, `${path}.result`);
    },
  };
  return {
    keepMs,
    claim: (...given) => store.claim(...given).catch(failed),
    settle: (...given) => store.settle(...given).catch(failed),
  };
}

const turnName = /^[0-9a-f]{40}$/;

function named(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 40);
}

/** Creates a file with its content atomically; false if it exists. */
async function placeOnce(path: string, content: string): Promise<boolean> {
  const temporary = await writeNew(path, content);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeNew(beside: string, content: string): Promise<string> {
  const temporary = `${beside}.${randomUUID()}.new`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}

async function readSettled(path: string): Promise<SettledCall | undefined> {
  const text = await readFile(path, 'utf8').catch(undefinedFor('ENOENT'));
  return text === undefined ? undefined : (JSON.parse(text) as SettledCall);
}

/** Deletes the folders of old turns. A folder that cannot be read or removed is left for the next time. */
async function forgetOld(folder: string, keepMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    // The folder may contain other files.
    if (!turnName.test(name)) continue;
    const turn = join(folder, name);
    const { mtimeMs } = await stat(turn).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > keepMs) await rm(turn, { recursive: true, force: true }).catch(() => {});
  }
}
