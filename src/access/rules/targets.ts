import { resolve } from 'node:path';
import type { Target } from '../../core/tool.js';
import { builtinName } from '../../core/tool-names.js';
import type { PermissionRequest } from '../../host/permissions.js';

/** What a built-in tool acts on, by its field; `missing` is what stands for a field that was left out. */
const fields: Readonly<
  Record<string, { readonly field: string; readonly kind: Target['kind']; readonly missing?: string }>
> = {
  Read: { field: 'file_path', kind: 'read' },
  View: { field: 'path', kind: 'read' },
  List: { field: 'path', kind: 'read' },
  Glob: { field: 'path', kind: 'read', missing: '.' },
  Grep: { field: 'path', kind: 'read', missing: '.' },
  Write: { field: 'file_path', kind: 'edit' },
  Edit: { field: 'file_path', kind: 'edit' },
  NotebookEdit: { field: 'notebook_path', kind: 'edit' },
  Bash: { field: 'command', kind: 'command' },
  WebFetch: { field: 'url', kind: 'url' },
  Agent: { field: 'subagent_type', kind: 'agent', missing: 'general-purpose' },
};

/** The built-in tools that have targets. */
export const toolsWithTargets: ReadonlySet<string> = new Set([...Object.keys(fields), 'ApplyPatch']);

/**
 * What a call acts on: what the request says, else what the fields of the built-in tool of that name, or alias, say.
 */
export function targetsOf(
  { targets, tool, input }: Pick<PermissionRequest, 'targets' | 'tool' | 'input'>,
  root: string,
): readonly Target[] {
  if (targets !== undefined) return targets;
  const name = builtinName(tool) ?? '';
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const text = known && (fieldText(input, known.field) ?? known.missing);
  if (known === undefined || text === undefined) return [];
  switch (known.kind) {
    case 'command':
      return [{ kind: 'command', command: text }];
    case 'url':
      return [{ kind: 'url', url: text }];
    case 'agent':
      return [{ kind: 'agent', type: text }];
    default:
      return [{ kind: known.kind, path: resolve(root, text) }];
  }
}

function fieldText(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined;
  const value: unknown = input[field as never];
  return typeof value === 'string' ? value : undefined;
}
