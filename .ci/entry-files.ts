import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));

/**
 * The source file of each entry of the package, from the project's folder, by what is imported, such as
 * `toolwright/core`. They are named once, as the `paths` of tsconfig.json, where `*` stands for each folder that is
 * there; `exports` of package.json has the same names, which test/entries.process.test.ts compares.
 */
export const entryFiles: ReadonlyMap<string, string> = new Map(
  Object.entries(pathsOfTheCompiler()).flatMap(([entry, [path = '']]) => {
    const [before = '', after] = path.replace(/^\.\//, '').split('*');
    if (after === undefined) return [[entry, before] as const];
    const names = existsSync(join(projectRoot, before)) ? readdirSync(join(projectRoot, before)).sort() : [];
    const folders = names.filter((name) => existsSync(join(projectRoot, `${before}${name}${after}`)));
    return folders.map((name) => [entry.replace('*', name), `${before}${name}${after}`] as const);
  }),
);

function pathsOfTheCompiler(): Readonly<Record<string, readonly string[]>> {
  const config = JSON.parse(readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8')) as {
    readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
  };
  return config.compilerOptions.paths;
}
