import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A tree like a project: packages of TypeScript, some other files, and folders that git ignores. */
export interface SourceTree {
  readonly files: number;
  /** TypeScript files that are not ignored. */
  readonly typescript: number;
  /** The number of these files with the rare word. */
  readonly rare: number;
  /** The number of these files that define a handler. */
  readonly handlers: number;
}

/** In one file of a thousand. */
export const rareWord = 'quicksilver';
/** Matches a line in one file of 34. */
export const handlerPattern = 'export function handle\\w+Event\\(\\w+: number\\)';
/** Many times in every file. */
export const commonWord = 'return';

const filesInFolder = 10;

/**
 * Writes about `files` files of 8 KB on average. A quarter of them is ignored, and a third of the others is TypeScript.
 */
export function writeSourceTree(root: string, files: number): SourceTree {
  // Without it ripgrep would not treat the folder as a git repository.
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.gitignore'), 'node_modules/\ndist/\n*.log\n');
  const tree = { files: 0, typescript: 0, rare: 0, handlers: 0 };
  for (let folder = 0; tree.files < files; folder++) {
    const name =
      folder % 4 === 3
        ? join('node_modules', `dep-${folder}`, 'dist')
        : join('packages', `area-${folder % 30}`, `part-${folder}`, 'src');
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    for (let index = 0; index < filesInFolder; index++) writeSource(path, tree, { index, isIgnored: folder % 4 === 3 });
  }
  return tree;
}

type Counts = { -readonly [Key in keyof SourceTree]: SourceTree[Key] };

function writeSource(
  folder: string,
  tree: Counts,
  { index, isIgnored }: { readonly index: number; readonly isIgnored: boolean },
): void {
  const number = tree.files++;
  const isTypescript = index % 3 === 0;
  const isRare = number % 1_000 === 0;
  const isHandler = number % 34 === 0;
  const lines = [
    isRare ? `// ${rareWord}` : '',
    isHandler ? `export function handle${number}Event(count: number) {}` : '',
  ];
  const blocks = 10 + ((number * 7_919) % 60);
  for (let block = 0; block < blocks; block++) lines.push(functionText(number, block));
  writeFileSync(
    join(folder, `module-${number}.${isTypescript ? 'ts' : index % 3 === 1 ? 'js' : 'md'}`),
    lines.join('\n'),
  );
  if (isIgnored) return;
  if (isTypescript) tree.typescript++;
  if (isRare) tree.rare++;
  if (isHandler) tree.handlers++;
}

function functionText(number: number, block: number): string {
  return `/** Adds ${block} to what module ${number} was given, and nothing else. */
export function add${number}With${block}(value: number): number {
  const sum = value + ${block} * ${number};
  if (sum > Number.MAX_SAFE_INTEGER) throw new RangeError('too large: ' + String(sum));
  return sum;
}
`;
}
