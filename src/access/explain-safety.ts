import { assessCommand, type CommandAssessment } from '../command/assess-command.js';
import { knowledgeOf } from '../command/command-target.js';
import { ruleNames } from '../core/builtin-tools.js';
import { builtinName } from '../core/tool-names.js';
import type { PermissionRequest } from '../host/permissions.js';
import type { PermissionExplanation } from './rules/permission-rules.js';
import { targetsOf } from './rules/targets.js';

/**
 * What the safety policy of the shell says against a call, where nobody has asked the tool itself: a refusal, or why it
 * must be asked about.
 */
export function explainSafety(request: PermissionRequest): {
  readonly refusal?: PermissionExplanation;
  readonly mustAsk?: string;
} {
  if (builtinName(request.tool) !== ruleNames.command) return {};
  const assessments = targetsOf(request, '/').flatMap((target) =>
    target.kind === 'command' ? [assessCommand(target.command, knowledgeOf(target))] : [],
  );
  const denied = assessments.find(({ verdict }) => verdict === 'deny');
  if (denied !== undefined)
    return {
      refusal: { behavior: 'deny', source: 'safety', reason: `The safety policy blocks it: ${firstReason(denied)}.` },
    };
  const persistence = assessments.flatMap(({ reasons }) => reasons).find(({ category }) => category === 'persistence');
  return persistence === undefined ? {} : { mustAsk: persistence.text };
}

function firstReason({ reasons }: CommandAssessment): string {
  return reasons[0]?.text ?? 'it destroys what cannot be brought back';
}
