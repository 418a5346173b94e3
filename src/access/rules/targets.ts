import { resolve } from 'node:path';
import type { Target } from '../../core/tool.js';
import { builtinName, builtinsThat, builtinTool } from '../../core/tool-names.js';
import type { PermissionRequest } from '../../host/permissions.js';

/** The built-in tools that have targets. */
export const toolsWithTargets: readonly string[] = builtinsThat(({ acts, edits }) => acts ?? edits);

/**
 * What a call acts on: what the request says, else what the fields of the built-in tool of that name, or alias, say.
 */
export function targetsOf(
  { targets, tool, input }: Pick<PermissionRequest, 'targets' | 'tool' | 'input'>,
  root: string,
): readonly Target[] {
  if (targets !== undefined) return targets;
  const { acts } = builtinTool(builtinName(tool) ?? '') ?? {};
  const text = acts && (fieldText(input, acts.field) ?? acts.missing);
  if (acts === undefined || text === undefined) return [];
  switch (acts.on) {
    case 'command':
      return [{ kind: 'command', command: text }];
    case 'url':
      return [{ kind: 'url', url: text }];
    case 'agent':
      return [{ kind: 'agent', type: text }];
    default:
      return [{ kind: acts.on, path: resolve(root, text) }];
  }
}

function fieldText(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined;
  const value: unknown = input[field as never];
  return typeof value === 'string' ? value : undefined;
}
