import { builtinName, builtinTool } from '../../core/tool-names.js';
import { isInside } from '../../text/is-inside.js';
import { parseRule } from './rule.js';

/** What makes the path of a deny or ask rule mean other files than it looks, and what to write. */
export function pathMistake(text: string, roots: readonly string[]): string | undefined {
  const { tool, pattern = '' } = parseRule(text);
  const { on } = builtinTool(builtinName(tool) ?? '')?.acts ?? {};
  if (on !== 'read' && on !== 'edit') return undefined;
  if (pattern.startsWith('!'))
    return `A rule has no exceptions. Write ${tool}(./${pattern}) for a file with this name.`;
  if (/^[^{}[\]()\\]*,/.test(pattern))
    return `This path has a comma, which separates nothing. Write ${tool}({${pattern.replaceAll(/\s*,\s*/g, ',')}}).`;
  // Two slashes say that the top of the disk is meant.
  if (!/^\/(?!\/)/.test(pattern) || roots.length === 0) return undefined;
  const [start = ''] = pattern.toLowerCase().split(/[^/]*[*?[\]{}()\\]/, 1);
  const folder = start.replace(/(?<=.)\/$/, '');
  const folders = roots.map((root) => root.toLowerCase());
  if (isInside(folder, folders) || folders.some((root) => isInside(root, [folder]))) return undefined;
  const outside = 'This path begins at the top of the disk and lies in no root.';
  return `${outside} Write ${tool}(${pattern.slice(1)}) for the workspace, or ${tool}(/${pattern}) for the disk.`;
}
