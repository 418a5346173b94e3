const maxNameChars = 40;

/** The path of a new file in `generated/` below a root, named by the first of some words. */
export function generatedFile(root: string, words: string, fallback: string, extension: string): string {
  const plain = words.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const name = plain
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, maxNameChars)
    .replace(/-$/, '');
  return `${root}/generated/${name ?? fallback}.${extension}`;
}
