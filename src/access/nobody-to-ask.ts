import type { PermissionQuestion } from '../core/permission-question.js';

/** Why a call is denied that should be asked about, and what the program that runs the agent can do. */
export function nobodyToAsk({
  tool,
  reason,
  source,
  suggestions,
}: Pick<PermissionQuestion, 'tool' | 'reason' | 'source' | 'suggestions'>): string {
  const rule = suggestions[0] ?? tool;
  // No allow rule is above an ask rule or what the tool itself demands.
  const help =
    source === 'mode'
      ? `can allow it: permissions: createPermissions({ allow: [${JSON.stringify(rule)}] }), or pass onAsk.`
      : 'can ask somebody: permissions: createPermissions({ onAsk }).';
  const why = reason.replace(/\.$/, '');
  return `${tool} needs permission and there is nobody to ask (${why}). The program that runs this agent ${help}`;
}
