import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { InputIssue, ParsedInput } from './schema.js';
import { type SchemaDraft, schemaDraft } from './schema-draft.js';
import type { JsonSchemaObject } from './tool.js';

/**
 * A parser for plain JSON Schema: draft 7, 2019-09 and 2020-12, see {@link schemaDraft} for which it is. What that draft does not compile is read as draft 7.
 * The validator is compiled on first use; a schema that cannot be compiled, for instance for a remote `$ref`, is an issue of every input.
 */
export function jsonSchemaParser(tool: string, schema: JsonSchemaObject): (raw: unknown) => ParsedInput<unknown> {
  let validate: ValidateFunction | undefined;
  return (raw) => {
    try {
      validate ??= compileSomehow(schema);
    } catch (cause) {
      return {
        ok: false,
        issues: [{ path: [], message: `the schema of ${tool} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}` }],
      };
    }
    if (validate(raw)) return { ok: true, value: raw };
    return { ok: false, issues: (validate.errors ?? []).map(toIssue) };
  };
}

const validators = { '7': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 } as const satisfies Record<SchemaDraft, unknown>;

function compileSomehow(schema: JsonSchemaObject): ValidateFunction {
  const draft = schemaDraft(schema);
  try {
    return compile(schema, draft);
  } catch (cause) {
    if (draft === '7') throw cause;
    return compileOlder(schema, cause);
  }
}

/** As draft 7, which forgives most. Throws what the right draft said where that does not help. */
function compileOlder(schema: JsonSchemaObject, cause: unknown): ValidateFunction {
  try {
    return compile(schema, '7');
  } catch {
    throw cause;
  }
}

function compile(schema: JsonSchemaObject, draft: SchemaDraft): ValidateFunction {
  // An asynchronous schema would accept everything now and fail later.
  const { $schema: _dialect, $async: _, ...body } = schema;
  const ajv = new validators[draft]({
    allErrors: true,
    strict: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
  });
  return ajv.compile(body);
}

function toIssue({ instancePath, keyword, params, message }: ErrorObject): InputIssue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') return { path: [...path, String(params.missingProperty)], message: 'is required but missing' };
  if (keyword === 'additionalProperties')
    return { path: [...path, String(params.additionalProperty)], message: 'is not a field of this tool' };
  if (keyword === 'unevaluatedProperties')
    return { path: [...path, String(params.unevaluatedProperty)], message: 'is not a field of this tool' };
  if (keyword === 'enum') return { path, message: `must be one of ${JSON.stringify(params.allowedValues)}` };
  return { path, message: message ?? keyword };
}
