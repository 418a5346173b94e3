import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
let code: string | undefined;

/**
 * The code of a search thread, with all that it imports, as one CommonJS text. Stands for `#search-worker` where the sources run as they are;
 * the build puts the text itself there.
 */
export function searchWorkerCode(): string {
  code ??= bundleSearchWorker().code;
  return code;
}

/** Makes that text, and names the files that it is made of. */
export function bundleSearchWorker(): { readonly code: string; readonly sources: readonly string[] } {
  // It would keep a thread of its own, which tests that count threads would see.
  process.env.ESBUILD_WORKER_THREADS ??= '0';
  const esbuild = require('esbuild') as typeof import('esbuild');
  const { outputFiles, metafile } = esbuild.buildSync({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: ['src/files/search-worker.ts'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    metafile: true,
    write: false,
  });
  return { code: outputFiles[0]?.text ?? '', sources: Object.keys(metafile.inputs) };
}
