import { createHash } from 'node:crypto';
import { definitionsOf, type ToolSource } from '../core/registry/adapter-arguments.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { assertOptions, isRecord, oneOf } from '../core/support/check-values.js';
import { type DialectRules, type SchemaDialect, schemaDialects } from './schema-dialects.js';
import { SchemaWalk } from './schema-walk.js';

/** A schema compiled for a dialect. */
export interface CompiledSchema {
  /** Undefined if the dialect cannot express the schema. */
  readonly schema: JsonSchemaObject | undefined;
  /**
   * One line for each part that is invalid, was changed, or has keywords that only the original schema checks. One line
   * for all renamed fields. If the schema cannot be expressed, a line with the reason. No line for an object that is no
   * longer closed (`additionalProperties: false`).
   */
  readonly notes: readonly string[];
  /** Restores the original field names of an input, if the dialect required other names. */
  restore(input: unknown): unknown;
}

/** The diagnostics of a tool's schema. */
export interface SchemaDiagnostic {
  readonly tool: string;
  /** Whether the tool cannot be offered in this dialect. */
  readonly isLeftOut: boolean;
  readonly notes: readonly string[];
}

/**
 * Compiles a schema into a dialect: `anthropic`, `openai`, `openai-strict` (Structured Outputs), `gemini` (the OpenAPI
 * subset of function declarations), or `plain`, which every provider accepts. Parts that a dialect cannot express are
 * left out, so the compiled schema accepts all inputs of the original; calls are still checked against the original.
 * Strict mode closes every object and requires every field; an optional field becomes nullable, and the pipeline treats
 * its null as absent. A cycle of references is cut after 5 rounds. Throws a TypeError for an unknown dialect, but never
 * for a JSON Schema.
 */
export function compileSchema(schema: JsonSchemaObject, dialect: SchemaDialect): CompiledSchema {
  const walk = new SchemaWalk(schema, rulesOf('compileSchema', dialect), fittedName);
  const compiled = walk.top();
  const renamedFields = Array.from(walk.names.values(), (name) => JSON.stringify(name)).join(', ');
  return {
    schema: compiled,
    notes: [...walk.notes, ...(renamedFields === '' ? [] : [`sent under other names: ${renamedFields}`])],
    restore: (input) => (walk.names.size === 0 ? input : renamed(input, walk.names)),
  };
}

/**
 * Compiles the schemas of definitions. A tool whose schema cannot be expressed is left out; {@link compileDiagnostics}
 * gives the reason.
 */
export function compileDefinitions(
  definitions: readonly ToolDefinitionJson[],
  dialect: SchemaDialect,
): ToolDefinitionJson[] {
  return definitions.flatMap((definition) => {
    const schema = fitsName(definition, dialect) ? compileSchema(definition.inputSchema, dialect).schema : undefined;
    return schema === undefined ? [] : [{ ...definition, inputSchema: schema }];
  });
}

/** The tools that a dialect leaves out, or whose compiled schemas have notes; see {@link CompiledSchema.notes}. */
export function compileDiagnostics(source: ToolSource, dialect: SchemaDialect): SchemaDiagnostic[] {
  rulesOf('compileDiagnostics', dialect);
  return definitionsOf('compileDiagnostics', source, undefined, `, '${dialect}'`).flatMap((definition) => {
    const { name, inputSchema } = definition;
    const { schema, notes } = compileSchema(inputSchema, dialect);
    const all = fitsName(definition, dialect) ? notes : [...notes, `${dialect} does not take the name ${name}`];
    return all.length === 0 ? [] : [{ tool: name, isLeftOut: schema === undefined || all !== notes, notes: all }];
  });
}

/** Restores the field names of an input that were renamed for the dialect. */
export function restoreInput(
  { name, input }: { readonly name: string; readonly input: unknown },
  definitions: readonly ToolDefinitionJson[],
  dialect: SchemaDialect,
): unknown {
  const schema = definitions.find((one) => one.name === name)?.inputSchema;
  if (schema === undefined) return input;
  const compiled = compiledFor.get(schema) ?? new Map<SchemaDialect, CompiledSchema>();
  compiledFor.set(schema, compiled);
  const known = compiled.get(dialect) ?? compileSchema(schema, dialect);
  compiled.set(dialect, known);
  return known.restore(input);
}

/** Cache of {@link restoreInput}: compiled schemas by the schema of a definition. */
const compiledFor = new WeakMap<JsonSchemaObject, Map<SchemaDialect, CompiledSchema>>();

function rulesOf(what: string, dialect: SchemaDialect): DialectRules {
  assertOptions(what, { dialect: dialect ?? null }, { dialect: oneOf(...Object.keys(schemaDialects)) });
  return schemaDialects[dialect];
}

function fitsName({ name }: ToolDefinitionJson, dialect: SchemaDialect): boolean {
  return schemaDialects[dialect].toolName?.test(name) ?? true;
}

/** A name that every dialect accepts. It ends in a hash, so different names stay different. */
function fittedName(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `f_${name.replaceAll(/\W/g, '_').slice(0, 52)}_${hash}`;
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [names.get(name) ?? name, renamed(entry, names)]),
  );
}
