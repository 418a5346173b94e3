// Prints the code of a search thread, with all that it imports, as one CommonJS text, and the files that it is made of.
import { buildSync } from 'esbuild';
import { projectRoot } from './run-command.mjs';

const { outputFiles, metafile } = buildSync({
  absWorkingDir: projectRoot,
  entryPoints: ['src/files/search/search-worker.ts'],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  metafile: true,
  write: false,
});
process.stdout.write(JSON.stringify({ code: outputFiles[0].text, sources: Object.keys(metafile.inputs) }), () =>
  process.exit(),
);
