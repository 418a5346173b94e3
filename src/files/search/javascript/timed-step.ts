import { type Context, createContext, Script } from 'node:vm';
import { errorCode } from '../../paths/storage-error.js';

let place: Context | undefined;
const script = new Script('step()');

/** Runs a step and throws a RangeError once it takes too long. To watch it takes a tenth of a millisecond. */
export function timedStep<Result>(timeoutMs: number, step: () => Result): Result {
  place ??= createContext();
  place.step = step;
  try {
    return script.runInContext(place, { timeout: Math.ceil(timeoutMs) });
  } catch (thrown) {
    if (errorCode(thrown) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    throw new RangeError('A line is too long for the pattern.', { cause: thrown });
  }
}
