import type { ProgressUpdate, ToolContext } from '../core/context.js';

/** A context for calling a tool by hand, which keeps what the tool reported. */
export interface RecordingContext extends ToolContext {
  /** Progress in the order it was sent. */
  readonly updates: readonly ProgressUpdate[];
}

/** A context for unit tests of tools: `await tool.execute(input, toolContext())`. Every part can be replaced. */
export function toolContext(parts: Partial<Omit<ToolContext, 'metadata'>> = {}): RecordingContext {
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
