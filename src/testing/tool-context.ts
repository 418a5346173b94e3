import type { ProgressUpdate, ToolContext } from '../core/context.js';
import { assertOptions, kindOf } from '../core/support/option-kinds.js';

/** A context for calling a tool by hand, which records the tool's progress. */
export interface RecordingContext extends ToolContext {
  /** The progress reports in order. */
  readonly updates: readonly ProgressUpdate[];
}

const { anything, flag, record, text } = kindOf;
const kinds = { callId: text, calledAs: text, caller: record, signal: anything, hasListener: flag };

/** A context for unit tests of tools: `await tool.execute(input, toolContext())`. Every part can be replaced. */
export function toolContext(parts: Partial<Omit<ToolContext, 'metadata'>> = {}): RecordingContext {
  assertOptions('toolContext', parts, kinds);
  const updates: ProgressUpdate[] = [];
  return {
    callId: 'call_1',
    caller: { sessionId: 'test' },
    signal: new AbortController().signal,
    ...parts,
    metadata: (update) => void updates.push(update),
    updates,
  };
}
