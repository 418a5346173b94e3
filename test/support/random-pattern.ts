import { type RandomSource, treeWords } from './random-tree.js';

const atoms = [
  '.',
  '\\w',
  '\\d',
  '\\s',
  '\\S',
  '\\W',
  '\\D',
  '[a-z]',
  '[^a-z]',
  '[A-Z0-9_]',
  '[[:alpha:]]',
  '[^\\s]',
  '\\p{L}',
  '\\p{Lu}',
  '[\\w.]',
  '[--a]',
  '[^-.]',
  '[^\\W\\d]',
  'é',
  'o',
  'a',
  'r',
  ' ',
];
const edges = ['^', '$', '\\b', '\\B', '\\b', ''];
/** They match positions. */
const empty = ['^$', '^\\s*$', '\\s*$', '^\\s*', '\\r?$', '$', '^', '\\B', '\\b', '\\B\\B', '^\\W*$'];
const repeats = ['*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?', '??'];

/**
 * A pattern in the syntax that both engines interpret equally. Parts that can match the empty text are not repeated.
 */
export function randomPattern(random: RandomSource, depth = 2): string {
  if (depth === 2 && random.chance(0.08)) return random.pick(empty);
  const roll = random.below(10);
  if (roll < 3 || depth === 0) return escapeWord(random.pick(treeWords));
  if (roll < 5) return edge(random) + sequence(random, depth) + edge(random);
  if (roll < 6) return `(?i)${escapeWord(random.pick(treeWords))}`;
  if (roll < 8)
    return `(?:${randomPattern(random, depth - 1)}|${randomPattern(random, depth - 1)})`.replaceAll('(?i)', '');
  return sequence(random, depth);
}

function sequence(random: RandomSource, depth: number): string {
  return random
    .list(1 + random.below(3), () => {
      const roll = random.below(10);
      if (roll < 4) return random.pick(atoms) + (random.chance(0.5) ? random.pick(repeats) : '');
      if (roll < 7) return escapeWord(random.pick(treeWords));
      if (roll < 8 && random.chance(0.5))
        return `(?:${random.list(1 + random.below(3), () => random.pick(atoms)).join('')})${random.pick(['+', '{1,3}'])}`;
      if (roll < 8)
        return `(${escapeWord(random.pick(treeWords))}|${random.pick(atoms)})${random.chance(0.4) ? random.pick(['+', '{1,2}']) : ''}`;
      return depth > 0 ? randomPattern(random, depth - 1).replaceAll('(?i)', '') : 'x';
    })
    .join('');
}

function edge(random: RandomSource): string {
  return random.pick(edges);
}

function escapeWord(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&');
}
