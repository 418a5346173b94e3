import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import type { ParsedInput } from '../core/schema/json-schema-parser.js';
import type { InputIssue } from '../core/schema/validate-value.js';
import { nearNames } from '../core/support/near-names.js';
import type { Tool } from '../core/tool.js';
import { coerce } from './coerce.js';
import { readInput } from './read-input.js';

/** An input that its schema has accepted. */
export interface AcceptedInput {
  /** The value that the tool gets. */
  readonly parsed: unknown;
  /** The model's fields after coercion, before any transformation by the schema. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The coercions, such as `limit: text to number`. */
  readonly coercions: readonly string[];
}

type Parsing = ReturnType<Tool['input']['parse']>;
/** Waits for the answer of a schema, up to a time limit. */
type Expect = (ask: () => Parsing) => Promise<ParsedInput<unknown>>;

/**
 * Validates an input. Coercion is tried only if the schema rejects the input, and converts only without loss. Throws
 * `invalid_input` with each wrong field, the expected and the given value, and the example of the tool if it has one.
 * Throws `execution_failed` for a schema that has no JSON Schema. `expect` limits the time of the schema, because a
 * schema may be foreign code; by default there is no limit.
 */
export async function parseInput(
  tool: Tool,
  raw: unknown,
  limits: Limits['call'],
  expect: Expect = async (ask) => await ask(),
): Promise<AcceptedInput> {
  // Read first, because this getter throws for a schema that has no JSON Schema.
  const { json } = tool.input;
  const input = readInput(raw, limits);
  const first = await attempt(tool, input, expect);
  if (first.ok) return { parsed: first.value, raw: input, coercions: [] };
  const { value, coercions } = coerce(input, json, new Set(tool.literalFields), limits);
  if (coercions.length === 0) throw invalidInput(tool, input, first.issues);
  const second = await attempt(tool, value, expect);
  if (!second.ok) throw invalidInput(tool, input, second.issues);
  return { parsed: second.value, raw: value, coercions };
}

/**
 * Rethrows a ToolError, such as the error of a tool that is not ready, or of an exceeded time limit. Any other error
 * that the schema throws counts as a rejection of the input.
 */
async function attempt(tool: Tool, input: unknown, expect: Expect): Promise<ParsedInput<unknown>> {
  try {
    return await expect(() => tool.input.parse(input));
  } catch (thrown) {
    if (ToolError.is(thrown)) throw thrown;
    return { ok: false, issues: [{ path: [], message: `the schema failed on it: ${ToolError.from(thrown).message}` }] };
  }
}

const maxIssues = 10;

function invalidInput(tool: Tool, input: Readonly<Record<string, unknown>>, issues: readonly InputIssue[]): ToolError {
  const lines = issues
    .slice(0, maxIssues)
    .map(
      (issue) => `- ${describeIssue(issue, input, (field) => sentInstead(field, tool, input, issues.length === 1))}`,
    );
  if (issues.length > maxIssues) lines.push(`- and ${issues.length - maxIssues} more`);
  if (Object.keys(input).length === 0)
    lines.push('The input was empty; if your previous response was cut off, send the call again, shorter.');
  if (tool.examples?.[0] !== undefined) lines.push(`Example: ${JSON.stringify(tool.examples[0])}`);
  return new ToolError('invalid_input', `Invalid input for ${tool.name}:\n${lines.join('\n')}`);
}

/**
 * The field that the model probably sent in place of a missing field. This is the unknown field with the most similar
 * name, or the only unknown field if nothing else is wrong.
 */
function sentInstead(
  field: string,
  { input: { json } }: Tool,
  input: object,
  isOnlyIssue: boolean,
): string | undefined {
  const { properties } = json;
  if (typeof properties !== 'object' || properties === null) return undefined;
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(properties, key) && /^[\w-]{1,64}$/.test(key));
  return nearNames(field, unknown)[0] ?? (isOnlyIssue && unknown.length === 1 ? unknown[0] : undefined);
}

function describeIssue(
  { path, message }: InputIssue,
  input: unknown,
  insteadOf: (field: string) => string | undefined,
): string {
  const field = path.length === 0 ? 'input' : path.join('.');
  const came = path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
    input,
  );
  const wanted = message.replace(/^Invalid (?:input|option): /, '').replace(', received undefined', '');
  if (came === undefined && /^(?:expected|required|is required)/i.test(wanted)) {
    const instead = path.length === 1 ? insteadOf(field) : undefined;
    return `${field} is missing${instead === undefined ? '' : `; you sent ${instead}, which is not a field: send it as ${field}`}`;
  }
  if (came === undefined) return `${field}: ${wanted}`;
  return path.length === 0 ? `${field}: ${wanted}` : `${field}: ${wanted} (got ${preview(came)})`;
}

/** Undefined for a value that JSON cannot represent, such as a big integer or an object that throws when it is read. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function preview(value: unknown): string {
  const text = jsonOf(value);
  if (text === undefined) return typeof value;
  // A cut could leave half of a credential, and no rule of the scrubber would find that half.
  return text.length > 60 ? `${Array.isArray(value) ? 'a list' : typeof value} of ${text.length} characters` : text;
}
