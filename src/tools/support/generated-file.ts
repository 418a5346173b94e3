const maxNameChars = 40;

/** Where a tool puts a file that it makes: below `generated/` of a root, named by the first of some words. */
export function generatedFile(root: string, words: string, fallback: string, extension: string): string {
  const plain = words.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const name = plain
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, maxNameChars)
    .replace(/-$/, '');
  return `${root}/generated/${name ?? fallback}.${extension}`;
}
