import type { ToolCall } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { allowed, denial } from '../ports/read-decision.js';
import { admitCall } from './prepare-call.js';
import { Approvals } from './run/approvals.js';
import { CallWaits } from './run/prepared-call.js';
import { type AnsweredTurn, Run } from './run/run.js';
import type { RunSettings } from './run/run-options.js';
import { scrubError } from './run/scrub-result.js';

/** What would be decided of a call as it is, before hooks. Runs nothing, queues nothing and asks nobody. */
export async function decideCall(
  call: ToolCall,
  settings: RunSettings,
  turn: AnsweredTurn,
): Promise<Decision<PermissionQuestion>> {
  const run = new Run(settings, { ...turn, approvals: new Approvals({ suspends: true, isRehearsal: true }) });
  try {
    await run.chooseRegistry(turn);
    if (run.settings.registry.hasPending) await run.makeReady();
    await admitCall(call, run, { input: call.input });
    return allowed;
  } catch (thrown) {
    if (thrown instanceof CallWaits && thrown.stage.question !== undefined)
      return { behavior: 'ask', question: thrown.stage.question };
    return denial(scrubError(ToolError.from(thrown), run).message);
  } finally {
    run.end();
  }
}
