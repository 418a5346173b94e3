// Compares the declarations of each entry with its report in .ci/api, so that every change of the public API is
// noticed. --write writes the reports again. Needs a build, and the packages of the deep tier.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run-command.mjs';

const { Extractor, ExtractorConfig } = await import('@microsoft/api-extractor');
const write = process.argv.includes('--write');
const { exports } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

// The root exports everything that `./core` exports. The extras are small tools, and each has a guide.
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

/** Shows errors only. A report that differs is reported at the end. */
function hideNews(message) {
  if (message.logLevel !== 'error') message.logLevel = 'none';
}

if (changed.length > 0 && !write) {
  const names = changed.map(([path]) => path).join(', ');
  console.error(`The public API differs from .ci/api: ${names}. Review the difference, then run: npm run api`);
  process.exitCode = 1;
}
