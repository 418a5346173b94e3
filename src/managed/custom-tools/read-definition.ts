import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { mendSchema } from '../../core/schema/mend.js';
import { assertNeeded, assertOptions, isRecord, kindOf, type OptionKinds } from '../../core/support/check-values.js';
import { builtinName, isMcpName } from '../../core/tool-names.js';
import type { CustomToolDefinition } from '../../ports/custom-tool-store.js';
import { CommandTemplate } from '../../shell/template/command-template.js';

/** A valid definition, with defaults. */
export type ReadCustomTool = ReturnType<typeof readCustomTool>;

const nameForm = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const maxSeconds = 600;

const shown = (takes: string, holds: (value: unknown) => boolean) => ({ takes, isShown: true, holds });

const kinds: OptionKinds<CustomToolDefinition> = {
  name: shown('a letter, then up to 63 letters, digits, _ and -', (value) => isText(value) && nameForm.test(value)),
  description: kindOf.text,
  parameters: {
    takes: "a JSON Schema of an object, such as { type: 'object', properties: {} }",
    holds: (value) =>
      isRecord(value) && value.type === 'object' && (value.properties === undefined || isRecord(value.properties)),
  },
  command: { takes: 'a command line', holds: (value) => isText(value) && value.trim() !== '' },
  timeout_seconds: shown(
    `a whole number from 1 to ${maxSeconds}`,
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxSeconds,
  ),
  working_dir: shown('a folder', (value) => isText(value) && value !== '' && !value.includes('\0')),
  env: {
    takes: 'texts by names of variables, such as { API_KEY: "…" }, without NUL characters',
    holds: (value) =>
      kindOf.textsByName.holds(value) &&
      Object.entries(value as object).every(([name, text]) => /^[A-Za-z_]\w*$/.test(name) && !text?.includes('\0')),
  },
  enabled: kindOf.flag,
  agent_id: kindOf.text,
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Validates a definition. Throws a TypeError that names the invalid field. */
export function readCustomTool(given: CustomToolDefinition) {
  assertNeeded('customTool', given);
  const definition = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  assertOptions('customTool', definition, kinds, 'name', 'description', 'parameters', 'command');
  const { name, description, parameters, command, timeout_seconds, working_dir, env, enabled } =
    definition as unknown as CustomToolDefinition;
  const builtin = builtinName(name);
  const what = builtin === undefined ? 'begins like a tool of an MCP server' : `means the built-in tool ${builtin}`;
  if (builtin !== undefined || isMcpName(name)) throw new TypeError(`customTool: name ${name} ${what}; take another`);
  assertReadable(parameters);
  return {
    ...{ name, description, parameters: structuredClone(parameters) },
    template: templateOf(command, parameters),
    timeoutMs: (timeout_seconds ?? 60) * 1_000,
    workingDir: working_dir ?? undefined,
    env: Object.freeze({ ...env }),
    isEnabled: enabled !== false,
  };
}

/** Matches the notes about older or looser forms of JSON Schema that are still read correctly. */
const keepsMeaning = /(?:as draft 4 has it|as a choice with null|without the flag u)$/;

/** Throws a TypeError for a schema with unsupported parts: the tool would accept inputs that the schema forbids. */
function assertReadable(parameters: JsonSchemaObject): void {
  const { notes, outside } = mendSchema(parameters);
  const note = outside === undefined ? notes.find((one) => !keepsMeaning.test(one)) : `it refers to ${outside}`;
  if (note !== undefined)
    throw new TypeError(`customTool: parameters: ${note}; write valid JSON Schema, or leave that part out`);
}

function templateOf(command: string, { properties }: JsonSchemaObject): CommandTemplate {
  try {
    if (command.includes('\0')) throw new TypeError('it contains a NUL character, which a command line cannot contain');
    const all = Object.entries(properties ?? {});
    const limited = all.filter(([, schema]) => isLimited(schema));
    return new CommandTemplate(command, new Set(all.map(([key]) => key)), new Set(limited.map(([key]) => key)));
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new TypeError(`customTool: command: ${thrown.message}`, { cause: thrown });
    throw thrown;
  }
}

/** Whether a schema limits its values: to a list, to numbers or booleans, or by a pattern from `^` to `$`. */
function isLimited(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { type, pattern } = schema;
  const types = [type].flat();
  if (Array.isArray(schema.enum) || 'const' in schema) return true;
  if (types.every((one) => /^(?:integer|number|boolean|null)$/.test(String(one)))) return true;
  return type === 'string' && typeof pattern === 'string' && isForWholeText(pattern);
}

/** Whether `^` and `$` apply to every alternative of a pattern. */
function isForWholeText(pattern: string): boolean {
  let bare = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/gs, '_');
  for (let before = ''; before !== bare; ) {
    before = bare;
    bare = bare.replace(/\([^()]*\)/g, '');
  }
  return /^\^[^|]*\$$/s.test(bare);
}
