import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { maxInputChars } from '../core/shared-defaults.js';
import { argumentMistake, isRecord, kindName } from '../core/support/check-values.js';

/** A JSON object of a wire format. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** The objects in a list, in order; empty for a value that is not a list. */
export function recordsOf(value: unknown): WireRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * Makes a call from wire fields. A missing id becomes `call_N` by position and a missing name `unnamed`, so that a
 * broken call gets a result too.
 */
export function wireCall(id: unknown, name: unknown, input: unknown, index: number): ToolCall {
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${index + 1}`,
    name: typeof name === 'string' && name !== '' ? name : 'unnamed',
    input,
  };
}

/** A native tool type of a provider. It is offered only if the definitions contain the tool in `needs`. */
export interface NativeType<Native> {
  readonly tool: Native;
  readonly needs: string;
  readonly replaces: readonly string[];
}

/**
 * The native tools to offer, and the remaining definitions. `helpers` are tools that only serve native types and are
 * not offered by their own names.
 */
export function splitNative<Native>(
  definitions: readonly ToolDefinitionJson[],
  types: readonly NativeType<Native>[],
  helpers: readonly string[],
) {
  const names = new Set(definitions.map(({ name }) => name));
  const offered = types.filter(({ needs }) => names.has(needs));
  const hidden = types.length === 0 ? [] : [...helpers, ...offered.flatMap(({ replaces }) => replaces)];
  return {
    tools: offered.map(({ tool }) => tool),
    others: definitions.filter(({ name }) => !hidden.includes(name)),
  };
}

/** Parses the arguments of a call; invalid JSON stays text. */
export function parseArguments(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > maxInputChars) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Checks the results of a turn. For any other value, throws a TypeError that shows the code to write. */
export function checkedResults(what: string, results: unknown): readonly ToolCallResult[] {
  if (Array.isArray(results) && results.every(isResult)) return results;
  const takes = `${what} takes the list of results of a turn`;
  const list = Array.isArray(results) ? results.filter((entry) => !isResult(entry)) : [];
  if (list.includes(undefined))
    throw argumentMistake(takes, 'the results of a suspended turn', 'toolkit.resume(run.suspension, answers) first');
  const write = `${what}(${isResult(results) ? '[result]' : 'run.results'}), with run = await toolkit.execute(calls)`;
  throw argumentMistake(takes, kindName(list.length > 0 ? list : results), write);
}

function isResult(value: unknown): value is ToolCallResult {
  const { callId, ok, output } = isRecord(value) ? value : {};
  return typeof callId === 'string' && typeof ok === 'boolean' && typeof output === 'string';
}

/** Whether a patch can name this path: a text of one line without white space at its ends. */
export function isPatchPath(path: unknown): path is string {
  return typeof path === 'string' && /^\S(?:.*\S)?$/.test(path);
}
