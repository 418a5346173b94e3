import { createHash } from 'node:crypto';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { definitionsOf, type ToolSource } from '../core/registry/tool-source.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { isRecord } from '../core/support/is-record.js';
import { assertOptions, oneOf } from '../core/support/option-kinds.js';
import { type DialectRules, type SchemaDialect, schemaDialects } from './schema-dialects.js';
import { SchemaWalk } from './schema-walk.js';

/** A schema as a dialect says it. */
export interface CompiledSchema {
  /** Undefined where the dialect cannot say it. */
  readonly schema: JsonSchemaObject | undefined;
  /** What is said in another way, left to the original, or the reason why it cannot be said; one line each. */
  readonly notes: readonly string[];
  /** An input with the names of fields that the original has, where the dialect takes only others. */
  restore(input: unknown): unknown;
}

/** What became of a tool's schema. */
export interface SchemaDiagnostic {
  readonly tool: string;
  /** The tool cannot be offered in this dialect. */
  readonly isLeftOut: boolean;
  readonly notes: readonly string[];
}

/**
 * Says a schema in the words of a dialect: `anthropic`, `openai`, `openai-strict` (Structured Outputs), `gemini` (the
 * OpenAPI subset of function declarations), or `plain`, which everybody takes. What a dialect cannot say is left out,
 * so that the compiled schema takes all that the original takes, and the original still validates the call. Strict mode
 * closes every object and requires every field: one that may be missing is nullable, and the pipeline takes its null
 * for absent. A cycle of references is cut after 5 rounds. Never throws for a schema that is JSON; a TypeError for an
 * unknown dialect.
 */
export function compileSchema(schema: JsonSchemaObject, dialect: SchemaDialect): CompiledSchema {
  const walk = new SchemaWalk(schema, rulesOf('compileSchema', dialect), fitted);
  const compiled = walk.top();
  return {
    schema: compiled,
    notes: [...walk.notes],
    restore: (input) => (walk.names.size === 0 ? input : renamed(input, walk.names)),
  };
}

/**
 * The definitions with their schemas in a dialect. A tool that it cannot take is left out, alone: see
 * {@link compileDiagnostics} for which, and why.
 */
export function compileDefinitions(
  definitions: readonly ToolDefinitionJson[],
  dialect: SchemaDialect,
): ToolDefinitionJson[] {
  return definitions.flatMap((definition) => {
    const schema = fits(definition, dialect) ? compileSchema(definition.inputSchema, dialect).schema : undefined;
    return schema === undefined ? [] : [{ ...definition, inputSchema: schema }];
  });
}

/** The tools that a dialect leaves out, or says in another way, and why. Empty where it takes all as they are. */
export function compileDiagnostics(source: ToolSource, dialect: SchemaDialect): SchemaDiagnostic[] {
  rulesOf('compileDiagnostics', dialect);
  return definitionsOf('compileDiagnostics', source, undefined, `, '${dialect}'`).flatMap((definition) => {
    const { name, inputSchema } = definition;
    const { schema, notes } = compileSchema(inputSchema, dialect);
    const all = fits(definition, dialect) ? notes : [...notes, `${dialect} does not take the name ${name}`];
    return all.length === 0 ? [] : [{ tool: name, isLeftOut: schema === undefined || all !== notes, notes: all }];
  });
}

/** Calls with the fields of the tools that were offered, where names had to be changed for the dialect. */
export function restoreInput(
  { name, input }: { readonly name: string; readonly input: unknown },
  definitions: readonly ToolDefinitionJson[],
  dialect: SchemaDialect,
): unknown {
  const definition = definitions.find((one) => one.name === name);
  return definition === undefined ? input : compileSchema(definition.inputSchema, dialect).restore(input);
}

function rulesOf(what: string, dialect: SchemaDialect): DialectRules {
  assertOptions(what, { dialect: dialect ?? null }, { dialect: oneOf(...Object.keys(schemaDialects)) });
  return schemaDialects[dialect];
}

function fits({ name }: ToolDefinitionJson, dialect: SchemaDialect): boolean {
  return schemaDialects[dialect].toolName?.test(name) ?? true;
}

/** A name that every dialect takes. It ends in a hash, so it stands for this name alone. */
function fitted(name: string): string {
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
