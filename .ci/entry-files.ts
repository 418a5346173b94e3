import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));

/**
 * The source file of each entry of the package (relative to the project) by its import name, such as `toolwright/core`.
 * The list is in `paths` of tsconfig.json, where `*` means every existing folder. test/entries.process.test.ts compares
 * it with `exports` of package.json.
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
