import { ToolError } from '../../core/error.js';
import type { Outcome } from '../run/supervisor.js';

/** What a host that was asked for permission answered; throws the refusal where it did not. */
export function hostAnswer<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'value') return outcome.value;
  if (outcome.kind === 'stopped') {
    throw outcome.error.code === 'cancelled'
      ? outcome.error
      : new ToolError(
          'permission_denied',
          `${outcome.error.message}, so the call did not run. Go on without it, or ask the user.`,
        );
  }
  const { thrown } = outcome;
  throw new ToolError('permission_denied', `Permission could not be asked: ${ToolError.from(thrown).message}`, {
    cause: thrown,
  });
}
