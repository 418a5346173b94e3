import { readDecision } from '../../access/read-decision.js';
import { ToolError } from '../../core/error.js';
import type { Verdict } from '../../core/tool.js';
import { andThen } from '../run/and-then.js';
import type { PreparedCall } from '../run/prepared-call.js';
import type { Run } from '../run/run.js';

/**
 * What the tool itself says against the input. Throws `command_denied` for a deny and for an answer that is no verdict:
 * it may be a misspelt no.
 */
export function judge({ tool, input }: PreparedCall, run: Run): Verdict | undefined | Promise<Verdict | undefined> {
  return andThen(
    run.expect('The safety check of the tool', (scope) => tool.verdictOf(input.parsed, scope)),
    readVerdict,
  );
}

function readVerdict(answer: unknown): Verdict | undefined {
  if (answer === undefined) return undefined;
  const { behavior, reason } = readDecision(answer) ?? {};
  if (behavior === undefined || behavior === 'allow' || reason === undefined)
    throw blocked('the safety check of the tool gave no usable verdict');
  const said = reason.trim() === '' ? 'no reason was given' : reason;
  if (behavior === 'deny') throw blocked(said);
  return { behavior, reason: said };
}

function blocked(reason: string): ToolError {
  return new ToolError('command_denied', `blocked by safety policy: ${reason}`);
}
