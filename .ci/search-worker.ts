import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
let code: string | undefined;

/**
 * The code of a search thread, with all that it imports, as one CommonJS text. Stands for `#search-worker` where the sources run as they are;
 * the build puts the text itself there.
 */
export function searchWorkerCode(): string {
  code ??= bundle();
  return code;
}

function bundle(): string {
  const esbuild = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [fileURLToPath(new URL('../src/files/search-worker.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
