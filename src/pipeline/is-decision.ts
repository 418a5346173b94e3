import type { PermissionDecision } from '../host/permissions.js';

/** Whether an answer is a decision: a misspelt or half-made one must never pass for a yes. */
export function isDecision(value: unknown): value is PermissionDecision {
  if (typeof value !== 'object' || value === null || !('behavior' in value)) return false;
  if (value.behavior === 'allow') return true;
  return value.behavior === 'deny' && 'message' in value && typeof value.message === 'string';
}
