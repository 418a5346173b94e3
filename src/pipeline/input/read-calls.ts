import type { ToolCall } from '../../core/call.js';

/**
 * The calls of a turn as they are now: what the caller changes later in the list or in a call changes nothing. Throws a
 * TypeError that says what to write for what is no list, and for a call without an id or a name, which comes of an
 * answer of a provider that no adapter has read.
 */
export function readCalls(calls: unknown): ToolCall[] {
  if (!Array.isArray(calls)) throw mistake('a list of calls', [calls], 'execute([call])');
  return Array.from(calls, (call: unknown, index) => {
    const taken = readCall(call);
    if (taken !== undefined) return taken;
    const fields = Object.keys(fieldsOf(call)).slice(0, maxShownFields).join(', ') || 'no fields';
    throw mistake(
      `calls { id, name, input } with texts for id and name, and calls[${index}] has ${fields}`,
      calls,
      "execute([{ id: 'call_1', name: 'Read', input: {} }])",
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

const maxShownFields = 8;

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function mistake(wanted: string, came: readonly unknown[], otherwise: string): TypeError {
  const [adapter, entry] = adapterFor(came.map(fieldsOf)) ?? [];
  const next = adapter === undefined ? otherwise : `execute(${adapter}(answer)), with ${adapter} from '${entry}'`;
  return new TypeError(`execute takes ${wanted}: write ${next}`);
}

const openAI = ['function', 'custom', 'call_id', 'tool_calls', 'choices', 'arguments', 'output'] as const;
const anthropic = ['content', 'text', 'thinking', 'stop_reason'] as const;

/** The adapter for what came, by fields that only one provider has. */
function adapterFor(came: readonly Fields[]): readonly [string, string] | undefined {
  const isAnyOf = (fields: typeof openAI | typeof anthropic) =>
    came.some((one) => fields.some((field) => one[field] !== undefined));
  if (isAnyOf(openAI)) return ['fromOpenAI', 'toolwright/openai'];
  if (isAnyOf(anthropic) || came.some(({ type }) => type === 'tool_use'))
    return ['fromAnthropic', 'toolwright/anthropic'];
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A copy of the fields, since reading foreign objects may throw. */
function fieldsOf(value: unknown): Fields {
  try {
    return typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}
