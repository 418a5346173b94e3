import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let code: string | undefined;

/**
 * The code of a search thread. Stands for `#search-worker` where the sources run as they are; the build puts the text
 * itself there.
 */
export function searchWorkerCode(): string {
  code ??= bundleSearchWorker().code;
  return code;
}

/** Makes that text, in a process of its own, since esbuild leaves a thread behind. */
export function bundleSearchWorker(): { readonly code: string; readonly sources: readonly string[] } {
  const script = fileURLToPath(new URL('./bundle-search-worker.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 16_000_000 }));
}
