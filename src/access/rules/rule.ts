import { builtinName } from '../../core/builtin-names.js';
import { ruleHost } from './host-pattern.js';

/** One rule of a permission list, such as `Bash(npm run *)`, `Edit(src/**)` or `mcp__github__*`. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  /** Tool name, in which `*` stands for any characters. */
  readonly tool: string;
  /** What stands in brackets; undefined for a bare name. `*` alone means everything of the kind. */
  readonly pattern: string | undefined;
}

const ruleForm = /^([A-Za-z0-9_*-]{1,128})(?:\((.*)\))?$/s;

/** Reads a rule. Throws a TypeError for what is none, since a rule that silently never matches protects nobody. */
export function parseRule(text: unknown): Rule {
  const match = typeof text === 'string' ? ruleForm.exec(text.trim()) : null;
  const name = match?.[1];
  if (name === undefined) {
    throw new TypeError(
      `Permission rule ${JSON.stringify(text)} must be a tool name, or a name with a pattern such as Bash(npm run *) or Edit(src/**)`,
    );
  }
  const pattern = match?.[2]?.trim();
  if (pattern === '')
    throw new TypeError(
      `Permission rule ${JSON.stringify(text)} has an empty pattern: leave the brackets out, or write what it is for`,
    );
  if (pattern !== undefined && pattern !== '*' && builtinName(name) === 'WebFetch' && ruleHost(pattern) === undefined)
    throw new TypeError(
      `Permission rule ${JSON.stringify(text)} names no host: write WebFetch(domain:example.com), with neither scheme, port nor path`,
    );
  return { text: String(text), tool: name, pattern };
}

/**
 * Whether a name in a rule means the tool of a call, beside being its name: an alias, or another letter case, that no
 * other tool has.
 */
export type NameTest = (name: string) => boolean;

/**
 * Whether the name part covers a tool: itself, `*`, a server of MCP tools (`mcp__github` or `mcp__github__*`), or a
 * name with `*` inside. In deny and ask rules (`folded`) letter case does not count.
 */
export function coversName(
  rule: Rule,
  called: string,
  isCalled: NameTest,
  letterCase: 'exact' | 'folded' = 'exact',
): boolean {
  if (rule.tool === called || rule.tool === '*') return true;
  const [name, tool] = letterCase === 'exact' ? [rule.tool, called] : [rule.tool.toLowerCase(), called.toLowerCase()];
  if (!name.includes('*'))
    return name === tool || isCalled(rule.tool) || (name.startsWith('mcp__') && tool.startsWith(`${name}__`));
  const parts = name.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (!tool.startsWith(first) || !tool.endsWith(last) || tool.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = tool.indexOf(part, from);
    if (found === -1 || found + part.length > tool.length - last.length) return false;
    from = found + part.length;
  }
  return true;
}
