import { nextStep } from '../query/pattern-advice.js';
import { PatternError } from '../query/pattern-error.js';
import type { SearchFailureCode } from './search-job.js';

/** A search that cannot be done, thrown inside a thread. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure';
  readonly code: SearchFailureCode;

  constructor(code: SearchFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a thread tells about whatever was thrown in it. */
export function failureOf(thrown: unknown): { readonly code: SearchFailureCode; readonly message: string } {
  if (thrown instanceof SearchFailure) return { code: thrown.code, message: thrown.message };
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof PatternError) return { code: 'invalid_input', message: `${reason}. ${nextStep(reason)}` };
  // Braces that stand for more than memory holds, and nesting that is too deep.
  if (thrown instanceof RangeError)
    return { code: 'invalid_input', message: `The pattern stands for too much: ${reason} Narrow it.` };
  return { code: 'execution_failed', message: `The search failed: ${reason}. Search a narrower path.` };
}
