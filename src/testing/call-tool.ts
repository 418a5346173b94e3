import type { ToolCallResult, ToolCallSuccess } from '../core/call.js';
import type { ProgressUpdate, ToolContext } from '../core/context.js';
import { ToolRegistry } from '../core/registry/registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { CallOptions } from '../core/registry/turn-options.js';
import { argumentMistake, assertOptions, isRecord, kindName, kindOf } from '../core/support/check-values.js';
import type { Tool } from '../core/tool.js';

/** Runs one call through the whole pipeline. Returns a successful result; throws the ToolError of a failed call. */
export function callTool(
  toolkit: Pick<Toolkit, 'call'>,
  name: string,
  input: unknown,
  options?: CallOptions,
): Promise<ToolCallSuccess>;
/**
 * Runs one call of a single tool through the pipeline, with the default limits and without hooks or permission
 * questions.
 */
export function callTool<Input>(
  tool: Tool<Input>,
  input: unknown,
  options?: Omit<CallOptions, 'answers'>,
): Promise<ToolCallSuccess>;
export async function callTool(source: unknown, ...given: readonly unknown[]): Promise<ToolCallSuccess> {
  const result = await resultOf(source, given);
  if (!result?.ok) throw result?.error;
  return result;
}

async function resultOf(source: unknown, given: readonly unknown[]): Promise<ToolCallResult | undefined> {
  const mistake = (takes: string, got: unknown, write: string) =>
    argumentMistake(`callTool takes ${takes}`, kindName(got), write);
  if (isRecord(source) && typeof source.call === 'function') {
    const [name, input, options] = given;
    if (typeof name === 'string') return await (source as unknown as Toolkit).call(name, input, options as CallOptions);
    throw mistake('the name of the tool after the toolkit', name, "callTool(toolkit, 'Read', { file_path })");
  }
  if (!isRecord(source) || typeof source.execute !== 'function' || typeof source.assess !== 'function')
    throw mistake('a toolkit or one tool', source, 'callTool(toolkit, name, input) or callTool(tool, input)');
  const tool = source as unknown as Tool;
  const [input, { id = 'call_1', ...turn } = {}] = given as [unknown, CallOptions?];
  if (input === tool.name) throw mistake('one tool without its name', input, 'callTool(tool, input)');
  const { executeTools } = await import('../call/execute-tools.js');
  const permissions = { check: async () => ({ behavior: 'allow' as const }) };
  const registry = new ToolRegistry().register(tool);
  return (await executeTools([{ id, name: tool.name, input }], { registry, permissions, ...turn })).results[0];
}

/** A tool context that records the progress reports of the tool. */
export interface RecordingContext extends ToolContext {
  /** The progress reports in order. */
  readonly updates: readonly ProgressUpdate[];
}

const { anything, flag, record, text } = kindOf;
const kinds = { callId: text, calledAs: text, caller: record, signal: anything, hasListener: flag };

/**
 * A context for unit tests of tools: `await tool.execute(input, toolContext())`. Every part except `metadata` can be
 * replaced.
 */
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
