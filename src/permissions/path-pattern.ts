import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { accessNumbers } from '../core/fixed-limits.js';
import { globMatcher, shellMatcher } from '../core/text/glob-matcher.js';
import { plainForm } from '../core/text/look-alikes.js';
import { isInside } from '../core/text/path-names.js';
import { builtinName, builtinTool } from '../core/tool-names.js';
import { parseRule } from './rule.js';

/** Matches absolute canonical paths. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles the glob of a path rule: `~/` starts at the home folder, `//` and `/` at the root of the disk, anything else
 * at `root`. Dot files match like others; a pattern that ends in `/` covers everything below. `exact` is for allow
 * rules. `folded` is for deny and ask rules: letter case and the form of quotes, spaces and accents are ignored, and a
 * folder includes everything below it. With `folded`, a pattern that starts with a segment of two stars also matches
 * outside `root`.
 */
export function compilePathPattern(pattern: string, root: string, letterCase: 'exact' | 'folded'): PathMatcher {
  const glob = absoluteGlob(pattern, root, letterCase);
  const options = { dot: true, nonegate: true, nocase: letterCase === 'folded' };
  if (letterCase === 'exact') return globMatcher(glob, options);
  const matches = globMatcher([glob, `${glob.replace(/\/$/, '')}/**`], options);
  return (path) => matches(plainForm(path));
}

export function absoluteGlob(pattern: string, root: string, letterCase: 'exact' | 'folded'): string {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  // In deny and ask rules, a pattern that starts with `**/` starts at `/`, so that it matches in every root.
  const isAnywhere = letterCase === 'folded' && (whole === '**' || whole.startsWith('**/'));
  const glob = isAnywhere ? `/${whole}` : absolute(whole, root);
  return letterCase === 'folded' ? plainForm(glob) : glob;
}

function absolute(pattern: string, root: string): string {
  if (pattern.startsWith('~/')) return join(homedir(), pattern.slice(2));
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (isAbsolute(pattern)) return pattern;
  return join(escapeGlob(root), pattern);
}

/** Escapes a path so that a glob matches it literally. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

/** A warning, with a correction, if the path of a rule probably does not mean what its author intended. */
export function pathMistake(text: string, roots: readonly string[]): string | undefined {
  const { tool, pattern = '' } = parseRule(text);
  const { on } = builtinTool(builtinName(tool) ?? '')?.acts ?? {};
  if (on !== 'read' && on !== 'edit') return undefined;
  if (pattern.startsWith('!'))
    return `Rules have no exceptions: "!" is part of the name. Write ${tool}(./${pattern}) for a file with this name.`;
  if (/^[^{}[\]()\\]*,/.test(pattern))
    return `A comma in a path does not separate two patterns. Write ${tool}({${pattern.replaceAll(/\s*,\s*/g, ',')}}).`;
  // An author who writes `//` means the root of the disk, so this is not a mistake.
  if (!/^\/(?!\/)/.test(pattern) || roots.length === 0) return undefined;
  const [start = ''] = pattern.toLowerCase().split(/[^/]*[*?[\]{}()\\]/, 1);
  const folder = start.replace(/(?<=.)\/$/, '');
  const folders = roots.map((root) => root.toLowerCase());
  if (isInside(folder, folders) || folders.some((root) => isInside(root, [folder]))) return undefined;
  const outside = 'This path begins at the root of the disk and is in none of the workspace folders.';
  return `${outside} Write ${tool}(${pattern.slice(1)}) for the workspace, or ${tool}(/${pattern}) for the disk.`;
}

const { maxSegments, maxNameChars } = accessNumbers;

/**
 * Whether a path with shell patterns may match a file that the glob of a rule covers; with `isTree`, also a file below
 * that path. The path and the glob are absolute. In doubt the answer is true.
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
  // A last segment without a dot often names a folder, and then the rule covers every file below that folder.
  return last === '**' || /[{(]/.test(glob) || !last.includes('.') || segmentMeets(plainForm(name), last);
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/**
 * `failed` memoizes the pairs of suffixes that do not match. Otherwise a pattern with many `**` segments would take
 * exponential time.
 */
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
  if (plain !== undefined) return shellMatcher(name)(plain);
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
