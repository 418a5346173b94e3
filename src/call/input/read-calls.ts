import type { ToolCall } from '../../core/call.js';
import { isThenable } from '../../core/support/value-tests.js';

/**
 * A copy of the calls of a turn, so that later changes by the caller have no effect. Throws a TypeError that says what
 * to write if the value is not a list, or if a call has no id or name, as in the answer of a provider that was not
 * converted by an adapter.
 */
export function readCalls(calls: unknown, what: 'execute' | 'decide' = 'execute'): ToolCall[] {
  const mistake = (wanted: string, came: readonly unknown[], otherwise: string) => {
    const [adapter, entry] = adapterFor(came.map(fieldsOf)) ?? [];
    const next = adapter === undefined ? otherwise : `execute(${adapter}(answer)), with ${adapter} from '${entry}'`;
    return new TypeError(`${what} takes ${wanted}: write ${next}`);
  };
  const example = "{ id: 'call_1', name: 'Read', input: {} }";
  if (isThenable(calls)) throw mistake('a list of calls, not a promise', [], 'execute(await calls)');
  if (!Array.isArray(calls)) throw mistake('a list of calls', [calls], 'execute([call])');
  return Array.from(calls, (call: unknown, index) => {
    const taken = readCall(call);
    if (taken !== undefined) return taken;
    const fields = Object.keys(fieldsOf(call)).slice(0, 3).join(', ') || 'no fields';
    throw mistake(
      `calls { id, name, input } with texts for id and name, and calls[${index}] has ${fields}`,
      calls,
      what === 'decide' ? `decide(${example})` : `execute([${example}])`,
    );
  });
}

function readCall(call: unknown): ToolCall | undefined {
  try {
    const { id, name, input } = call as Partial<ToolCall>;
    const { arguments: written, args = written, parameters = args } = fieldsOf(call);
    const isRaw = input === undefined && parameters !== undefined;
    return isName(id) && isName(name) && !isRaw ? { id, name, input } : undefined;
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The adapters, each with the fields that identify the answers of its provider. */
const adapters = [
  ['fromAi', 'toolwright/ai-sdk', /^(?:toolCallId|toolName|toolCalls)$/],
  ['fromGemini', 'toolwright/gemini', /^(?:candidates|functionCalls?|parts)$/],
  ['fromOpenAI', 'toolwright/openai', /^(?:function|custom|call_id|tool_calls|choices|arguments|output)$/],
  ['fromAnthropic', 'toolwright/anthropic', /^(?:content|text|thinking|stop_reason|type)$/],
] as const;

function adapterFor(came: readonly Fields[]): (typeof adapters)[number] | undefined {
  const isMark = ([key, value]: readonly [string, unknown]) =>
    value !== undefined && (key !== 'type' || value === 'tool_use');
  const marks = came.flatMap((one) => Object.entries(one).filter(isMark));
  return adapters.find(([, , mark]) => marks.some(([key]) => mark.test(key)));
}

type Fields = Readonly<Record<string, unknown>>;

/** A copy of the fields; empty for an object that throws when it is read. */
function fieldsOf(value: unknown): Fields {
  try {
    return typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}
