import type { PermissionQuestion } from '../../core/permission-question.js';
import type { PermissionRequest } from '../../host/permissions.js';
import { questionPrefix } from '../run/approvals.js';
import type { PreparedCall } from '../run/prepared-call.js';
import type { Run } from '../run/run.js';
import { maxReasonChars, show } from './question-events.js';

const sources: ReadonlySet<unknown> = new Set(['ask', 'deny', 'safety', 'mode']);

/**
 * The question as it is shown: what permissions say of it is text like any other. Its id stands for all that the answer
 * is about, so that none is taken for another input, another file behind the same path, or under other rules.
 */
export async function questionOf(
  { occurrence }: PreparedCall,
  request: PermissionRequest,
  asked: Partial<PermissionQuestion>,
  run: Run,
): Promise<PermissionQuestion> {
  const { callId, tool, title, preview, risk, warnings, suggestions, input, targets } = request;
  const { reason: given = request.reason ?? '', suggestions: wanted } = asked;
  const own = Array.isArray(wanted) && wanted.every((rule) => typeof rule === 'string' && show(rule, run) === rule);
  const reason = show(String(given), run, maxReasonChars);
  // Who answers `ask` without saying why means that somebody is to be asked, as an ask rule does.
  const source = sources.has(asked.source) ? (asked.source as PermissionQuestion['source']) : 'ask';
  const agent = asked.agent && {
    id: show(asked.agent.id, run),
    description: show(asked.agent.description, run),
  };
  const { permissions, places } = run.settings;
  const about = [permissions.version, places?.root, run.caller.sessionId, callId, occurrence, tool, input];
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(JSON.stringify([...about, targets, source, reason, risk], inWords));
  return {
    id: `${questionPrefix}${hash.digest('hex').slice(0, 32)}`,
    callId,
    tool,
    title: agent === undefined ? title : `${title} (for ${agent.id}: ${agent.description})`,
    ...(preview === undefined ? {} : { preview }),
    reason,
    source,
    risk,
    warnings,
    suggestions: own ? wanted : suggestions,
    ...(agent === undefined ? {} : { agent }),
  };
}

/** JSON has no large integers, which inputs that no model wrote may hold. */
function inWords(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
