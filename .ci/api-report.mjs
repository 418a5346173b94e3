// Compares the declarations of each entry with its report in .ci/api, so that no change of the public surface goes
// unseen. With --write the reports are written anew. Needs a build, and the packages of the deep tier.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run-command.mjs';

const { Extractor, ExtractorConfig } = await import('@microsoft/api-extractor');
const write = process.argv.includes('--write');
const { exports } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

// The root exports all that `./core` does, and the extras are small tools with a guide each.
const entries = Object.entries(exports).filter(
  ([path, { types }]) => types && path !== './core' && !path.includes('*'),
);

mkdirSync(join(projectRoot, '.ci/api'), { recursive: true });

const silent = { default: { logLevel: 'none' } };
const changed = entries.filter(([path, { types }]) => {
  const name = path === '.' ? 'index' : path.slice('./'.length);
  const compilerOptions = {
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: ['node'],
    typeRoots: [join(projectRoot, 'node_modules/@types')],
    skipLibCheck: true,
  };
  const file = join(projectRoot, types);
  const config = ExtractorConfig.prepare({
    configObjectFullPath: join(projectRoot, 'api-extractor.json'),
    packageJsonFullPath: join(projectRoot, 'package.json'),
    configObject: {
      projectFolder: projectRoot,
      mainEntryPointFilePath: file,
      newlineKind: 'lf',
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(projectRoot, '.ci/api'),
        reportTempFolder: join(projectRoot, 'dist/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      compiler: { overrideTsconfig: { compilerOptions, files: [file] } },
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, { localBuild: write, messageCallback: hideNews });
  return apiReportChanged;
});

/** That a report differs is told at the end; errors are shown. */
function hideNews(message) {
  if (message.logLevel !== 'error') message.logLevel = 'none';
}

if (changed.length > 0 && !write) {
  const names = changed.map(([path]) => path).join(', ');
  console.error(`The public surface is not what .ci/api says: ${names}. Look at it, then: npm run api`);
  process.exitCode = 1;
}
