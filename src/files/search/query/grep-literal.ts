import type { PatternNode } from './grep-syntax.js';

/**
 * Runs of characters that every match contains, as UTF-8, the longest first. A file without one of them needs no closer
 * look.
 */
export function requiredLiterals(node: PatternNode): readonly Buffer[] {
  const runs: string[] = [];
  runs.push(collect(node, '', runs));
  const distinct = [...new Set(runs)].filter((run) => run !== '');
  return distinct.sort((left, right) => right.length - left.length).map((run) => Buffer.from(run));
}

/** Adds the runs inside a node to `runs` and answers the run that is still open behind it. */
function collect(node: PatternNode, open: string, runs: string[]): string {
  if (node.kind === 'literal' && !node.ignoreCase) return open + String.fromCodePoint(node.codePoint);
  if (node.kind === 'sequence') return node.nodes.reduce((run, child) => collect(child, run, runs), open);
  if (node.kind === 'assertion') return open;
  runs.push(open);
  if (node.kind !== 'repeat' || node.min === 0) return '';
  runs.push(collect(node.node, '', runs));
  return '';
}
