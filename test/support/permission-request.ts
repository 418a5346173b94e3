import type { PermissionRequest } from '../../src/core.js';

/** What permissions are asked about a call, but for what a test is about. */
export function permissionRequest(tool: string, more: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    ...{ callId: 'c', tool, input: {}, sideEffect: 'mutating', risk: 'medium', title: tool },
    ...{ warnings: [], suggestions: [] },
    ...more,
  };
}
