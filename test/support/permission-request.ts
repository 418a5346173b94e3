import type { PermissionRequest } from '../../src/core.js';

/** A permission request with defaults. */
export function permissionRequest(tool: string, more: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    ...{ callId: 'c', tool, input: {}, sideEffect: 'mutating', risk: 'medium', title: tool },
    ...{ warnings: [], suggestions: [] },
    ...more,
  };
}
