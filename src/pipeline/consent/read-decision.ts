import type { PermissionQuestion } from '../../core/permission-question.js';
import { isRecord } from '../../core/support/is-record.js';
import type { PermissionDecision } from '../../host/permissions.js';

/**
 * A decision read once, field by field, since it is foreign and may change or throw when it is read. Undefined for what
 * is none: a misspelt or half-made one must never pass for a yes.
 */
export function readDecision(value: unknown): PermissionDecision | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const { behavior, message, interrupt, updatedInput, question } = value as Readonly<Record<string, unknown>>;
    if (behavior === 'allow') return updatedInput === undefined ? allowed : { behavior, updatedInput };
    if (behavior === 'ask') return { behavior, question: readQuestion(question) };
    if (behavior !== 'deny' || typeof message !== 'string') return undefined;
    return { behavior, message, interrupt: interrupt as boolean | undefined };
  } catch {
    return undefined;
  }
}

const allowed: PermissionDecision = Object.freeze({ behavior: 'allow' });

function readQuestion(value: unknown): Partial<PermissionQuestion> {
  if (typeof value !== 'object' || value === null) return {};
  const { reason, source, suggestions, agent } = value as Partial<PermissionQuestion>;
  return {
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(source === undefined ? {} : { source }),
    ...(Array.isArray(suggestions) ? { suggestions: [...suggestions] } : {}),
    ...(isRecord(agent) ? { agent: { id: String(agent.id), description: String(agent.description) } } : {}),
  };
}
