import { resolve } from 'node:path';
import type { Target } from '../core/tool.js';
import type { PermissionRequest } from '../host/permissions.js';

// The fields of the built-in tools, for requests that do not say themselves what they act on.
const pathFields: Readonly<Record<string, { readonly field: string; readonly kind: 'read' | 'edit' }>> = {
  Read: { field: 'file_path', kind: 'read' },
  Glob: { field: 'path', kind: 'read' },
  Grep: { field: 'path', kind: 'read' },
  Write: { field: 'file_path', kind: 'edit' },
  Edit: { field: 'file_path', kind: 'edit' },
  NotebookEdit: { field: 'notebook_path', kind: 'edit' },
};

/** What a call acts on: what the request says, else what the fields of the built-in tools say. */
export function targetsOf(request: PermissionRequest, root: string): readonly Target[] {
  if (request.targets !== undefined) return request.targets;
  const text = (field: string): string | undefined => fieldText(request.input, field);
  const path = pathFields[request.tool];
  if (path !== undefined && Object.hasOwn(pathFields, request.tool)) {
    return [{ kind: path.kind, path: resolve(root, text(path.field) ?? '.'), root }];
  }
  if (request.tool === 'Bash') return [{ kind: 'command', command: text('command') ?? '' }];
  if (request.tool === 'WebFetch') return [{ kind: 'url', url: text('url') ?? '' }];
  if (request.tool === 'Agent') return [{ kind: 'agent', type: text('subagent_type') ?? 'general-purpose' }];
  return [];
}

function fieldText(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined;
  const value: unknown = input[field as never];
  return typeof value === 'string' ? value : undefined;
}
