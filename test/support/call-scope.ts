import type { CallScope, ToolContext } from '../../src/core/context.js';

/** A scope of session `s1` whose signal never aborts, unless another is passed. */
export function callScope(overrides: Partial<CallScope> = {}): CallScope {
  return { caller: { sessionId: 's1' }, signal: new AbortController().signal, ...overrides };
}

/** The same as the context of a call; progress goes nowhere. */
export function toolContext(overrides: Partial<ToolContext> = {}): ToolContext {
  return { ...callScope(), callId: 'call-1', metadata: () => {}, ...overrides };
}
