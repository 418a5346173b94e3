import { accessNumbers } from '../../core/numbers.js';
import { globMatcher } from '../../core/paths/glob-matcher.js';
import { plainForm } from '../../core/text/look-alikes.js';

const { maxSegments, maxNameChars } = accessNumbers;

/**
 * Whether a path with shell patterns may match a file that the glob of a rule covers; with `isTree`, also a file below
 * that path. Both are absolute. In doubt the answer is true.
 */
export function mayOverlap(path: string, glob: string, isTree: boolean): boolean {
  // Alternatives that contain a slash cannot be compared segment by segment.
  if (/[{(][^})]*\/[^})]*[})]/.test(glob)) return true;
  const segments = segmentsOf(plainForm(path));
  return segments.length >= maxSegments || meets(segments, segmentsOf(glob), isTree, new Set());
}

/** Whether the glob of a rule may cover a file of this name in an unknown folder. */
export function mayEndWith(name: string, glob: string): boolean {
  const last = glob.slice(glob.lastIndexOf('/') + 1);
  // A name without a dot is often a folder, and the rule covers everything below it.
  return last === '**' || /[{(]/.test(glob) || !last.includes('.') || segmentMeets(plainForm(name), last);
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** `failed` holds the pairs of suffixes that do not match, so that many stars take no exponential time. */
function meets(path: readonly string[], glob: readonly string[], isTree: boolean, failed: Set<number>): boolean {
  const key = path.length * maxSegments + glob.length;
  if (failed.has(key)) return false;
  if (meetsHere(path, glob, isTree, failed)) return true;
  failed.add(key);
  return false;
}

function meetsHere(path: readonly string[], glob: readonly string[], isTree: boolean, failed: Set<number>): boolean {
  const [name, ...names] = path;
  const [wanted, ...rest] = glob;
  if (wanted === undefined) return true;
  if (wanted === '**')
    return meets(path, rest, isTree, failed) || (name !== undefined && meets(names, glob, isTree, failed));
  if (name === undefined) return isTree;
  if (name === '**') return meets(names, glob, isTree, failed) || meets(path, rest, isTree, failed);
  return segmentMeets(name, wanted) && meets(names, rest, isTree, failed);
}

function segmentMeets(name: string, wanted: string): boolean {
  const plain = plainName(wanted);
  if (plain?.toLowerCase() === name.toLowerCase() || name.length > maxNameChars) return true;
  if (!/[*?[\]{}()]/.test(name)) {
    return plain === undefined ? globMatcher(wanted, { dot: true, nocase: true })(name) : false;
  }
  if (plain !== undefined) return globMatcher(name, { nocase: true })(plain);
  return isEitherStart(edge(name), edge(wanted)) && isEitherStart(edge(reverse(name)), edge(reverse(wanted)));
}

/** The literal text of a segment; undefined if it has a pattern. */
function plainName(segment: string): string | undefined {
  return /[*?[\]{}()!+@|]/.test(segment.replaceAll(/\\./g, '')) ? undefined : segment.replaceAll(/\\(.)/g, '$1');
}

function edge(segment: string): string {
  return (/^[^*?[\]{}()!+@|\\]*/.exec(segment)?.[0] ?? '').toLowerCase();
}

function isEitherStart(left: string, right: string): boolean {
  return left.startsWith(right) || right.startsWith(left);
}

function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}
