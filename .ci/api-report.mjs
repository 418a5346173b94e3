// Compares the declarations of each entry with its report in .ci/api, so that every change of the public API is
// noticed. --write writes the reports again. Needs a build, and the packages of the deep tier.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run-command.mjs';

const { Extractor, ExtractorConfig } = await import('@microsoft/api-extractor');
const write = process.argv.includes('--write');
const { exports } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

const entries = Object.entries(exports).flatMap(([path, { types }]) => {
  if (types === undefined) return [];
  const [folder, ending] = types.split('*');
  if (ending === undefined) return [[path.slice('./'.length) || 'index', types]];
  const files = readdirSync(join(projectRoot, folder)).filter((file) => file.endsWith(ending));
  return files.sort().map((file) => {
    const name = file.slice(0, -ending.length);
    return [path.slice('./'.length).replace('/*', `-${name}`), join(folder, file)];
  });
});

mkdirSync(join(projectRoot, '.ci/api'), { recursive: true });

const silent = { default: { logLevel: 'none' } };
const changed = entries.filter(([name, types]) => {
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
  const names = changed.map(([name]) => name).join(', ');
  console.error(`The public API differs from .ci/api: ${names}. Review the difference, then run: npm run api`);
  process.exitCode = 1;
}
