import type { PatternNode } from './grep-syntax.js';

/** The longest run of characters that every match contains, as UTF-8; undefined where there is none. Files without it need no closer look. */
export function requiredLiteral(node: PatternNode): Buffer | undefined {
  const runs: string[] = [];
  const last = collect(node, '', runs);
  runs.push(last);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === '' ? undefined : Buffer.from(longest);
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
