import type { Target } from '../core/tool.js';
import type { PermissionRequest } from '../host/permissions.js';
import { suggestCommandPatterns } from './command-rules.js';
import { targetsOf } from './targets.js';

/**
 * The narrowest useful rules for "always": this file, these command words, this host; a bare name only for tools that have no such thing;
 * none where the tool itself demands to be asked about each time.
 */
export function suggestRules(request: PermissionRequest): readonly string[] {
  if (request.mustAsk !== undefined) return [];
  const targets = targetsOf(request, '/');
  return targets.length === 0 ? [request.tool] : targets.flatMap((target) => suggestRule(request.tool, target));
}

function suggestRule(tool: string, target: Target): readonly string[] {
  switch (target.kind) {
    case 'read':
      return [`Read(${literal(target.path)})`];
    case 'edit':
      return [`Edit(${literal(target.path)})`];
    case 'command':
      return suggestCommandPatterns(target.command).map((pattern) => `${tool}(${pattern})`);
    case 'url':
      return URL.canParse(target.url) ? [`${tool}(domain:${new URL(target.url).hostname})`] : [];
    case 'agent':
      return [`${tool}(${target.type})`];
  }
}

/** A path may hold characters that mean something in a glob. */
function literal(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, '\\$&');
}
