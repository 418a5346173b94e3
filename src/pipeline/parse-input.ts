import { describedInput } from '../core/described-input.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import type { InputIssue, ParsedInput } from '../core/schema.js';
import type { Tool } from '../core/tool.js';
import { coerce } from './coerce.js';
import { readInput } from './read-input.js';
import { isThenable } from './supervisor.js';
import { validExample } from './valid-example.js';

/** An input that its schema has accepted. */
export interface AcceptedInput {
  /** What the tool gets. */
  readonly parsed: unknown;
  /** What was parsed: the model's fields after coercion, before any transformation of the schema. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** What was coerced, such as `limit: text to number`. */
  readonly coercions: readonly string[];
}

/**
 * Validates an input. Coercion is tried only when the schema does not accept what came, and only where nothing is lost.
 * Throws `invalid_input` that names each field, what was wanted, what came, and an example that the schema takes where one is found; `execution_failed` for a schema that cannot be described.
 */
export function parseInput(tool: Tool, raw: unknown, limits: Limits['call']): AcceptedInput | Promise<AcceptedInput> {
  describedInput(tool);
  const input = readInput(raw, limits);
  const first = attempt(tool, input);
  return isThenable(first)
    ? Promise.resolve(first).then((parsed) => accept(tool, input, parsed, limits, undefined))
    : accept(tool, input, first, limits, () => validExample(tool.input));
}

function accept(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  first: ParsedInput<unknown>,
  limits: Limits['call'],
  example: (() => string | undefined) | undefined,
): AcceptedInput | Promise<AcceptedInput> {
  if (first.ok) return { parsed: first.value, raw: input, coercions: [] };
  const { value, coercions } = coerce(input, tool.input.json, new Set(tool.literalFields), limits);
  if (coercions.length === 0) throw invalidInput(tool, input, first.issues, example?.());
  const finish = (second: ParsedInput<unknown>): AcceptedInput => {
    if (!second.ok) throw invalidInput(tool, input, second.issues, example?.());
    return { parsed: second.value, raw: value, coercions };
  };
  const second = attempt(tool, value);
  return isThenable(second) ? Promise.resolve(second).then(finish) : finish(second);
}

/** A schema that throws has not accepted; a tool that is not ready says so itself. */
function attempt(tool: Tool, input: unknown): ParsedInput<unknown> | Promise<ParsedInput<unknown>> {
  const failed = (thrown: unknown): ParsedInput<unknown> => {
    if (ToolError.is(thrown)) throw thrown;
    return { ok: false, issues: [{ path: [], message: `the schema failed on it: ${ToolError.from(thrown).message}` }] };
  };
  try {
    const parsed = tool.input.parse(input);
    return isThenable(parsed) ? Promise.resolve(parsed).catch(failed) : parsed;
  } catch (thrown) {
    return failed(thrown);
  }
}

const maxIssues = 10;

function invalidInput(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  issues: readonly InputIssue[],
  example: string | undefined,
): ToolError {
  const lines = issues.slice(0, maxIssues).map((issue) => `- ${describeIssue(issue, input)}`);
  if (issues.length > maxIssues) lines.push(`- and ${issues.length - maxIssues} more`);
  if (Object.keys(input).length === 0)
    lines.push('The input was empty; if your previous response was cut off, send the call again, shorter.');
  if (example !== undefined) lines.push(`Example: ${example}`);
  return new ToolError('invalid_input', `Invalid input for ${tool.name}:\n${lines.join('\n')}`);
}

function describeIssue({ path, message }: InputIssue, input: unknown): string {
  const field = path.length === 0 ? 'input' : path.join('.');
  const came = path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined),
    input,
  );
  const wanted = message.replace(/^Invalid input: /, '').replace(', received undefined', '');
  if (came === undefined) return `${field}: missing; ${wanted}`;
  return path.length === 0 ? `${field}: ${wanted}` : `${field}: ${wanted} (got ${preview(came)})`;
}

/** Undefined for what JSON cannot hold, such as a big integer or an object that fails when it is read. */
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
  // A cut could leave half a credential that nobody recognises.
  return text.length > 60 ? `${Array.isArray(value) ? 'a list' : typeof value} of ${text.length} characters` : text;
}
